// The store of this origin, as the keeper uses it: what fails is told once, and never fails an answer.

import * as engine from "./engine.js";

/** Name of the database. */
export const DATABASE = "seekwell";
/** Held shared by all that use the store, and alone by whoever collects garbage. */
const LOCK = "seekwell-store";
/** Where it is told that everything was forgotten. */
export const CHANNEL = "seekwell";
/** How long another tab may keep the database from being opened, in milliseconds. */
const PATIENCE = 4000;

/** What a list of folders shows needs no analysis: opens the database for that alone. */
export async function openDatabase() {
  if (!engine.Store.isThere()) return null;
  return engine.Store.open(DATABASE, () => {});
}

/** The store of one session, or what is left of it. */
export class Shelf {
  #store = null;
  #release = null;
  #tell;

  /** @param tell told of troubles: `(code, message)` */
  constructor(tell) {
    this.#tell = tell;
  }

  /** Whether anything can be kept. */
  get isOpen() {
    return this.#store !== null;
  }

  /** Opens the database; without one, or when another tab is in the way, the session goes on in memory. */
  async open() {
    if (!engine.Store.isThere()) return;
    let blocked = false;
    const opening = engine.Store.open(DATABASE, () => (blocked = true));
    const late = new Promise((done) => setTimeout(done, PATIENCE, null));
    try {
      this.#store = await Promise.race([opening, late]);
    } catch (error) {
      this.#tell("storage-off", `nothing is kept: ${error.message}`);
      return;
    }
    if (!this.#store) {
      opening.then((store) => store.close()).catch(() => {});
      const why = blocked ? "another tab holds an older version: close it and reload" : "the browser does not answer";
      this.#tell("storage-blocked", `nothing is kept: ${why}`);
      return;
    }
    await this.#collect();
    await this.#hold();
  }

  /** Lets go of it; nothing is kept from now on. */
  close() {
    try {
      this.#store?.close();
    } catch {
      // Of an instance that has trapped nothing is left to close.
    }
    this.#store = null;
    this.#release?.();
    this.#release = null;
  }

  /** Does something with the store; undefined if there is none, or if it failed. */
  async use(does) {
    if (!this.#store) return undefined;
    try {
      return await does(this.#store);
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  /** Takes a failure of the store: nothing more is kept after it. */
  failed({ code, message }) {
    if (!this.#store) return;
    this.close();
    // Browsers do not say why they abort a transaction that nobody aborted, and no longer how much room there is: it is full, or
    // the disk fails.
    if (code === "storage-full" || code === "storage-aborted") this.#tell("storage-full", "there is no room left: nothing more is kept; forget a folder to make room");
    else this.#tell("storage-off", `nothing more is kept: ${message}`);
  }

  /** A snapshot by the name of its generation; a damaged one is removed and told. */
  snapshot(name) {
    return this.#sound((store, damaged) => store.snapshot(name, damaged));
  }

  /** Parts of what else an update of it needs, by number; undefined if one of them is not there. */
  async rest(name, numbers) {
    const parts = await this.#sound((store, damaged) => store.rest(name, Uint32Array.from(numbers), damaged));
    return parts?.every(Boolean) ? parts : undefined;
  }

  async #sound(reads) {
    const damaged = [];
    const found = await this.use((store) => reads(store, damaged));
    if (damaged.length) await this.removeDamaged(damaged);
    return found;
  }

  /** Removes generations that are damaged, and tells. */
  async removeDamaged(generations) {
    this.#tell("damaged", `${generations.length} records were damaged: removed, and made again`);
    await this.use((store) => store.remove([], generations));
  }

  /** Holds the store for as long as the session lasts, so that nobody takes its skeletons for garbage. */
  async #hold() {
    const locks = globalThis.navigator?.locks;
    if (!locks) return;
    await new Promise((held) => {
      locks.request(LOCK, { mode: "shared" }, () => {
        held();
        return new Promise((release) => (this.#release = release));
      }).catch(held);
    });
  }

  async #collect() {
    await this.use((store) => collectGarbage(store));
  }
}

/** Removes what no folder needs, if nobody else uses the store. Gives how many records went; undefined if it is in use. */
export async function collectGarbage(store) {
  const locks = globalThis.navigator?.locks;
  if (!locks) return undefined;
  return locks.request(LOCK, { mode: "exclusive", ifAvailable: true }, async (lock) => {
    if (!lock) return undefined;
    const [skeletons, generations] = await store.names();
    if (!skeletons.length && !generations.length) return 0;
    const needed = new Set();
    for (const tree of await store.trees()) {
      const manifest = await store.manifest(tree.id);
      for (const file of manifest?.files ?? []) if (file.name) needed.add(file.name);
      for (const name of manifest?.snapshot?.names ?? []) needed.add(name);
      if (manifest?.snapshot) needed.add(manifest.snapshot.name);
    }
    const garbage = [skeletons, generations].map((names) => names.filter((name) => !needed.has(name)));
    const count = garbage[0].length + garbage[1].length;
    if (count) await store.remove(garbage[0], garbage[1]);
    return count;
  });
}
