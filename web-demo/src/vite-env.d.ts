/// <reference types="vite/client" />

declare module "virtual:sample" {
  /** Where the packed sample project lies: a JSON object, path to text. */
  const url: string;
  export default url;
}

declare module "seekwell/engine_bg.wasm?url" {
  const url: string;
  export default url;
}

declare module "seekwell/worker.js?worker&url" {
  const url: string;
  export default url;
}
