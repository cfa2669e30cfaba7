import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { offline } from "./build/offline.js";
import { sample } from "./build/sample.js";

const engine = fileURLToPath(import.meta.resolve("seekwell/engine_bg.wasm"));

export default defineConfig({
  // From any folder of any host.
  base: "./",
  define: { ENGINE_BYTES: statSync(engine).size },
  plugins: [sample(), offline()],
  optimizeDeps: { exclude: ["seekwell"] },
  worker: { format: "es" },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  preview: { host: "127.0.0.1", port: 5178 },
});
