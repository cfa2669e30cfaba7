// seekwell in Node: see index.d.ts for what everything means.

import "./node-modules.js";

export * from "./index.js";
