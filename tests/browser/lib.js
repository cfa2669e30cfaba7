// What the tests share: where things are, fixtures, the command line to hold the package against.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const TOP = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const TARGET = process.env.CARGO_TARGET_DIR ?? join(TOP, "target");
export const PACKAGE = join(TARGET, "browser/seekwell");
export const BINARY = process.env.SEEKWELL_BINARY ?? join(TARGET, "release/seekwell");

/** The package as Node takes it. */
export const seekwell = await import(join(PACKAGE, "node.js"));

/** A folder that is gone when the test is over. */
export function folder(test) {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "seekwell-browser-")));
  test.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Writes files below a folder. */
export function write(root, files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** Copies a folder of this repository. */
export function copy(from, to) {
  cpSync(join(TOP, from), to, { recursive: true });
  return to;
}

/** Runs the command line, without any store; its standard output. */
export function cli(...words) {
  const cache = mkdtempSync(join(tmpdir(), "seekwell-cache-"));
  const env = { ...process.env, SEEKWELL_CACHE: process.env.SEEKWELL_TEST_CACHE ?? cache };
  try {
    return execFileSync(BINARY, words, { encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
  } catch (error) {
    // 1 means that nothing was found.
    if (error.status === 1) return error.stdout;
    throw new Error(`${words.join(" ")}: ${error.stderr}`);
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

/** The fixtures of the suite: small trees with questions. */
export function fixtures() {
  const at = join(TOP, "tests/fixtures");
  return readdirSync(at)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => ({ name: name.slice(0, -3), ...fixture(readFileSync(join(at, name), "utf8")) }));
}

function fixture(text) {
  const files = {};
  const questions = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (line.startsWith("## file ")) {
      while (!lines[at].startsWith("```")) at += 1;
      const mark = /^`+/.exec(lines[at])[0];
      const start = at + 1;
      at = lines.indexOf(mark, start);
      files[line.slice(8).trim()] = lines.slice(start, at).map((text) => `${text}\n`).join("");
    } else if (line.startsWith("## ask ")) {
      questions.push({ command: "search", words: words(line.slice(7)), expected: [] });
    } else if (line.startsWith("## run ")) {
      const [command, ...rest] = words(line.slice(7));
      questions.push({ command, words: rest, expected: [] });
    } else if (line.startsWith("- ") && questions.length) {
      questions.at(-1).expected.push(line.slice(2).trim());
    }
  }
  return { files, questions };
}

/** Splits at blanks, outside of double quotes. */
function words(text) {
  return [...text.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ""));
}

/** The question of a fixture's words, as the package takes it. */
export function query(words) {
  const question = { text: "", languages: [], globs: [], kinds: [] };
  const options = {
    "--mode": (value) => (question.mode = value),
    "--kind": (value) => question.kinds.push(value),
    "-t": (value) => question.languages.push(value),
    "-g": (value) => question.globs.push(value),
    "--path": (value) => (question.path = value),
    "--content": (value) => (question.content = value),
    "-n": (value) => (question.limit = Number(value)),
    "--limit": (value) => (question.limit = Number(value)),
  };
  for (let at = 0; at < words.length; at += 1) {
    const option = options[words[at]];
    if (option) option(words[++at]);
    else if (words[at].startsWith("--")) throw new Error(`a fixture has an option that is not known here: ${words[at]}`);
    else question.text = words[at];
  }
  return question;
}

/** The question about structure of a fixture's words. */
export function structure(command, words) {
  const name = words[0];
  const depth = words.indexOf("--depth");
  if (command === "path") return { command, from: words[0], to: words[1] };
  if (command === "outline") return { command, path: name };
  return depth < 0 ? { command, name } : { command, name, depth: Number(words[depth + 1]) };
}

/** The same bytes; if not, where they part. */
export function same(actual, expected, what = "") {
  if (actual === expected) return;
  let at = 0;
  while (actual[at] === expected[at]) at += 1;
  const around = (text) => text.slice(Math.max(0, at - 60), at + 120);
  assert.fail(`${what}: parts at byte ${at}\n  package: …${around(actual)}\n  binary:  …${around(expected)}`);
}
