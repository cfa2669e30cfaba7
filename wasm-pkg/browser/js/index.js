// seekwell in the browser: see index.d.ts for what everything means.

import { compile, spawn, threads } from "./host.js";
import { Channel, nextTurn } from "./channel.js";
import { SeekwellError } from "./errors.js";

export { SeekwellError } from "./errors.js";
export { folderOfDrop, folderOfFiles, folderOfHandle, folderOfPath, folderOfTexts } from "./folders.js";

/** Files of a directory input that are handed to the keeper at a time. Copying one takes Chromium 0.1 to 0.5 ms, most of which it waits. */
const FILES_AT_ONCE = 32;

/** Analysts more than this wait for the disk, not for each other. */
const MOST_ANALYSTS = 8;

let settings = {};

/** See index.d.ts. */
export function configure(given) {
  settings = { ...settings, ...given };
}

let compiled;
/** The engine, compiled once for all workers. */
function engineModule() {
  compiled ??= Promise.resolve(settings.module ?? compile()).catch((error) => {
    compiled = undefined;
    const missing = error instanceof WebAssembly.CompileError ? "this browser lacks a part of WebAssembly: " : "";
    throw new SeekwellError(missing ? "unsupported" : "engine", `${missing}${error.message}`);
  });
  return compiled;
}

/** A worker that keeps a tree, and the channel to it. */
class KeeperWorker {
  #worker;
  #channel;
  #asked = 0;

  constructor(heard = {}) {
    this.#worker = spawn("seekwell keeper", settings.createWorker);
    this.#channel = new Channel(this.#worker, {}, new Proxy({}, { get: (_, name) => heard[name] ?? this.heard?.[name] }));
    this.#worker.lost((message) => {
      this.#channel.end(new SeekwellError("engine", `the keeper of the tree was lost: ${message}`));
      this.onlost?.();
    });
    // In Node a worker that is asked nothing keeps no process alive.
    this.#worker.idle(true);
    this.started = engineModule().then((module) => this.#worker.post({ start: { role: "keeper", module } }));
    this.started.catch(() => {});
  }

  async ask(name, argument, options) {
    if (this.#asked++ === 0) this.#worker.idle(false);
    try {
      await this.started;
      return await this.#channel.ask(name, argument, options);
    } finally {
      if (--this.#asked === 0) this.#worker.idle(true);
    }
  }

  tell(name, argument) {
    this.started.then(() => this.#channel.tell(name, argument)).catch(() => {});
  }

  end(error) {
    this.#channel.end(error);
    this.#worker.end();
  }
}

/** A keeper that has no tree yet: for what can be asked without one, and for the next session. */
let spare = null;
function office() {
  spare ??= new KeeperWorker();
  return spare;
}

/** See index.d.ts. */
export class Session extends EventTarget {
  #keeper;
  #analysts = new Map();
  #isClosed = false;

  /** Made by {@link openSession}. */
  constructor(folder, options) {
    super();
    this.name = folder?.name ?? "";
    this.progress = { stage: "listing", done: 0, total: 0, bytesDone: 0, bytesTotal: 0, secondsLeft: null, searchable: 0, skipped: 0 };
    this.#keeper = office();
    spare = null;
    this.#keeper.heard = {
      progress: (progress) => this.#now(progress),
      change: () => this.dispatchEvent(new Event("change")),
      trouble: (trouble) => this.dispatchEvent(Object.assign(new Event("trouble"), { trouble })),
      hireAnalyst: (wanted) => this.#hire(wanted),
      endAnalyst: (number) => this.#dismiss(number),
    };
    this.#keeper.onlost = () => this.#end();
    this.ready = this.#open(folder, options);
    // Whoever does not wait for it is told by `progress`.
    this.ready.catch(() => {});
  }

  async #open(folder, { signal, workers, persist = true, ...options }) {
    if (!folder?.kind) throw new SeekwellError("not-a-folder", "no folder was given: make one by folderOfHandle, folderOfFiles, …");
    signal?.addEventListener("abort", () => this.cancel(), { once: true });
    let given = folder;
    if (folder?.kind === "files") {
      for (let at = 0; at < folder.files.length; at += FILES_AT_ONCE) {
        this.#keeper.tell("files", folder.files.slice(at, at + FILES_AT_ONCE));
        await nextTurn();
      }
      given = { ...folder, files: [] };
    }
    const count = workers ?? Math.max(1, Math.min(MOST_ANALYSTS, threads() - 1));
    if (signal?.aborted) this.cancel();
    return this.#keeper.ask("open", { folder: given, options: { ...options, persist, workers: Math.max(1, count) } });
  }

  #now(progress) {
    this.progress = progress;
    this.dispatchEvent(new Event("progress"));
  }

  async #hire({ number, port }) {
    const worker = spawn(`seekwell analyst ${number + 1}`, settings.createWorker);
    this.#analysts.get(number)?.end();
    this.#analysts.set(number, worker);
    worker.idle(true);
    worker.lost((message) => {
      if (this.#analysts.get(number) !== worker || this.#isClosed) return;
      worker.end();
      this.#keeper.tell("lostAnalyst", { number, message });
    });
    worker.post({ start: { role: "analyst", module: await engineModule(), port } }, [port]);
  }

  #dismiss(number) {
    this.#analysts.get(number)?.end();
    this.#analysts.delete(number);
  }

  #ask(name, argument, options) {
    if (this.#isClosed) return Promise.reject(new SeekwellError("closed", "the session was closed"));
    return this.#keeper.ask(name, argument, options);
  }

  search(query, { signal } = {}) {
    return this.#ask("search", { query }, { signal });
  }

  searchJson(query, layout) {
    return this.#ask("search", { query, json: true, layout });
  }

  ask(question, { signal } = {}) {
    return this.#ask("ask", { question }, { signal });
  }

  askJson(question, layout) {
    return this.#ask("ask", { question, json: true, layout });
  }

  mermaid({ task, files } = {}) {
    return this.#ask("ask", { question: { command: "map", task, files }, mermaid: true });
  }

  coverage() {
    return this.#ask("coverage");
  }

  files() {
    return this.#ask("files");
  }

  read(path) {
    return this.#ask("read", { path });
  }

  refresh() {
    return this.#ask("refresh");
  }

  cancel() {
    this.#keeper.tell("cancel");
  }

  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#keeper.tell("cancel");
    await this.#keeper.ask("close").catch(() => {});
    this.#end();
  }

  #end() {
    this.#isClosed = true;
    this.#keeper.end(new SeekwellError("closed", "the session was closed"));
    for (const worker of this.#analysts.values()) worker.end();
    this.#analysts.clear();
  }
}

/** See index.d.ts. */
export function openSession(folder, options = {}) {
  return new Session(folder, options);
}

/** See index.d.ts. */
export const languages = () => office().ask("languages");
/** See index.d.ts. */
export const kinds = () => office().ask("kinds");
/** See index.d.ts. */
export const version = () => office().ask("version");
/** See index.d.ts. */
export const knownFolders = () => office().ask("knownFolders");
/** See index.d.ts. */
export const forgetFolder = (id) => office().ask("forgetFolder", id);
/** See index.d.ts. */
export const forgetEverything = () => office().ask("forgetEverything");

/** See index.d.ts. */
export async function storageUsed() {
  const { usage = 0, quota = 0 } = (await globalThis.navigator?.storage?.estimate?.()) ?? {};
  return { usage, quota };
}

/** See index.d.ts. */
export async function loadEngine() {
  const engine = await import("./engine.js");
  engine.initSync({ module: await engineModule() });
  return engine;
}
