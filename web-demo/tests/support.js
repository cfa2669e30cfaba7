/** What the tests share: a host for the built page, a browser, folders to search, the command line. */

import { execFileSync } from "node:child_process";
import {
  closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "../dist");
const binary = process.env.SEEKWELL_BINARY ?? join(here, "../../target/release/seekwell");

/** As many plain static hosts: no special headers, no fallback to another file, a folder below the top. */
const BELOW = "/some/where/";
const TYPES = {
  ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".wasm": "application/wasm",
};

/** Serves the built page; the address, and what was asked for. */
export async function host() {
  const asked = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://host").pathname;
    asked.push(path);
    const inside = path.startsWith(BELOW) ? normalize(`/${path.slice(BELOW.length) || "index.html"}`) : null;
    try {
      const file = join(dist, inside);
      const body = readFileSync(file);
      response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}${BELOW}`,
    origin: `http://127.0.0.1:${port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The system's Chromium. */
export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--headless"],
  });

/** A folder of the given files, `{path: text or bytes}`. */
export function folder(files, name = "tree") {
  const root = join(mkdtempSync(join(tmpdir(), "seekwell-page-")), name);
  mkdirSync(root);
  for (const [path, content] of Object.entries(files)) {
    const whole = join(root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
  }
  return root;
}

/** Removes a folder of `folder`. */
export const remove = (root) => rmSync(dirname(root), { recursive: true, force: true });

/** A text file of so many bytes. */
export function large(path, bytes) {
  const line = Buffer.from("a line of a log that nobody reads, again and again and again\n");
  const block = Buffer.alloc(1 << 20, line);
  const file = openSync(path, "w");
  for (let at = 0; at < bytes; at += block.length) writeSync(file, block);
  closeSync(file);
}

/** A small shop, with all that a folder may hold: ignored, hidden, binary, oddly encoded. */
export function shop() {
  const text = readFileSync(join(here, "../../tests/corpora/shop.md"), "utf8");
  const files = {};
  for (const [, path, body] of text.matchAll(/^## file (\S+)\n```\w*\n([\s\S]*?)^```$/gm)) files[path] = body;
  return folder(
    {
      ...files,
      ".gitignore": "*.log\nbuild/\n",
      "build/made.py": "def add_item_made(): pass\n",
      "noise.log": "add_item failed\n",
      ".secret/key.py": "def add_item_secret(): pass\n",
      "picture.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 2, 3]),
      "latin.py": Buffer.from("# caf\xe9: the cart of the caf\xe9\ndef order(): pass\n", "latin1"),
      "deep/nested/.gitignore": "!kept.log\n",
      "deep/nested/kept.log": "a coupon was kept\n",
      "emoji.ts": "// 🛒 puts things into the trolley\nexport function trolley() {}\n",
    },
    "shop",
  );
}

/** A thousand files in three languages that have something to do with each other. */
export function thousand() {
  const files = {};
  const nouns = ["order", "invoice", "parcel", "customer", "ticket", "route", "cart", "stock", "price", "coupon"];
  const verbs = ["load", "store", "merge", "check", "count", "send", "parse", "split", "close", "retry"];
  for (let at = 0; at < 1000; at++) {
    const noun = nouns[at % 10];
    const verb = verbs[Math.floor(at / 10) % 10];
    const name = `${verb}_${noun}_${at}`;
    const many = (line) =>
      Array.from({ length: 12 }, (_, step) => line(`${name}_${step}`, `${verb}s the ${noun}, part ${step}`)).join("\n");
    const languages = {
      py: (called, doc) => `def ${called}(value):\n    """${doc}."""\n    return value + ${at}\n`,
      rs: (called, doc) => `/// ${doc}.\npub fn ${called}(value: u64) -> u64 {\n    value + ${at}\n}\n`,
      ts: (called, doc) => `/** ${doc}. */\nexport function ${called}(value: number) {\n  return value + ${at};\n}\n`,
    };
    const extension = ["py", "rs", "ts"][at % 3];
    files[`${extension}/${verb}/${name}.${extension}`] = many(languages[extension]);
  }
  files["py/backoff.py"] =
    'def again(call, times):\n    """Tries a failed request again, waiting twice as long each time."""\n    return call\n';
  return folder(files, "thousand");
}

/** What the command line prints. */
export const cli = (root, ...words) =>
  execFileSync(binary, [...words], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });

/** Opens the page, and waits until a folder can be given. */
export async function arrive(context, url) {
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
  page.faults = faults;
  await page.goto(url);
  await page.locator("button.first:enabled").waitFor({ timeout: 60_000 });
  return page;
}

/** Gives the page a folder by its directory input. */
export const give = (page, root) => page.locator("input[type=file]").setInputFiles(root);

/** Waits until the whole folder is read. */
export const whole = (page) => page.locator(".status .link", { hasText: /files?/ }).waitFor({ timeout: 300_000 });

/** Asks, and waits for the answer to that very question. */
export async function ask(page, text) {
  await page.locator("#question").fill(text);
  await page.locator(".results:not(.stale)").waitFor({ timeout: 60_000 });
  await page.locator(`.results[data-asked=${JSON.stringify(text)}]`).waitFor({ timeout: 60_000 });
}

/** The paths of the hits, in order. */
export const paths = (page) => page.locator(".hit .where .path").allTextContents();
