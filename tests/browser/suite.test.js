// The fourth driver of the suite: the same fixtures as the engine, the component and the binary, and the same bytes.

import assert from "node:assert/strict";
import test from "node:test";

import { cli, fixtures, folder, query, same, seekwell, structure, write } from "./lib.js";

for (const { name, files, questions } of fixtures()) {
  test(`fixture ${name}`, async (t) => {
    const root = write(folder(t), files);
    const session = seekwell.openSession(seekwell.folderOfPath(root), { root, workers: 1 });
    t.after(() => session.close());
    await session.ready;
    for (const { command, words } of questions) {
      const what = `${command} ${words.join(" ")}`;
      const expected = cli(command, "--json", "--no-store", ...words, root);
      const told = command === "search" ? await session.searchJson(query(words)) : await session.askJson(structure(command, words));
      same(told, expected, what);
    }
  });
}

test("maps and outlines are the command line's, too", async (t) => {
  const { files } = fixtures().find(({ name }) => name === "structure");
  const root = write(folder(t), { "more/retry.py": "def retry(times):\n    return times\n", ...files });
  const session = seekwell.openSession(seekwell.folderOfPath(root), { root, workers: 2 });
  t.after(() => session.close());
  await session.ready;
  same(await session.askJson({ command: "map" }), cli("map", "--json", "--no-store", root));
  same(await session.askJson({ command: "map", task: "retry" }), cli("map", "--json", "--no-store", "--for", "retry", root));
  const budget = cli("map", "--json", "--no-store", "--budget", "300", root);
  same(await session.askJson({ command: "map" }, { budget: 300 }), budget);
  const outline = cli("outline", "--json", "--no-store", `${root}/more/retry.py`);
  same(await session.askJson({ command: "outline", path: "more/retry.py" }), outline);
  assert.match(await session.mermaid({}), /^(graph|flowchart)/);
});

test("the same from a folder in memory as from the disk", async (t) => {
  const { files, questions } = fixtures().find(({ name }) => name === "retry");
  const root = write(folder(t), files);
  const session = seekwell.openSession(seekwell.folderOfTexts("memory", files), { root, workers: 1 });
  t.after(() => session.close());
  for (const { words } of questions) {
    await session.ready;
    same(await session.searchJson(query(words)), cli("search", "--json", "--no-store", ...words, root));
  }
});
