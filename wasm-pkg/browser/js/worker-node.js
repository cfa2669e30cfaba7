// Every worker of the package in Node.

import "./node-modules.js";
import "./worker.js";
