import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { sample } from "./build/sample.js";

const mock = process.env.MOCK;

export default defineConfig({
  // From any folder of any host.
  base: "./",
  plugins: [sample(), ...(mock ? [(await import("./mock/plugin.js")).default()] : [])],
  resolve: mock ? { alias: { seekwell: fileURLToPath(new URL("./mock/seekwell.ts", import.meta.url)) } } : {},
  optimizeDeps: { exclude: ["seekwell"] },
  worker: { format: "es" },
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
});
