// The page and the package in Debian's Chromium, measured from outside: what the system says of the page's process and its threads.

import { readFileSync, readdirSync } from "node:fs";

import { arrive, ask, give, host, launch, whole } from "../../web-demo/tests/support.js";
import { serve } from "./chromium.js";

const QUESTION = "retry with exponential backoff";
/** The system counts a thread's time in hundredths of a second. */
const TICKS = 100;

export class Visit {
  #closing = [];

  /** @param root the folder that is handed over, and handed over again */
  static async begin(root) {
    const visit = new Visit();
    visit.root = root;
    visit.host = await host();
    visit.bare = await serve({ after: (closes) => visit.#closing.push(closes) });
    visit.browser = await launch();
    visit.version = visit.browser.version();
    return visit;
  }

  async end() {
    await this.browser.close();
    this.host.close();
    for (const closes of this.#closing) closes();
  }

  /** The page as a person opens it for the first time. */
  async load() {
    const context = await this.browser.newContext();
    const started = performance.now();
    const page = await arrive(context, this.host.url);
    const loaded = performance.now() - started;
    const pid = await this.#process(page);
    const before = memory(pid);
    const idle = threads(pid);
    const given = performance.now();
    await give(page, this.root);
    await page.locator("#question").waitFor();
    await page.locator("#question").fill(QUESTION);
    await page.locator(".hit").first().waitFor({ timeout: 120_000 });
    const first = performance.now() - given;
    await whole(page);
    const all = performance.now() - given;
    await ask(page, QUESTION);
    const cpu = roles(idle, threads(pid), pid);
    const after = memory(pid);
    await context.close();
    return { loaded, first, all, cpu, before, after };
  }

  /** A session of the package alone with a folder, and in a new page another one: `kind` says how the folder is given. */
  async twice(kind) {
    const context = await this.browser.newContext();
    const run = async () => {
      const page = await context.newPage();
      await page.goto(this.bare.url);
      await page.waitForFunction("window.isReady");
      await page.evaluate(() => document.body.append(Object.assign(document.createElement("input"), { type: "file", webkitdirectory: true })));
      await page.locator("input").setInputFiles(this.root);
      if (kind === "handle") await page.evaluate(copyToPrivateFiles);
      // The engine is here, as when a person picks a folder.
      await page.evaluate(() => window.seekwell.knownFolders());
      const pid = await this.#process(page);
      const before = seconds(pid);
      const told = await page.evaluate(openAndAsk, [kind, QUESTION]);
      const cpu = seconds(pid) - before;
      const sizes = await page.evaluate(sizesOfStores);
      await page.close();
      return { ...told, cpu, sizes };
    };
    const first = await run();
    const second = await run();
    await context.close();
    return { first, second, sizes: second.sizes };
  }

  /** The process of a page. */
  async #process(page) {
    // Of all the pages' processes the one that gets on while this page counts.
    const tools = await this.browser.newBrowserCDPSession();
    const list = async () => (await tools.send("SystemInfo.getProcessInfo")).processInfo.filter(({ type }) => type === "renderer");
    const before = new Map((await list()).map(({ id }) => [id, seconds(id)]));
    await page.evaluate(() => {
      const end = performance.now() + 300;
      while (performance.now() < end);
    });
    const gained = [...before].map(([id, was]) => [id, seconds(id) - was]).sort((a, b) => b[1] - a[1]);
    await tools.detach();
    return gained[0][0];
  }
}

/** Bytes of a process that are its own, and its part of what it shares. */
function memory(pid) {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))[1]) * 1024;
}

/** Seconds of processor time of a thread or process, by what the system says of it. */
function ofStat(text) {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

const seconds = (pid) => ofStat(readFileSync(`/proc/${pid}/stat`, "utf8"));

/** Seconds of each thread, with its name. */
function threads(pid) {
  return new Map(readdirSync(`/proc/${pid}/task`).map((id) => {
    const text = readFileSync(`/proc/${pid}/task/${id}/stat`, "utf8");
    return [id, { name: text.slice(text.indexOf("(") + 1, text.lastIndexOf(")")), seconds: ofStat(text) }];
  }));
}

/** Seconds between two looks by what threads are for: of the workers, the one with most is the analyst, the next the keeper. */
function roles(before, after, pid) {
  const spent = [...after].map(([id, { name, seconds }]) => ({ id, name, seconds: seconds - (before.get(id)?.seconds ?? 0) }));
  const workers = spent.filter(({ name }) => name.startsWith("DedicatedWorker")).sort((a, b) => b.seconds - a.seconds);
  const main = spent.find(({ id }) => Number(id) === Number(pid)).seconds;
  const [analyst, keeper] = [workers[0].seconds, workers[1].seconds];
  const all = spent.reduce((sum, { seconds }) => sum + seconds, 0);
  return { analyst, keeper, main, rest: all - analyst - keeper - main };
}

/** In the page: copies the files of the input into the origin's private file system, where a folder has a handle. */
async function copyToPrivateFiles() {
  const top = await navigator.storage.getDirectory();
  if (await top.getDirectoryHandle("tree").catch(() => null)) return;
  const root = await top.getDirectoryHandle("tree", { create: true });
  for (const file of document.querySelector("input").files) {
    const names = file.webkitRelativePath.split("/").slice(1);
    let at = root;
    for (const name of names.slice(0, -1)) at = await at.getDirectoryHandle(name, { create: true });
    const writer = await (await at.getFileHandle(names.at(-1), { create: true })).createWritable();
    await writer.write(file);
    await writer.close();
  }
  // What was changed within two seconds is not trusted.
  await new Promise((done) => setTimeout(done, 2500));
}

/** In the page: opens the folder with one analyst and asks until there is an answer. */
async function openAndAsk([kind, text]) {
  const { folderOfFiles, folderOfHandle, openSession } = window.seekwell;
  const handle = async () => folderOfHandle(await (await navigator.storage.getDirectory()).getDirectoryHandle("tree"));
  const folder = kind === "handle" ? await handle() : folderOfFiles(document.querySelector("input").files);
  const started = performance.now();
  const session = openSession(folder, { workers: 1 });
  await new Promise((heard) => session.addEventListener("change", heard, { once: true }));
  await session.search({ text });
  const answer = performance.now() - started;
  const { analysed, reused } = await session.ready;
  const ready = performance.now() - started;
  await session.close();
  return { answer, ready, analysed, reused };
}

/** In the page: bytes of all values of each store. */
async function sizesOfStores() {
  const done = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const db = await done(indexedDB.open("seekwell"));
  const sizes = {};
  for (const name of db.objectStoreNames) {
    const values = await done(db.transaction(name).objectStore(name).getAll());
    sizes[name] = values.reduce((sum, value) => sum + (value.byteLength ?? JSON.stringify(value).length), 0);
  }
  db.close();
  return sizes;
}
