// What a browser has and Node has not, and the other way round: here Node's.

/** Node's own modules, by name; `node-modules.js` lends them, since no bundler for browsers could resolve an import of them. */
let lent = {};
export function lend(modules) {
  lent = modules;
}
// Not written into the calls: bundlers for browsers would take these files along a second time.
const here = import.meta.url;
const disk = () => lent.disk;

/** Compiles the engine. */
export async function compile() {
  return WebAssembly.compile(await disk().readFile(new URL("./engine_bg.wasm", here)));
}

/** A worker of this package, and how to talk to it; `create` makes one in another way. */
export function spawn(name, create) {
  const worker = create?.() ?? new lent.threads.Worker(new URL("./worker-node.js", here), { name });
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    listen: (heard) => worker.on("message", heard),
    lost: (told) => {
      worker.on("error", (error) => told(String(error?.message ?? error)));
      worker.on("exit", (code) => code !== 0 && told(`the worker ended with ${code}`));
    },
    end: () => void worker.terminate(),
    // A process whose work is done may end although a worker waits for more.
    idle: (isIdle) => (isIdle ? worker.unref() : worker.ref()),
  };
}

/** Inside a worker: the thread that made it. */
export function parent() {
  const { parentPort } = lent.threads;
  return {
    post: (message, transfer = []) => parentPort.postMessage(message, transfer),
    listen: (heard) => parentPort.on("message", heard),
  };
}

/** Threads that the machine has. */
export const threads = () => lent.os.availableParallelism();

/** A folder by its path. */
export async function diskFolder(path) {
  const { basename, resolve } = lent.path;
  const root = await disk().realpath(resolve(path));
  if (!(await disk().stat(root)).isDirectory()) throw Object.assign(new Error(`not a folder: ${path}`), { code: "not-a-folder" });
  return { root, name: basename(root), folder: new DiskFolder(root, root) };
}

/** The bytes of a regular file, opened without waiting, at most `limit` of them; else its size alone. */
export async function readPath(path, limit) {
  const { O_RDONLY, O_NONBLOCK = 0 } = disk().constants;
  const file = await disk().open(path, O_RDONLY | O_NONBLOCK);
  try {
    const { size, mtimeMs } = await stats(file);
    return size > limit ? { size, modified: mtimeMs } : { size, modified: mtimeMs, bytes: new Uint8Array(await file.readFile()) };
  } finally {
    await file.close();
  }
}

async function stats(file) {
  const found = await file.stat();
  if (!found.isFile()) throw new Error("no longer a regular file");
  return found;
}

class DiskFolder {
  constructor(root, path) {
    this.root = root;
    this.path = path;
  }

  async entries() {
    const listed = await disk().readdir(this.path, { withFileTypes: true, encoding: "buffer" });
    return Promise.all(listed.map((entry) => this.entry(entry)));
  }

  async entry(entry) {
    const name = entry.name.toString("utf8");
    if (!globalThis.Buffer.from(name, "utf8").equals(entry.name)) return { name, kind: "unreadable", detail: "its name is not UTF-8" };
    const path = lent.path.join(this.path, name);
    if (entry.isDirectory()) return { name, kind: "folder", folder: new DiskFolder(this.root, path) };
    try {
      if (entry.isFile()) return { name, kind: "file", file: await fileAt(path) };
      if (entry.isSymbolicLink()) return await this.link(name, path);
    } catch (error) {
      return { name, kind: "unreadable", detail: error.message };
    }
    const what = entry.isFIFO() ? "fifo" : entry.isSocket() ? "socket" : "device";
    return { name, kind: "special", detail: what };
  }

  async link(name, path) {
    const link = { name, kind: "link", detail: await disk().readlink(path) };
    let end;
    try {
      end = await disk().realpath(path);
    } catch (error) {
      return { ...link, target: { kind: "missing", path: error.message } };
    }
    const found = await disk().stat(end);
    if (found.isDirectory()) return { ...link, target: { kind: "folder" } };
    const { relative, sep } = lent.path;
    const below = relative(this.root, end);
    if (below.startsWith("..")) return { ...link, target: { kind: "outside" } };
    if (!found.isFile()) return { ...link, target: { kind: "special" } };
    return { ...link, target: { kind: "file", path: below.split(sep).join("/") }, file: await fileAt(end) };
  }
}

async function fileAt(path) {
  const { size, mtimeMs } = await disk().lstat(path);
  return { source: { kind: "path", path }, size, modified: mtimeMs };
}
