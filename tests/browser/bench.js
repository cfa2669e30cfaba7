// What the package costs: `node bench.js FOLDER`. CPU time, which is the fairer figure on a machine that does other things too, of
// the same stages that `./x bench` prints of the component; and sizes, memory, time to the first results.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { BINARY, PACKAGE, TARGET, seekwell } from "./lib.js";

const root = process.argv[2];
if (!root) {
  console.error("bench.js FOLDER");
  process.exit(2);
}
const say = (what, ...figures) => console.log(`| ${[what, ...figures].join(" | ")} |`);
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

// ----------------------------------------------------------------------------------------------------------------- transfer
let [raw, gzip, brotli] = [0, 0, 0];
say("transfer", "raw MB", "gzip -9 MB", "brotli -9 MB");
for (const name of readdirSync(PACKAGE).filter((name) => /\.(js|wasm)$/.test(name))) {
  const bytes = readFileSync(join(PACKAGE, name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes, { params }).length];
  if (name.endsWith(".wasm")) say(name, ...sizes.map(megabytes));
  [raw, gzip, brotli] = [raw + sizes[0], gzip + sizes[1], brotli + sizes[2]];
}
say("package, whole", megabytes(raw), megabytes(gzip), megabytes(brotli));

// ------------------------------------------------------------------------------------------------------- start, one instance
const wasm = readFileSync(join(PACKAGE, "engine_bg.wasm"));
let at = performance.now();
await WebAssembly.compile(wasm);
const compiled = performance.now() - at;
at = performance.now();
const engine = await seekwell.loadEngine();
engine.languages();
say("compile ms", compiled.toFixed(0), "compile, instantiate, first call ms", (performance.now() - at).toFixed(0));

// ---------------------------------------------------------------------------------------------------------- stages, one thread
const paths = execFileSync(BINARY, ["--files", root], { encoding: "utf8", maxBuffer: 1 << 28 }).split("\n").filter(Boolean).sort();
const files = paths.map((path) => [path.slice(root.length).replace(/^\//, ""), readFileSync(path)]);
const bytes = files.reduce((sum, [, bytes]) => sum + bytes.length, 0);
const seconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
/** What something costs this process, V8's compiler included. */
function cost(does) {
  const before = seconds();
  const value = does();
  return [seconds() - before, value];
}
const analyse = () => files.map(([path, bytes]) => [path, engine.analyse(path, bytes, true)]).filter(([, analysis]) => analysis);
const [first, analysed] = cost(analyse);
const [again] = cost(analyse);
const workspace = new engine.Workspace(true);
const [committed] = cost(() => {
  analysed.forEach(([path, analysis]) => workspace.add(path, analysis));
  return workspace.commit();
});
const [asked] = cost(() => {
  for (let n = 0; n < 20; n += 1) workspace.find({ text: "retry with exponential backoff" }, []).free();
});
say(`Node ${process.version}, one thread: ${files.length} files, ${megabytes(bytes)} MB`, "CPU s", "files/s", "MB/s");
say("analyse, first pass (V8 compiles meanwhile)", first.toFixed(2), (files.length / first).toFixed(0), (bytes / 1e6 / first).toFixed(1));
say("analyse, second pass", again.toFixed(2), (files.length / again).toFixed(0), (bytes / 1e6 / again).toFixed(1));
say("add and commit", committed.toFixed(2), "a question, ms", (asked * 50).toFixed(1));
say("engine's memory, MB", megabytes(engine.memoryBytes()), "analyses, MB", megabytes(analysed.reduce((sum, [, a]) => sum + a.length, 0)));
workspace.free();

// ------------------------------------------------------------------------------------------------------------------- sessions
async function session(workers) {
  const before = seconds();
  const started = performance.now();
  const session = seekwell.openSession(seekwell.folderOfPath(root), { root, workers });
  await new Promise((heard) => session.addEventListener("change", heard, { once: true }));
  await session.search({ text: "retry with exponential backoff" });
  const toFirst = performance.now() - started;
  await session.ready;
  await session.search({ text: "retry with exponential backoff" });
  const wall = performance.now() - started;
  const cpu = seconds() - before;
  const memory = process.memoryUsage().rss;
  await session.close();
  return { toFirst, wall, cpu, memory };
}
say("session in Node", "first answer, wall ms", "all, wall ms", "CPU s", "process MB");
for (const workers of [1, 2]) {
  const { toFirst, wall, cpu, memory } = await session(workers);
  say(`${workers} analysts`, toFirst.toFixed(0), wall.toFixed(0), cpu.toFixed(2), megabytes(memory));
}

// ------------------------------------------------------------------------------------------------------- the command line's
const bench = join(TARGET, "release/bench");
for (const stage of ["component", "native"]) {
  const told = execFileSync(bench, ["--stage", stage, root], { encoding: "utf8" });
  say(`${stage}:`, told.replaceAll("|", " ").trim());
}
say("component, MB on disk", megabytes(statSync(join(TARGET, "component/seekwell.wasm")).size));
