// The machine that this runs on: a browser, or Node. Decided without an import of Node's modules, which no bundler could resolve,
// and without waiting, since a worker would miss messages meanwhile.

import * as node from "./host-node.js";
import * as web from "./host-web.js";

const isBrowser = typeof WorkerGlobalScope !== "undefined" || typeof window !== "undefined";

export const { compile, diskFolder, parent, readPath, spawn, threads } =
  !isBrowser && typeof globalThis.process?.versions?.node === "string" ? node : web;
