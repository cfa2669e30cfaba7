// Debian's Chromium with a page that has the package and nothing else, from a server that sends no special header.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

import { chromium } from "playwright-core";

import { PACKAGE } from "./lib.js";

const TYPES = { ".js": "text/javascript", ".html": "text/html", ".wasm": "application/wasm", ".json": "application/json" };
const PAGE = `<!doctype html><meta charset="utf-8"><title>seekwell</title><link rel="icon" href="data:,">
<script type="module">window.seekwell = await import("./index.js"); window.isReady = true;</script>`;

/** Serves the package below a sub-path, as any static host would; what is asked of it is noted. */
export async function serve(t) {
  const asked = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://host").pathname;
    asked.push(path);
    if (path === "/sub/") return response.setHeader("content-type", "text/html").end(PAGE);
    try {
      const file = join(PACKAGE, normalize(path.replace(/^\/sub\//, "/")));
      const bytes = await readFile(file);
      response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream").end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${server.address().port}/sub/`, asked };
}

/** A browser with an empty profile, and a way to open the page in a tab. */
export async function browse(t, url) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--headless"] });
  t.after(() => browser.close());
  const context = await browser.newContext();
  return {
    context,
    async tab() {
      const page = await context.newPage();
      page.on("console", (message) => message.type() === "error" && console.error(`page: ${message.text()}`));
      page.on("pageerror", (error) => console.error(`page: ${error}`));
      await page.goto(url);
      await page.waitForFunction("window.isReady");
      return page;
    },
  };
}
