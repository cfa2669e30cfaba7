/**
 * Fetches all that the page needs, then closes the door behind it: a second policy, `connect-src 'none'`, after which the
 * browser refuses this page every connection. Workers are made after that, from blob: URLs, and inherit both policies;
 * a worker that is loaded from a URL would have none. (Content Security Policy Level 3, "Policy Inheritance".)
 */

import { configure } from "seekwell";
import engineUrl from "seekwell/engine_bg.wasm?url";
import workerUrl from "seekwell/worker.js?worker&url";
import { loadColours } from "./highlight";
import { fetchSample } from "./sample";
import { loading, message, ready } from "./state";

/** Size of the engine's module, laid down when the page was built: what is fetched may be compressed on its way. */
declare const ENGINE_BYTES: number;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

/** Says which scripts may be started: those of the page itself, and nothing that a string could come to. */
function scripts(allowed: Set<string>): (url: string) => string {
  const rules = {
    createScriptURL(url: string): string {
      if (!allowed.has(url)) throw new TypeError(`${url} is not a script of this page`);
      return url;
    },
  };
  const types = (window as { trustedTypes?: TrustedTypes }).trustedTypes;
  const policy = types?.createPolicy("seekwell", rules) ?? rules;
  return (url) => policy.createScriptURL(url);
}

/** Fetches and compiles the engine, and says how far it is. */
async function fetchEngine(): Promise<WebAssembly.Module> {
  const response = await fetch(engineUrl);
  if (!response.ok || !response.body) throw new Error(`The engine could not be fetched: ${response.status}.`);
  let got = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, control) {
        got += part.byteLength;
        loading.value = { state: "loading", part: Math.min(1, got / ENGINE_BYTES) };
        control.enqueue(part);
      },
    }),
  );
  const headers = { "Content-Type": "application/wasm" };
  return WebAssembly.compileStreaming(new Response(counted, { headers }));
}

/** From here on, no connection. */
function closeDoor(): void {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = "connect-src 'none'";
  document.head.append(policy);
}

/** Keeps a copy of the page's own files, so that it opens without a network. It works without that, too. */
async function keepOffline(script: string): Promise<void> {
  // Not in a page without a secure context, nor where storage is refused.
  await navigator.serviceWorker?.register(script).catch(() => undefined);
}

/** The workers' script, as a blob: what is started later needs no connection, and inherits the policies. */
async function fetchWorker(): Promise<string> {
  const response = await fetch(workerUrl);
  if (!response.ok) throw new Error(`The engine's worker could not be fetched: ${response.status}.`);
  return URL.createObjectURL(new Blob([await response.blob()], { type: "text/javascript" }));
}

export async function boot(): Promise<void> {
  try {
    const [module, entry] = await Promise.all([fetchEngine(), fetchWorker(), fetchSample(), loadColours()]);
    closeDoor();
    const offline = new URL("./offline.js", location.href).href;
    const trusted = scripts(new Set([entry, offline]));
    configure({ module, createWorker: () => new Worker(trusted(entry), { type: "module" }) });
    await ready();
    if (import.meta.env.PROD) void keepOffline(trusted(offline));
  } catch (error) {
    loading.value = { state: "failed", message: message(error) };
  }
}
