/** Packs the sample project: seekwell's own source, as `virtual:sample`. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("../..", import.meta.url));
const ID = "virtual:sample";

/** What is packed: what a reader of the code reads. Without the tests' data. */
const PATHS = ["engine/*/src/*", "native-host/src/*", "wasm-pkg/*.rs", "wit/*", "*.md"];
const NOT = /\/(fixtures|truth|corpora|data|node_modules)\//;

function pack() {
  const listed = execFileSync("git", ["ls-files", "-z", ...PATHS], { cwd: top, encoding: "utf8" });
  const files = {};
  for (const path of listed.split("\0").filter((path) => path && !NOT.test(`/${path}`)).sort()) {
    files[path] = readFileSync(`${top}/${path}`, "utf8");
  }
  return JSON.stringify(files);
}

export function sample() {
  let served = false;
  return {
    name: "sample",
    configResolved(config) {
      served = config.command === "serve";
    },
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load(id) {
      if (id !== `\0${ID}`) return undefined;
      if (served) return `export default "./sample.json";`;
      const reference = this.emitFile({ type: "asset", name: "sample.json", source: pack() });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
    configureServer(server) {
      server.middlewares.use("/sample.json", (_, response) => response.end(pack()));
    },
  };
}
