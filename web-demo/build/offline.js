/** Emits `offline.js`, the service worker: a copy of the page's files, under a name that changes with them. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export function offline() {
  return {
    name: "offline",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const hash = createHash("sha256");
        const files = Object.keys(bundle).sort();
        for (const file of files) hash.update(file).update(bundle[file].source ?? bundle[file].code);
        const code = readFileSync(fileURLToPath(new URL("offline.worker.js", import.meta.url)), "utf8")
          .replace("/* FILES */", ["./", "icon.svg", ...files].map((file) => JSON.stringify(file)).join(", "))
          .replace("/* VERSION */", hash.digest("hex").slice(0, 16));
        this.emitFile({ type: "asset", fileName: "offline.js", source: code });
      },
    },
  };
}
