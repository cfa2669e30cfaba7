// What a browser has and Node has not, and the other way round: here the browser's.

/** Compiles the engine; on a server that does not know the type of .wasm files, too. */
export async function compile() {
  const url = new URL("./engine_bg.wasm", import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url.pathname}: ${response.status}`);
  if (response.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** A worker of this package, and how to talk to it; `create` makes one in another way. */
export function spawn(name, create) {
  const worker = create?.() ?? new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    listen: (heard) => worker.addEventListener("message", (event) => heard(event.data)),
    lost: (told) => worker.addEventListener("error", (event) => told(event.message || "the worker could not be started")),
    end: () => worker.terminate(),
    idle: () => {},
  };
}

/** Inside a worker: the thread that made it. */
export function parent() {
  return {
    post: (message, transfer = []) => self.postMessage(message, transfer),
    listen: (heard) => self.addEventListener("message", (event) => heard(event.data)),
  };
}

/** Threads that the machine has. */
export const threads = () => navigator.hardwareConcurrency || 4;

/** Folders by path: not in a browser. */
export async function diskFolder() {
  throw new Error("a folder by its path can be read in Node only");
}

/** The bytes of a file by its path: not in a browser. */
export async function readPath() {
  throw new Error("a file by its path can be read in Node only");
}
