// The package as npm would publish it: packed, installed elsewhere, used; and its declarations, compiled against.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { PACKAGE, TOP, folder, write } from "./lib.js";

test("packed, installed in an empty project, and used from there", (t) => {
  const at = folder(t);
  const [packed] = JSON.parse(execFileSync("npm", ["pack", PACKAGE, "--json", "--pack-destination", at], { encoding: "utf8", maxBuffer: 1 << 26 }));
  const names = packed.files.map(({ path }) => path);
  for (const name of ["index.js", "node.js", "index.d.ts", "engine.js", "engine.d.ts", "engine_bg.wasm", "worker.js", "README.md", "LICENSE-MIT"]) {
    assert.ok(names.includes(name), `${name} is packed`);
  }
  write(at, {
    "package.json": '{ "private": true, "type": "module" }',
    "use.js": `import { folderOfTexts, openSession } from "seekwell";
      const session = openSession(folderOfTexts("one", { "a.rs": "/// Tries again.\\nfn retry() {}\\n" }));
      const { hits } = await session.search({ text: "retry" });
      await session.ready;
      console.log((await session.search({ text: "try again" })).hits[0].symbol);`,
    // Nobody closes the session: a process whose work is done ends all the same.
  });
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", join(at, packed.filename)], { cwd: at, stdio: "pipe" });
  const said = execFileSync("node", ["use.js"], { cwd: at, encoding: "utf8", timeout: 120_000 });
  assert.equal(said, "retry\n");
});

test("its declarations hold what they promise a strict compiler", (t) => {
  const at = folder(t);
  write(at, {
    "use.ts": `import { openSession, folderOfTexts, SeekwellError, type Answer, type Session } from "seekwell";
      import { Workspace, Admission, analyse } from "seekwell/engine.js";
      const session: Session = openSession(folderOfTexts("one", { "a.rs": "fn main() {}" }), { workers: 1 });
      session.addEventListener("progress", () => session.progress.secondsLeft?.toFixed(1));
      const answer: Answer = await session.search({ text: "main", mode: "hybrid" });
      export const lines: number[] = answer.hits.map((hit) => hit.endLine - hit.startLine);
      // @ts-expect-error: there is no such mode
      await session.search({ text: "main", mode: "fuzzy" });
      const rows = (await session.ask({ command: "callers", name: "main" })).rows;
      export const names: (string | undefined)[] = rows.map((row) => row.symbol?.name);
      const blob: Uint8Array | undefined = analyse("a.rs", new Uint8Array(), true);
      const workspace = new Workspace(true);
      if (blob) workspace.add("a.rs", blob);
      const { files }: { files: number } = workspace.commit();
      export const judged = new Admission({ hidden: true }).root(undefined).id + files;
      export const code = (error: unknown) => (error instanceof SeekwellError ? error.code : "engine");`,
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        strict: true, noEmit: true, target: "es2022", module: "esnext", moduleResolution: "bundler", lib: ["esnext", "dom", "dom.iterable"],
        types: [], skipLibCheck: false, paths: { seekwell: [join(PACKAGE, "index.d.ts")], "seekwell/engine.js": [join(PACKAGE, "engine.d.ts")] },
      },
      files: ["use.ts"],
    }),
  });
  const tsc = join(TOP, "tests/browser/node_modules/.bin/tsc");
  try {
    execFileSync(tsc, ["-p", at], { stdio: "pipe", encoding: "utf8" });
  } catch (error) {
    assert.fail(error.stdout);
  }
});

test("everything that is declared is there, and everything that is there is declared", async () => {
  const declared = readFileSync(join(PACKAGE, "index.d.ts"), "utf8");
  const names = new Set([...declared.matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name));
  const { default: _, ...exported } = await import(join(PACKAGE, "node.js"));
  assert.deepEqual(Object.keys(exported).sort(), [...names].sort());
  assert.ok(readdirSync(PACKAGE).length > 10);
});
