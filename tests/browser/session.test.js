// Sessions in Node: which files are read, what is answered while they are, what goes wrong.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { cli, copy, folder, same, seekwell, write } from "./lib.js";

const open = (t, given, options = {}) => {
  const session = seekwell.openSession(given, { workers: 2, ...options });
  t.after(() => session.close());
  return session;
};

/** A tree with everything that is left out, and why. */
function odd(root, git) {
  write(root, {
    ".gitignore": "*.log\n/build/\n!keep.log\n",
    ".hidden/a.py": "def hidden(): pass\n",
    "src/main.rs": "fn main() { retry() }\n/// Tries again.\nfn retry() {}\n",
    "src/.gitignore": "generated.rs\n",
    "src/generated.rs": "fn generated() {}\n",
    "debug.log": "a line\n",
    "keep.log": "kept\n",
    "build/out.js": "x()\n",
    "picture.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
    "old.txt": Buffer.from("gr\xfc\xdfe\n", "latin1"),
    "wide.txt": Buffer.from("\ufeffwide words\n", "utf16le"),
    "z\u{ffff}.txt": "before\n",
    "z\u{10000}.txt": "behind, by bytes\n",
    "large.txt": "",
    "empty.py": "",
  });
  truncateSync(join(root, "large.txt"), 9 << 20);
  symlinkSync("src/main.rs", join(root, "link.rs"));
  symlinkSync("src", join(root, "folder-link"));
  symlinkSync("/", join(root, "out"));
  symlinkSync("nowhere", join(root, "broken"));
  if (git) {
    const run = (...words) => execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@b", ...words]);
    run("init", "-q");
    writeFileSync(join(root, ".git/info/exclude"), "empty.py\n");
    run("add", "-f", "debug.log", "src");
    run("commit", "-qm", "x");
  }
  return root;
}

for (const git of [false, true]) {
  test(`the same files are left out for the same reasons, ${git ? "in a work tree" : "outside of git"}`, async (t) => {
    const root = odd(folder(t), git);
    const session = open(t, seekwell.folderOfPath(root), { root });
    const coverage = await session.ready;
    assert.equal((await session.files()).map((path) => `${path}\n`).join(""), filesOf(root, coverage.skipped));
    const status = JSON.parse(cli("status", "--json", "--no-store", root));
    // Of what a link leads to and of what is missing, the system's words differ.
    const told = ({ path, reason, detail }) => `${path} ${reason} ${/nowhere/.test(detail) ? "" : detail}`;
    assert.deepEqual(coverage.skipped.map(told), status.skipped.map(told));
    assert.deepEqual(coverage.generation.lossy, status.lossy);
    assert.equal(coverage.generation.id, status.index.generation);
    assert.equal(coverage.whole, true);
    for (const text of ["retry", "wide words", "kept"]) {
      same(await session.searchJson({ text }), cli("search", "--json", "--no-store", text, root), text);
    }
    same(
      await session.searchJson({ text: "[a-z]+ words|Tries", mode: "regex" }),
      cli("search", "--json", "--no-store", "[a-z]+ words|Tries", "--mode", "regex", root),
    );
  });
}

/** What `--files` lists, without what turned out not to be text when it was read. */
function filesOf(root, skipped) {
  const binary = new Set(skipped.filter(({ reason }) => reason === "binary").map(({ path }) => path));
  return cli("--files", root).split("\n").filter((path) => path && !binary.has(path.slice(root.length + 1)))
    .map((path) => `${path.slice(root.length + 1)}\n`).join("");
}

test("ignored, hidden and excluded files on request", async (t) => {
  const root = odd(folder(t), false);
  const all = open(t, seekwell.folderOfPath(root), { root, noIgnore: true, hidden: true, maxFilesize: 20 << 20 });
  const some = open(t, seekwell.folderOfPath(root), { root, exclude: ["src/"], excludeExtensions: ["txt"] });
  const asked = { text: "retry main" };
  await Promise.all([all.ready, some.ready]);
  const words = ["search", "--json", "--no-store", asked.text, root];
  same(await all.searchJson(asked), cli(...words, "--no-ignore", "--hidden", "--max-filesize", "20M"));
  same(await some.searchJson(asked), cli(...words, "--exclude", "src/", "--exclude-ext", "txt"));
});

test("a tree's settings hold, and what is wrong with them is told", async (t) => {
  const root = odd(folder(t), false);
  write(root, { ".seekwell.toml": '[ignore]\npatterns = ["src/"]\n[search]\nlimit = 1\nmax-filesize = "20"\n' });
  const session = open(t, seekwell.folderOfPath(root), { root });
  await session.ready;
  for (const text of ["kept before", "retry"]) {
    same(await session.searchJson({ text }), cli("search", "--json", "--no-store", text, root));
  }
  write(root, { ".seekwell.toml": "[ignore]\npaterns = []\n" });
  const refused = await open(t, seekwell.folderOfPath(root)).ready.then(() => null, (error) => error);
  assert.equal(refused?.code, "config");
  assert.match(refused.message, /^\.seekwell\.toml:2: unknown key: ignore\.paterns; did you mean patterns\?$/);
});

test("a real tree: this repository's engine", async (t) => {
  const root = copy("engine/core", folder(t));
  const session = open(t, seekwell.folderOfPath(root), { root });
  const coverage = await session.ready;
  assert.ok(coverage.generation.files > 50 && coverage.analysed === coverage.generation.files);
  const questions = [
    { text: "where is a question told apart from an identifier" },
    { text: "Finder::find", explain: true, limit: 3 },
    { text: "fn find(" },
    { text: "pub\\s+fn", mode: "regex", limit: 20 },
    { text: "decode", mode: "keyword", languages: ["rs"], globs: ["!*find*"], path: "src" },
    { text: "bytes to text", mode: "semantic" },
  ];
  for (const query of questions) {
    same(await session.searchJson(query), cli(...words(query), root), query.text);
  }
  for (const command of ["def", "refs", "callers", "callees"]) {
    same(await session.askJson({ command, name: "find" }), cli(command, "--json", "--no-store", "find", root), command);
  }
});

/** A question as words of the command line. */
function words({ text, mode, limit, explain, languages = [], globs = [], path }) {
  return [
    "search", "--json", "--no-store", text,
    ...(mode ? ["--mode", mode] : []), ...(limit ? ["-n", String(limit)] : []), ...(explain ? ["--explain"] : []),
    ...languages.flatMap((language) => ["-t", language]), ...globs.flatMap((glob) => ["-g", glob]),
    ...(path ? ["--path", path] : []),
  ];
}

/** Many files, so that there is a time while they are read. */
function many(count) {
  const body = (n) => Array.from({ length: 60 }, (_, line) => `    value_${n}_${line} = compute(${line})\n`).join("");
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [
    `part${n % 7}/file${String(n).padStart(4, "0")}.py`, `def handler_${n}(request):\n    """Handles request ${n}."""\n${body(n)}`,
  ]));
}

test("answers from the first files on, with progress to the end", async (t) => {
  const session = open(t, seekwell.folderOfTexts("many", many(400)), { workers: 1 });
  const stages = new Set();
  let [partial, last, changes] = [null, 0, 0];
  session.addEventListener("change", () => (changes += 1));
  session.addEventListener("progress", () => {
    stages.add(session.progress.stage);
    assert.ok(session.progress.done >= last && session.progress.done <= session.progress.total);
    last = session.progress.done;
  });
  await new Promise((heard) => session.addEventListener("change", heard, { once: true }));
  partial = await session.search({ text: "handler" });
  const coverage = await session.ready;
  const whole = await session.search({ text: "handler_399" });
  assert.ok(partial.partial && partial.hits.length > 0 && partial.files < 400, `${partial.files} files`);
  assert.ok(!whole.partial && whole.files === 400 && whole.hits[0].symbol === "handler_399");
  assert.match(whole.hits[0].snippet, /^def handler_399/);
  assert.equal(coverage.generation.files, 400);
  assert.ok(stages.has("analysing") && session.progress.stage === "ready" && session.progress.secondsLeft === 0);
  assert.ok(changes >= 2);
});

test("cancelling leaves what is there", async (t) => {
  const abort = new AbortController();
  const session = open(t, seekwell.folderOfTexts("many", many(600)), { workers: 1, signal: abort.signal });
  await new Promise((heard) => session.addEventListener("change", heard, { once: true }));
  abort.abort();
  const coverage = await session.ready;
  assert.ok(!coverage.whole && coverage.generation.files > 0 && coverage.generation.files < 600);
  const answer = await session.search({ text: "handler" });
  assert.ok(answer.partial && answer.hits.length > 0);
  assert.equal(session.progress.stage, "cancelled");
  // It can be taken up again.
  await session.refresh();
  assert.equal((await session.search({ text: "handler" })).files, 600);
});

test("changes are found by a refresh, and by the hit that shows them", async (t) => {
  const root = write(folder(t), { "a.py": "def alpha(): pass\n", "b.py": "def beta(): pass\n", "c.py": "def gamma(): pass\n" });
  const session = open(t, seekwell.folderOfPath(root), { root });
  await session.ready;
  appendFileSync(join(root, "a.py"), "def added(): pass\n");
  rmSync(join(root, "b.py"));
  write(root, { "d.py": "def delta(): pass\n" });
  assert.deepEqual(await session.refresh(), { changed: 1, added: 1, gone: 1 });
  for (const text of ["added", "beta", "delta"]) {
    same(await session.searchJson({ text }), cli("search", "--json", "--no-store", text, root), text);
  }
  // Nobody has told of this one.
  write(root, { "c.py": "def epsilon(): pass\n" });
  const answer = await session.search({ text: "gamma" });
  assert.ok(!answer.hits.some((hit) => hit.snippet.includes("gamma")), "what is no longer there is not shown");
  same(await session.searchJson({ text: "epsilon" }), cli("search", "--json", "--no-store", "epsilon", root));
});

test("absurd files cost their structure at most", async (t) => {
  const files = {
    "deep.c": `int main() ${"{".repeat(20_000)}`,
    "nested.json": "[".repeat(200_000),
    "noise.rs": "fn f() { ".repeat(3_000),
    "good.rs": "/// Tries again.\nfn retry() {}\n",
  };
  const root = write(folder(t), files);
  const session = open(t, seekwell.folderOfPath(root), { root });
  const coverage = await session.ready;
  assert.equal(coverage.generation.files, 4);
  same(await session.searchJson({ text: "retry" }), cli("search", "--json", "--no-store", "retry", root));
});

test("errors say what to do", async (t) => {
  const session = open(t, seekwell.folderOfTexts("one", { "a.rs": "fn main() {}\n" }));
  await session.ready;
  const refused = async (query, code) => {
    const error = await session.search(query).then(() => null, (error) => error);
    assert.ok(error instanceof seekwell.SeekwellError && error.code === code, `${JSON.stringify(query)}: ${error?.code} ${error}`);
  };
  await refused({ text: "  " }, "empty-query");
  await refused({ text: "(", mode: "regex" }, "pattern");
  await refused({ text: "a", globs: ["{"] }, "glob");
  await refused({ text: "a", languages: ["cobol?"] }, "unknown-language");
  await refused({ text: "a", kinds: ["thing"] }, "unknown-kind");
  await refused({}, "engine");
  await assert.rejects(session.searchJson({ text: "a" }, { budget: 3 }), { code: "budget" });
  await assert.rejects(session.read("b.rs"), { code: "gone" });
  const aborted = AbortSignal.abort();
  await assert.rejects(session.search({ text: "a" }, { signal: aborted }), { code: "cancelled" });
  await assert.rejects(seekwell.openSession(undefined).ready, { code: "not-a-folder" });
  await assert.rejects(open(t, seekwell.folderOfPath("/no/such/folder")).ready, { code: "gone" });
  await session.close();
  await assert.rejects(session.search({ text: "a" }), { code: "closed" });
});

test("a folder with nothing in it, and a bad exclude", async (t) => {
  const session = open(t, seekwell.folderOfTexts("empty", {}));
  assert.equal((await session.ready).generation.files, 0);
  const answer = await session.search({ text: "anything" });
  assert.ok(answer.notFound && !answer.hits.length && !answer.partial);
  await assert.rejects(open(t, seekwell.folderOfTexts("x", {}), { exclude: ["["] }).ready, { code: "glob" });
});

test("what can be asked without a tree", async () => {
  const languages = await seekwell.languages();
  assert.ok(languages.length > 30 && languages.some(({ id, structured }) => id === "rust" && structured));
  assert.ok((await seekwell.kinds()).includes("function"));
  const { engine, fingerprint } = await seekwell.version();
  assert.match(engine, /^\d+\.\d+\.\d+$/);
  assert.match(fingerprint, /^[0-9a-f]{32}$/);
  // Without IndexedDB nothing is kept, and nothing fails.
  assert.deepEqual(await seekwell.knownFolders(), []);
  await seekwell.forgetEverything();
});

test("a later question can take the place of an earlier one", async (t) => {
  const session = open(t, seekwell.folderOfTexts("many", many(100)));
  await session.ready;
  const asked = ["h", "ha", "han", "hand", "handl", "handler"].map((text) => {
    const abort = new AbortController();
    return { abort, answer: session.search({ text }, { signal: abort.signal }) };
  });
  asked.slice(0, -1).forEach(({ abort }) => abort.abort());
  const settled = await Promise.allSettled(asked.map(({ answer }) => answer));
  assert.deepEqual(settled.map(({ status }) => status), [...Array(5).fill("rejected"), "fulfilled"]);
});

test("reading can be stopped before it has begun", async (t) => {
  const session = open(t, seekwell.folderOfTexts("many", many(100)), { workers: 1, signal: AbortSignal.abort() });
  const coverage = await session.ready;
  assert.ok(!coverage.whole && coverage.generation.files === 0, `${coverage.generation.files} files`);
  assert.equal(session.progress.stage, "cancelled");
  await session.refresh();
  assert.equal((await session.search({ text: "handler" })).files, 100);
});
