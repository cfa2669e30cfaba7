// The component as a plugin: hosts in three languages, each a page of code, give the fixtures' answers.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { transpile, writeFiles } from "@bytecodealliance/jco-transpile";

import { TARGET, TOP, cli, fixtures, folder, write } from "./lib.js";

const COMPONENT = join(TARGET, "component/seekwell.wasm");
const EXAMPLES = join(TOP, "examples/plugin");
const WASMTIME_PY = "50.0.1";

/** For hosts that compile the whole component at each start. */
const FEW = { most: 1, trees: 3 };

const run = (program, words) => execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 26 });

/** A fixture's questions that have no option: what the examples can ask. */
function plain() {
  const of = ({ name, files, questions }) => {
    const texts = questions.filter(({ command, words }) => command === "search" && words.length === 1).map(({ words }) => words[0]);
    return { name, files, texts };
  };
  return fixtures().map(of).filter(({ texts }) => texts.length);
}

/** Has a host answer `most` questions of each of some fixtures; lines as the fixtures write hits. */
function holds(t, { most, trees }, ask) {
  for (const { name, files, texts } of plain().slice(0, trees)) {
    const root = write(folder(t), files);
    for (const text of texts.slice(0, most)) {
      const { hits, route } = JSON.parse(cli("search", "--json", "--no-store", text, root));
      // Text as it stands is for a host that scans.
      if (route.kind === "literal") continue;
      const expected = hits.map(({ path, start_line, end_line, kind, symbol }) => `${path}:${start_line}-${end_line} ${kind} ${symbol}\n`);
      assert.equal(ask(root, text), expected.join(""), `${name}: ${text}`);
    }
  }
}

test("a host in Rust", (t) => {
  holds(t, FEW, (root, text) => run(join(TARGET, "release/examples/plugin"), [COMPONENT, root, text]));
});

test("a host in JavaScript, by jco", async (t) => {
  const engine = join(TARGET, "browser/jco");
  const mark = join(engine, "made-of");
  const { mtimeMs, size } = statSync(COMPONENT);
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== `${mtimeMs} ${size}`) {
    mkdirSync(engine, { recursive: true });
    // What `jco transpile` does.
    await writeFiles((await transpile(COMPONENT, { name: "seekwell", outDir: engine })).files, false);
    writeFileSync(mark, `${mtimeMs} ${size}`);
    writeFileSync(join(engine, "package.json"), '{ "type": "module" }');
  }
  holds(t, { most: 3, trees: Infinity }, (root, text) => run("node", [join(EXAMPLES, "javascript/host.mjs"), engine, root, text]));
});

test("a host in Python, by wasmtime-py", (t) => {
  const python = join(TARGET, "browser/python");
  if (!existsSync(join(python, "bin/python"))) run("python3", ["-m", "venv", python]);
  run(join(python, "bin/python"), ["-m", "pip", "install", "-q", `wasmtime==${WASMTIME_PY}`]);
  holds(t, FEW, (root, text) => run(join(python, "bin/python"), [join(EXAMPLES, "python/host.py"), COMPONENT, root, text]));
});
