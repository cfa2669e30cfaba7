// In a browser: workers, IndexedDB, tabs, storage that is full.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";

import { browse, serve } from "./chromium.js";
import { cli, fixtures, folder, query, same, write } from "./lib.js";

/** Puts files into the origin's private file system: a folder with a handle, as a picked one has. */
async function put(page, name, files) {
  await page.evaluate(async ([name, files]) => {
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
    for (const [path, content] of Object.entries(files)) {
      const names = path.split("/");
      let at = root;
      for (const step of names.slice(0, -1)) at = await at.getDirectoryHandle(step, { create: true });
      const file = await (await at.getFileHandle(names.at(-1), { create: true })).createWritable();
      await file.write(content);
      await file.close();
    }
  }, [name, files]);
}

/** Opens a folder of the private file system in a session of the page, and waits for all of it. */
function open(page, name, options = {}) {
  return page.evaluate(async ([name, options]) => {
    const handle = await (await navigator.storage.getDirectory()).getDirectoryHandle(name);
    window.session = window.seekwell.openSession(window.seekwell.folderOfHandle(handle), { workers: 2, ...options });
    return window.session.ready;
  }, [name, options]);
}

const json = (page, query) => page.evaluate((query) => window.session.searchJson(query), query);
const close = (page) => page.evaluate(() => window.session.close());

const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [
  `src/part${n % 5}/file${n}.py`, `def handler_${n}(request):\n    """Handles request ${n}."""\n    return compute(${n})\n`,
]));

test("the command line's bytes, without special headers, from a sub-path, without any other request", async (t) => {
  const { url, asked } = await serve(t);
  const page = await (await browse(t, url)).tab();
  assert.equal(await page.evaluate(() => typeof SharedArrayBuffer), "undefined");
  for (const { name, files, questions } of fixtures()) {
    const root = write(folder(t), files);
    await put(page, name, files);
    const coverage = await open(page, name, { root, persist: false });
    assert.ok(coverage.whole, name);
    for (const { command, words } of questions.filter(({ command }) => command === "search")) {
      same(await json(page, query(words)), cli(command, "--json", "--no-store", ...words, root), words.join(" "));
    }
    await close(page);
  }
  assert.deepEqual(asked.filter((path) => !path.startsWith("/sub/")), []);
});

test("a second visit finds the index, and takes in what has changed", async (t) => {
  const { url } = await serve(t);
  const browser = await browse(t, url);
  let page = await browser.tab();
  await put(page, "tree", many);
  const first = await open(page, "tree", { root: "/r" });
  assert.ok(first.analysed === 60 && first.reused === 0 && !first.restored, JSON.stringify(first));
  const told = await json(page, { text: "handler_7" });
  await page.close();

  page = await browser.tab();
  const known = await page.evaluate(() => window.seekwell.knownFolders());
  assert.deepEqual(known.map(({ name, files }) => [name, files]), [["tree", 60]]);
  // OPFS ticks in milliseconds, and the files were written just now: they are hashed again, but not analysed.
  const second = await open(page, "tree", { root: "/r" });
  assert.ok(second.analysed === 0 && second.restored && second.generation.id === first.generation.id, JSON.stringify(second));
  same((await json(page, { text: "handler_7" })).replace('"source":"store"', '"source":"memory"'), told);
  assert.ok((await page.evaluate(() => window.session.ask({ command: "def", name: "handler_3" }))).rows.length === 1);
  await page.close();

  page = await browser.tab();
  await put(page, "tree", { "src/part0/file0.py": "def changed(): pass\n", "new.py": "def brand_new(): pass\n" });
  const third = await open(page, "tree", { root: "/r" });
  assert.ok(third.analysed === 2 && third.generation.files === 61, JSON.stringify({ ...third, generation: third.generation.files }));
  const root = write(folder(t), { ...many, "src/part0/file0.py": "def changed(): pass\n", "new.py": "def brand_new(): pass\n" });
  for (const text of ["brand_new", "changed", "handler_0", "handles a request"]) {
    const expected = cli("search", "--json", "--no-store", text, root).replace(root, "/r");
    same((await json(page, { text })).replace('"source":"store"', '"source":"memory"'), expected, text);
  }
  await page.close();

  page = await browser.tab();
  await page.evaluate(() => window.seekwell.forgetEverything());
  assert.deepEqual(await page.evaluate(() => window.seekwell.knownFolders()), []);
  assert.equal((await open(page, "tree")).analysed, 61);
});

test("two tabs at one folder, and a third that forgets everything", async (t) => {
  const { url } = await serve(t);
  const browser = await browse(t, url);
  const [one, two, three] = [await browser.tab(), await browser.tab(), await browser.tab()];
  await put(one, "tree", many);
  const [first, second] = await Promise.all([open(one, "tree"), open(two, "tree")]);
  assert.equal(first.generation.id, second.generation.id);
  const told = async (page) => (await json(page, { text: "handler_9" })).replace('"source":"store"', '"source":"memory"');
  same(await told(one), await told(two), "one tab and the other");
  await three.evaluate(() => window.seekwell.forgetEverything());
  same(await told(one), await told(two), "after all was forgotten");
  assert.deepEqual(await three.evaluate(() => window.seekwell.knownFolders()), []);
});

test("full storage is told, and the answers are right without it", async (t) => {
  const { url } = await serve(t);
  const browser = await browse(t, url);
  const page = await browser.tab();
  await put(page, "tree", many);
  const devtools = await browser.context.newCDPSession(page);
  const { usage } = await page.evaluate(() => window.seekwell.storageUsed());
  await devtools.send("Storage.overrideQuotaForOrigin", { origin: new URL(url).origin, quotaSize: usage + 2_000 });
  const coverage = await open(page, "tree", { root: "/r" });
  assert.ok(coverage.troubles.some(({ code }) => code === "storage-full"), JSON.stringify(coverage.troubles));
  const root = write(folder(t), many);
  const expected = cli("search", "--json", "--no-store", "handler_9", root).replace(root, "/r");
  same(await json(page, { text: "handler_9" }), expected);
  assert.deepEqual(await page.evaluate(() => window.session.refresh()), { changed: 0, added: 0, gone: 0 });
});

test("a database of a later version, and damaged records, are told and done without", async (t) => {
  const { url } = await serve(t);
  const browser = await browse(t, url);
  const page = await browser.tab();
  await put(page, "tree", many);
  const first = await open(page, "tree");
  await close(page);
  await page.evaluate(async () => {
    const opened = (request) => new Promise((done, failed) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
    const db = await opened(indexedDB.open("seekwell"));
    const change = db.transaction(["skeletons", "snapshots"], "readwrite");
    for (const name of ["skeletons", "snapshots"]) {
      const store = change.objectStore(name);
      for (const key of (await opened(store.getAllKeys())).slice(0, 3)) {
        const bytes = await opened(store.get(key));
        bytes[bytes.length - 1] ^= 1;
        store.put(bytes, key);
      }
    }
    await new Promise((done) => (change.oncomplete = done));
    db.close();
  });
  const second = await open(page, "tree");
  assert.ok(second.troubles.some(({ code }) => code === "damaged"), JSON.stringify(second.troubles));
  assert.equal(second.generation.id, first.generation.id);
  assert.ok((await json(page, { text: "handler_9" })).includes('"symbol":"handler_9"'));
  await close(page);

  await page.evaluate(() => new Promise((done, failed) => {
    const request = indexedDB.open("seekwell", 99);
    request.onsuccess = () => done(request.result.close());
    request.onerror = request.onblocked = () => failed(request.error);
  }));
  const third = await open(page, "tree");
  assert.ok(third.troubles.some(({ code }) => code === "storage-off"), JSON.stringify(third.troubles));
  assert.equal(third.generation.id, first.generation.id);
});

test("git's rules hold for a handle as they do on disk", async (t) => {
  const { url } = await serve(t);
  const page = await (await browse(t, url)).tab();
  const files = { ".gitignore": "*.log\n", "a.log": "no\n", "b.log": "tracked\n", "c.py": "def c(): pass\n", ".github/x.yml": "on: push\n" };
  const root = write(folder(t), files);
  const git = (...words) => execFileSync("git", ["-C", root, ...words]);
  git("init", "-q");
  git("add", "-f", "b.log");
  const { readFileSync, readdirSync } = await import("node:fs");
  const inGit = Object.fromEntries(["HEAD", "config", "index", "info/exclude"].map((name) => [`.git/${name}`, [...readFileSync(`${root}/.git/${name}`)]]));
  assert.ok(readdirSync(`${root}/.git`).includes("objects"));
  await put(page, "git", files);
  await page.evaluate(async (files) => {
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle("git");
    const git = await root.getDirectoryHandle(".git", { create: true });
    for (const name of ["objects", "refs"]) await git.getDirectoryHandle(name, { create: true });
    for (const [path, bytes] of Object.entries(files)) {
      const names = path.split("/").slice(1);
      const at = names.length > 1 ? await git.getDirectoryHandle(names[0], { create: true }) : git;
      const file = await (await at.getFileHandle(names.at(-1), { create: true })).createWritable();
      await file.write(new Uint8Array(bytes));
      await file.close();
    }
  }, inGit);
  const coverage = await open(page, "git", { persist: false });
  assert.deepEqual(coverage.skipped, JSON.parse(cli("status", "--json", "--no-store", root)).skipped);
  assert.deepEqual(await page.evaluate(() => window.session.files()), [".github/x.yml", ".gitignore", "b.log", "c.py"]);
});

/** In a worker, before the engine is there: has it fall over files by their names, as an engine with a fault would. */
function sabotage() {
  const { Instance } = WebAssembly;
  let questions = 0;
  WebAssembly.Instance = function (module, imports) {
    const { exports } = new Instance(module, imports);
    const analyseToKeep = (...words) => {
      const path = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, words[0], words[1]));
      const asText = words[5] !== 0;
      if (path === "worse.py" || (path === "trap.py" && !asText)) throw new WebAssembly.RuntimeError("unreachable");
      if (path === "kill.py") {
        reportError(new Error("killed by a file"));
        for (;;);
      }
      return exports.analyseToKeep(...words);
    };
    const workspace_find = (...words) => {
      if (++questions === 1) throw new WebAssembly.RuntimeError("unreachable");
      return exports.workspace_find(...words);
    };
    return { exports: { ...exports, analyseToKeep, workspace_find } };
  };
}

test("a file that brings the engine or its worker down costs itself, and is told", async (t) => {
  const { url } = await serve(t);
  const page = await (await browse(t, url)).tab();
  await put(page, "bad", { ...many, "trap.py": "def trapped(): pass\n", "worse.py": "def worse(): pass\n", "kill.py": "def kill(): pass\n" });
  await page.evaluate((sabotage) => {
    const blob = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const first = blob(`(${sabotage})()`);
    const script = blob(`import "${first}"; import "${new URL("./worker.js", location.href)}";`);
    window.seekwell.configure({ createWorker: () => new Worker(script, { type: "module" }) });
  }, String(sabotage));
  const coverage = await open(page, "bad");
  assert.ok(coverage.whole);
  assert.equal(coverage.generation.files, 61);
  assert.deepEqual(coverage.generation.degraded, [{ path: "trap.py", reason: "trap" }]);
  assert.deepEqual(coverage.skipped, [
    { path: "kill.py", reason: "limit", detail: "Uncaught Error: killed by a file" },
    { path: "worse.py", reason: "limit", detail: "trap" },
  ]);
  assert.deepEqual(coverage.troubles, [{ code: "crashed", message: "a worker fell over kill.py and was replaced" }]);
  // The first question brings down the keeper's engine, and nothing else: the tree is put together again.
  const failed = await page.evaluate(() => window.session.search({ text: "trapped" }).then(() => null, ({ code, message }) => ({ code, message })));
  assert.deepEqual(failed, { code: "engine", message: "the engine failed: unreachable; please report it" });
  // Its words are found all the same.
  const { hits } = await page.evaluate(() => window.session.search({ text: "trapped" }));
  assert.equal(hits[0].path, "trap.py");
});

test("a tab that holds a database of an older layout is told, and costs no answer", async (t) => {
  const { url } = await serve(t);
  const browser = await browse(t, url);
  const [old, page] = [await browser.tab(), await browser.tab()];
  await old.evaluate(() => new Promise((done, failed) => {
    const request = indexedDB.open("seekwell", 1);
    request.onsuccess = () => done(void (window.held = request.result));
    request.onerror = () => failed(request.error);
  }));
  await put(page, "tree", many);
  const coverage = await open(page, "tree");
  assert.deepEqual(coverage.troubles.map(({ code }) => code), ["storage-blocked"]);
  assert.match(coverage.troubles[0].message, /another tab holds an older version/);
  assert.equal(coverage.generation.files, 60);
  assert.ok((await json(page, { text: "handler_9" })).includes('"symbol":"handler_9"'));
  await close(page);
  await old.close();
  // Out of the way, it is kept again.
  assert.deepEqual((await open(page, "tree")).troubles, []);
});
