// A worker that looks into files: analyses them, or finds a text or a name in them. It remembers nothing of them.

import { Moved } from "./channel.js";
import { isTrap, trapReason } from "./errors.js";
import * as engine from "./engine.js";
import { readSource } from "./folders.js";

/** An instance that has grown past this is made anew after the files that did it: linear memory never shrinks. In bytes. */
const RECYCLED_MEMORY = 160 << 20;

/** What is said of a file that is not text, as the native host says it. */
const NOT_TEXT = "its content is not text";

export class Analyst {
  #memory;
  #fingerprint;
  #store = null;
  #database;
  #turn = Promise.resolve();

  /** @param {WebAssembly.Memory} memory the instance's */
  constructor({ memory, fingerprint, database }) {
    this.#memory = memory;
    this.#fingerprint = fingerprint;
    this.#database = database;
  }

  /** What answers questions over a channel. */
  answers() {
    return {
      analyse: (argument) => this.analyse(argument),
      scan: (argument) => this.#lookThrough(argument, (_, bytes) => engine.scan(bytes, argument.needle)),
      places: (argument) => this.#lookThrough(argument, (path, bytes) => engine.occurrences(path, bytes, argument.name)),
    };
  }

  /**
   * Analyses files, those of which there is a skeleton in the store without parsing. A file that has the name that is `expected`
   * is not analysed: the keeper has what came of it, or can have it made later. What could not be kept is told with the answer.
   */
  async analyse({ files, limit, persist }) {
    const results = [];
    for (const { path, source, expected } of files) {
      const result = await this.#look(path, source, limit);
      results.push(result);
      if (result.name && result.name === expected) Object.assign(result, { unchanged: true, bytes: undefined });
    }
    const trouble = { damaged: 0, failed: null };
    if (results.some(({ bytes }) => bytes)) {
      // One batch after the other: an instance must not be made anew while the database answers to the old one.
      const turn = this.#turn.then(() => this.#make(results, persist, trouble));
      this.#turn = turn.catch(() => {});
      await turn;
    }
    const transfer = [...new Set(results.filter((result) => result.analysis).map((result) => result.analysis.buffer))];
    return new Moved({ results, trouble }, transfer);
  }

  async #make(results, persist, trouble) {
    const keep = persist && (await this.#opened()) !== null;
    if (keep) await this.#fetch(results, trouble);
    for (const result of results) if (result.bytes) this.#fill(result, keep);
    const made = results.filter((result) => result.skeleton);
    if (made.length) {
      try {
        const store = await this.#opened();
        // Without one, an instance that fell over a file took the connection with it, and there is no new one.
        if (!store) throw new Error("the database cannot be opened again");
        await store.putSkeletons(made.map((result) => result.name), made.map((result) => result.skeleton));
        for (const result of made) result.kept = true;
      } catch (error) {
        trouble.failed = { code: error.code ?? "storage", message: String(error.message ?? error) };
      }
    }
    for (const result of made) result.skeleton = undefined;
    if (this.#memory().buffer.byteLength > RECYCLED_MEMORY) this.#recycle();
  }

  /** Reads a file and finds out what it is called in the store. */
  async #look(path, source, limit) {
    try {
      const { size, modified, bytes } = await readSource(source, limit);
      if (!bytes) return { path, skipped: { reason: "too-large", detail: engine.tooLarge(size, limit) } };
      const content = engine.contentHash(bytes);
      const name = engine.analysisName(this.#fingerprint, engine.pathClass(path), content);
      return { path, size, modified, bytes, content, name, kept: false };
    } catch (error) {
      return { path, skipped: { reason: "unreadable", detail: String(error.message ?? error) } };
    }
  }

  async #fetch(results, trouble) {
    const wanted = results.filter((result) => result.bytes);
    const damaged = [];
    try {
      const found = await this.#store.skeletons(wanted.map((result) => result.name), damaged);
      found.forEach((skeleton, at) => {
        if (skeleton) this.#dress(wanted[at], skeleton);
      });
      trouble.damaged += damaged.length;
    } catch (error) {
      trouble.failed = { code: error.code ?? "storage", message: String(error.message ?? error) };
    }
  }

  /** Has the engine analyse a file of which there is a skeleton; if that comes to nothing, it will be parsed. */
  #dress(result, skeleton) {
    try {
      const analysis = engine.analyseAgain(result.path, result.bytes, skeleton, true);
      if (analysis) Object.assign(result, { analysis, kept: true, reused: true, bytes: undefined });
    } catch (error) {
      if (!isTrap(error)) throw error;
      this.#recycle();
    }
  }

  /** Has the engine analyse a file; if it falls over it, once more as plain text. */
  #fill(result, keep) {
    const { path, bytes } = result;
    result.bytes = undefined;
    let degrade;
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        const made = keep ? engine.analyseToKeep(path, bytes, true, degrade) : undefined;
        const analysis = keep ? made?.analysis : engine.analyse(path, bytes, true, degrade);
        if (analysis) Object.assign(result, { analysis, skeleton: made?.skeleton });
        else result.skipped = { reason: "binary", detail: NOT_TEXT };
        made?.free();
        return;
      } catch (error) {
        if (!isTrap(error)) throw error;
        degrade = trapReason(error);
        this.#recycle();
      }
    }
    result.skipped = { reason: "limit", detail: degrade };
  }

  async #lookThrough({ files, limit }, look) {
    const results = [];
    for (const { path, source } of files) {
      try {
        const { size, bytes } = await readSource(source, limit);
        if (!bytes) results.push({ path, skipped: { reason: "too-large", detail: engine.tooLarge(size, limit) } });
        else results.push(this.#found(path, bytes, look));
      } catch (error) {
        if (error?.code === "pattern") throw error;
        results.push({ path, skipped: { reason: "unreadable", detail: String(error.message ?? error) } });
      }
    }
    return results;
  }

  #found(path, bytes, look) {
    try {
      const numbers = look(path, bytes);
      return numbers ? { path, numbers } : { path, skipped: { reason: "binary", detail: NOT_TEXT } };
    } catch (error) {
      if (!isTrap(error)) throw error;
      this.#recycle();
      return { path, numbers: new Uint32Array(), lost: true };
    }
  }

  async #opened() {
    if (this.#store) return this.#store;
    try {
      this.#store = await engine.Store.open(this.#database, () => {});
    } catch {
      return null;
    }
    return this.#store;
  }

  /** A new instance. The old one's connection to the database goes with it. */
  #recycle() {
    try {
      this.#store?.close();
    } catch {
      // An instance that has trapped may not even do that.
    }
    this.#store = null;
    engine.__wbg_reset_state();
  }
}
