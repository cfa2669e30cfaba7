// Runs test files and ends with a line as cargo's, which xtask/test.sh sums up: `node run.js suite session`.

import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const here = dirname(fileURLToPath(import.meta.url));
const files = process.argv.slice(2).map((name) => join(here, `${name}.test.js`));
const count = { pass: 0, fail: 0 };

const tests = run({ files, concurrency: 1 });
// A file is reported as a test around its own: those inside are counted.
const counts = (kind) => ({ nesting, details }) => {
  if (nesting === 0 && details?.type !== "suite") count[kind] += 1;
};
tests.on("test:pass", counts("pass")).on("test:fail", counts("fail"));
tests.compose(spec).pipe(process.stdout);
tests.on("end", () => {
  // After the reporter has written its own.
  setImmediate(() => {
    console.log(`test result: ${count.fail ? "FAILED" : "ok"}. ${count.pass} passed; ${count.fail} failed;`);
    process.exitCode = count.fail ? 1 : 0;
  });
});
