/** The built page in Firefox, where there is one: what a person does first. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import puppeteer from "puppeteer-core";
import { folder, host, remove } from "./support.js";

const firefox = [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find((path) => path && existsSync(path));
const skip = firefox ? false : "no Firefox: Debian's is the package firefox-esr";

const FILES = {
  "retry.py": 'def again(call):\n    """Tries a failed request again."""\n    return call()\n',
  "cart.py": 'def add(item):\n    """Puts an item into the cart."""\n    return item\n',
};

test("in Firefox: files in, hits out, and again from IndexedDB", { skip }, async (t) => {
  const served = await host();
  const root = folder(FILES);
  const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true });
  t.after(async () => {
    await browser.close();
    served.close();
    remove(root);
  });
  const page = await browser.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  const arrive = async () => {
    await page.goto(served.url);
    await page.waitForSelector("button.first:enabled", { timeout: 60_000 });
  };
  const found = async (question) => {
    const isWhole = () => /\d files?/.test(document.querySelector(".status .link")?.textContent ?? "");
    await page.waitForFunction(isWhole, { timeout: 60_000 });
    await page.type("#question", question);
    await page.waitForSelector(`.results[data-asked=${JSON.stringify(question)}]:not(.stale)`, { timeout: 60_000 });
    return page.$$eval(".hit .where .path", (all) => all.map((path) => path.textContent));
  };
  // What drives Firefox hands over files, but no folder, and knows no dialogue that picks one.
  await arrive();
  const input = await page.$("input[type=file]");
  await input.uploadFile(...Object.keys(FILES).map((path) => join(root, path)));
  assert.equal((await found("put it into the cart"))[0], "cart.py");
  await page.evaluateOnNewDocument((files) => {
    window.showDirectoryPicker = async () => {
      const root = await (await navigator.storage.getDirectory()).getDirectoryHandle("picked", { create: true });
      for (const [path, text] of Object.entries(files)) {
        const writer = await (await root.getFileHandle(path, { create: true })).createWritable();
        await writer.write(text);
        await writer.close();
      }
      return root;
    };
  }, FILES);
  await arrive();
  await page.click("button.first");
  assert.equal((await found("failed request tried once more"))[0], "retry.py");
  await arrive();
  const known = await page.waitForSelector("::-p-xpath(//button[normalize-space() = 'picked'])");
  await known.click();
  assert.equal((await found("put it into the cart"))[0], "cart.py");
  await page.click(".status .link");
  const told = await page.waitForFunction(() => document.querySelector(".coverage .doc")?.textContent, { timeout: 60_000 });
  assert.match(await told.jsonValue(), /known from an earlier visit/);
  assert.deepEqual(faults, []);
});
