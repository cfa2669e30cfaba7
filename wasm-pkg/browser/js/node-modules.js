// Lends Node's own modules to the package: imported first by what Node starts with, and by nothing that a browser loads.

import * as disk from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as threads from "node:worker_threads";

import { lend } from "./host-node.js";

lend({ disk, os, path, threads });
