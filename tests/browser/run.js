// Runs test files and ends with a line as cargo's, which xtask/test.sh sums up: `node run.js suite session`.

import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const files = process.argv.slice(2).map((name) => join(here, `${name}.test.js`));
const reporter = join(here, "../../web-demo/tests/reporter.js");
const words = ["--test", `--test-reporter=${reporter}`, "--test-concurrency=1", ...files];
process.exitCode = spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1;
