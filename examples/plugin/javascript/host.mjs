// The engine as a plugin of a JavaScript program: `node host.mjs ENGINE FOLDER QUERY`, where ENGINE is what
// `npx jco transpile seekwell.wasm -o ENGINE` wrote. The component imports nothing: it can touch what it is handed, nothing else.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const [engine, folder, text] = process.argv.slice(2);
const { analysis, corpus, search } = await import(join(resolve(engine), "seekwell.js"));

// Files come in the order of their paths' bytes.
const paths = readdirSync(folder, { recursive: true })
  .filter((path) => statSync(join(folder, path)).isFile())
  .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

const tree = new corpus.Workspace(true);
for (const path of paths) {
  try {
    tree.add(path, analysis.analyse(path, readFileSync(join(folder, path)), { vectors: true }));
  } catch (error) {
    if (error.payload !== "binary") throw error; // a file that is no text has no analysis
  }
}
tree.commit();

const query = { text, mode: "hybrid", limit: 10, perFile: 1, offset: 0, languages: [], globs: [], pathPrefix: "", kinds: [], explain: false };
for (const { path, lines, kind, symbol } of search.find(tree, query, []).hits) {
  console.log(`${path}:${lines.start}-${lines.end} ${kind} ${symbol}`);
}
