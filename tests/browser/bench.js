// What the package and the page cost: `node bench.js FOLDER`, which `./x bench` calls. CPU time, which is the fairer figure on a
// machine that does other things too, of the same stages that are measured of the component; and sizes, memory, time to the first
// results, in Node and in Chromium.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { Visit } from "./bench-chromium.js";
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
const stages = {};
for (const stage of ["component", "native"]) {
  const told = execFileSync(bench, ["--stage", stage, root], { encoding: "utf8" }).replaceAll("|", " ").trim();
  say(`${stage}:`, told);
  stages[stage] = told;
}
const question = "retry with exponential backoff";
const times = execFileSync("sh", ["-c", '"$0" "$@" >/dev/null 2>&1; times', BINARY, "search", "--no-store", question, root], { encoding: "utf8" });
const ofChildren = [...times.trim().split("\n").at(-1).matchAll(/(\d+)m([\d.]+)s/g)];
const command = ofChildren.reduce((sum, [, minutes, rest]) => sum + 60 * Number(minutes) + Number(rest), 0);
say("command line, no store: CPU s", command.toFixed(2), "files/s", (files.length / command).toFixed(0));
say("component, MB on disk", megabytes(statSync(join(TARGET, "component/seekwell.wasm")).size));

// --------------------------------------------------------------------------------------------------------- the page, Chromium
const visit = await Visit.begin(root);
try {
  const load = await visit.load();
  const { before, after } = load;
  const per = (seconds) => `${(files.length / seconds).toFixed(0)} files/s, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s`;
  say(`Chromium ${visit.version}, the page, by the clock, ms`, "until a folder can be given", "from there to the first hits", "to the last file");
  say("first visit", load.loaded.toFixed(0), load.first.toFixed(0), load.all.toFixed(0));
  say("processor time, s", "analyst", "keeper", "the page's thread", "V8's compiler and the rest", "all");
  const { analyst, keeper, main, rest } = load.cpu;
  const all = analyst + keeper + main + rest;
  say("first visit", ...[analyst, keeper, main, rest, all].map((figure) => figure.toFixed(2)));
  say("one analyst", per(analyst), "the whole page", per(all), "the command line", per(command));
  say("the page to the command line, CPU", (all / command).toFixed(2), "without V8's compiler", ((analyst + keeper + main) / command).toFixed(2));
  say("memory, MB", "before the folder", "all files in", "of it for the folder", "a thousand files");
  const own = after - before;
  say("the page's process (PSS)", megabytes(before), megabytes(after), megabytes(own), megabytes((own / files.length) * 1000));
  for (const kind of ["folder input", "handle"]) {
    const { sizes, first, second } = await visit.twice(kind);
    const row = (times) => [times.answer.toFixed(0), times.ready.toFixed(0), times.cpu.toFixed(2), `${times.analysed} parsed, ${times.reused} known`];
    say(`${kind}: ms`, "to the first answer", "to the last file", "CPU s", "files");
    say("first visit", ...row(first));
    say("second visit", ...row(second));
    say("IndexedDB, MB", ...Object.entries(sizes).map(([name, size]) => `${name} ${megabytes(size)}`), "times the source", (Object.values(sizes).reduce((a, b) => a + b, 0) / bytes).toFixed(2));
  }
} finally {
  await visit.end();
}
