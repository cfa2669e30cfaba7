/** What failed, what was measured, and a last line as cargo's, which the script that runs all tests sums up. */

export default async function* report(events) {
  let passed = 0;
  let failed = 0;
  for await (const { type, data } of events) {
    // A file counts as a test of its own, around those in it.
    if (type === "test:pass" && data.details.type !== "suite" && data.skip === undefined) passed++;
    if (type === "test:pass" && data.skip !== undefined) yield `skipped ${data.name}: ${data.skip}\n`;
    if (type === "test:fail") {
      failed++;
      yield `FAILED ${data.name}: ${data.details.error.cause?.stack ?? data.details.error.stack}\n`;
    }
    if (type === "test:stdout" || type === "test:stderr") yield data.message;
  }
  if (passed + failed === 0) yield `FAILED no test was run\n`;
  yield `test result: ${failed === 0 && passed > 0 ? "ok" : "FAILED"}. ${passed} passed; ${failed || Number(passed === 0)} failed;\n`;
}
