// The worker that keeps a tree: has it walked and analysed, holds what comes of it, answers.
//
// What is said of files, chunks and order is the engine's; here is decided when what is done, as the native host's session
// does: from a snapshot of the very same files, from one of nearly the same, else from analyses.

import { Channel, nextTurn, ofPort } from "./channel.js";
import { SeekwellError, isTrap, known } from "./errors.js";
import * as engine from "./engine.js";
import { readSource } from "./folders.js";
import { Shelf } from "./store.js";
import { comparePaths, trustsStamps, walk } from "./walk.js";

/** Files and bytes that an analyst gets at a time: enough that messages cost nothing, few enough that all are busy to the end. */
const BATCH_FILES = 12;
const BATCH_BYTES = 256 << 10;
/** Batches that an analyst has at a time: the next is there when one is done. */
const AHEAD = 2;
/** A batch that takes longer has met a file that the engine does not come back from. In milliseconds. */
const PATIENCE = 120_000;
/** Analyses are held in memory up to this many bytes until they are put together; those beyond are read back from the store. */
const HELD = 256 << 20;
/** How often a question is answered again because a file that was to be shown has changed. */
const MOST_ATTEMPTS = 3;
/** Milliseconds between two reports of progress. */
const REPORT = 100;
/** Files whose analyses are made at a time when a tree is put together. */
const MADE_AHEAD = 128;

const EMPTY = new Uint8Array();

/** One folder. */
export class Keeper {
  #main;
  #options;
  /** What the tree's own settings say. */
  #settings = {};
  #limit;
  #folder;
  #analysts = [];
  #shelf;
  #tree = null;
  #manifest = null;
  /** Files that belong, by path: where they are, and what the system says of them. */
  #found = new Map();
  /** What became of each file that was looked at: its analysis's name and content, or why it is not searched. */
  #entries = new Map();
  /** Analyses at hand with their names, by path. */
  #held = new Map();
  #heldBytes = 0;
  /** What the walk left out. */
  #left = [];
  /** The workspace that answers, and what it was made of. */
  #current = null;
  /** What the last snapshot was made of. */
  #snapshot = null;
  #progress = { stage: "listing", done: 0, total: 0, bytesDone: 0, bytesTotal: 0, secondsLeft: null, searchable: 0, skipped: 0 };
  #reported = 0;
  #nextChange = 4;
  #clock = null;
  #cancelled = false;
  #closed = false;
  #whole = false;
  #analysed = 0;
  #reused = 0;
  #troubles = [];
  /** Done when the tree is there again after the engine fell over. */
  #mending = Promise.resolve();
  /** Work on the tree goes one after the other. */
  #work = Promise.resolve();

  constructor(main, folder, options) {
    this.#main = main;
    this.#folder = folder;
    this.#options = options;
    this.#shelf = new Shelf((code, message) => this.#trouble(code, message));
    this.#main.tell("progress", this.#progress);
  }

  // ------------------------------------------------------------------------------------------------------ reading the tree

  /** Reads the folder for the first time in this session. */
  index() {
    return this.#alone(async () => {
      try {
        await this.#prepare();
        await this.#read();
        return await this.coverage();
      } catch (error) {
        this.#progress.stage = "failed";
        this.#report(true);
        throw error;
      }
    });
  }

  /** Looks at the folder again. */
  refresh() {
    return this.#alone(async () => {
      const before = new Map([...this.#entries].map(([path, entry]) => [path, entry.content ?? entry.skipped?.reason]));
      this.#cancelled = false;
      await this.#read();
      const counts = { changed: 0, added: 0, gone: 0 };
      for (const [path, entry] of this.#entries) {
        if (!before.has(path)) counts.added += 1;
        else if (before.get(path) !== (entry.content ?? entry.skipped?.reason)) counts.changed += 1;
      }
      for (const path of before.keys()) if (!this.#entries.has(path)) counts.gone += 1;
      return counts;
    });
  }

  cancel() {
    this.#cancelled = true;
  }

  async close() {
    this.#closed = true;
    this.#cancelled = true;
    await this.#work.catch(() => {});
    this.#shelf.close();
    this.#current?.workspace.free();
    this.#current = null;
    for (const analyst of this.#analysts) this.#main.tell("endAnalyst", analyst.number);
    this.#analysts = [];
  }

  /** Everything was forgotten: nothing is kept from now on. */
  forgotten() {
    this.#shelf.close();
  }

  /** One after the other, whatever becomes of the one before. */
  #alone(does) {
    const done = this.#work.then(does, does);
    this.#work = done.catch(() => {});
    return done;
  }

  /** Opens the store and takes what is known of the folder. */
  async #prepare() {
    if (!this.#options.persist) return;
    await this.#shelf.open();
    const rules = JSON.stringify(rulesOf(this.#options));
    const trees = (await this.#shelf.use((store) => store.trees())) ?? [];
    this.#tree = await this.#knownAs(trees, rules);
    const manifest = await this.#shelf.use((store) => store.manifest(this.#tree.id));
    if (manifest?.fingerprint === this.#options.fingerprint) this.#manifest = manifest;
    if (!this.#manifest?.snapshot) return;
    // Answers can be given at once, from what the folder was; they say that they are not the last word.
    const { name, paths, names } = this.#manifest.snapshot;
    const bytes = await this.#shelf.snapshot(name, "snapshot");
    if (!bytes) return;
    const workspace = new engine.Workspace(true);
    try {
      const generation = workspace.restore(bytes);
      this.#snapshot = { name, paths, names };
      this.#current = { workspace, generation, name, restored: true, graph: false, final: false, fromStore: true };
      this.#entries = this.#knownFiles();
      this.#progress.searchable = generation.files;
      this.#report(true);
      this.#main.tell("change");
    } catch (error) {
      workspace.free();
      await this.#shelf.removeDamaged([name]);
    }
  }

  /** The record of this folder: by its handle, where it has one, else by what it is called. */
  async #knownAs(trees, rules) {
    const folder = this.#folder;
    const fresh = { name: folder.name, kind: folder.kind, rules, files: 0, bytes: 0, handle: folder.handle ?? null };
    if (folder.kind !== "handle") {
      const called = [folder.kind, folder.path ?? folder.name, rules].join("\n");
      return { ...fresh, id: engine.contentHash(new TextEncoder().encode(called)) };
    }
    for (const tree of trees) {
      if (!tree.handle || tree.rules !== rules || tree.name !== folder.name) continue;
      if (await folder.handle.isSameEntry(tree.handle).catch(() => false)) return { ...fresh, id: tree.id };
    }
    return { ...fresh, id: crypto.randomUUID() };
  }

  /** Walks the folder, has analysed what is new in it, and makes it searchable. */
  async #read() {
    const lookedAt = Date.now();
    const known = this.#knownFiles();
    const trusts = trustsStamps(this.#folder);
    const racy = engine.racyMilliseconds();
    const [found, left, entries] = [new Map(), [], new Map()];
    this.#whole = false;
    // At the first time, what is found can be read and searched at once.
    if (!this.#found.size) this.#found = found;
    if (!this.#current) [this.#entries, this.#left] = [entries, left];
    Object.assign(this.#progress, { stage: "listing", done: 0, total: 0, bytesDone: 0, bytesTotal: 0, secondsLeft: null, skipped: 0 });
    this.#clock = { since: performance.now(), bytes: 0 };
    const crew = new Crew(this, { lookedAt, racy });
    const meet = (file) => {
      found.set(file.path, file);
      this.#progress.total += 1;
      this.#progress.bytesTotal += file.size;
      const before = trusts && known.get(file.path);
      if (before && !before.racy && before.size === file.size && before.modified === file.modified) {
        entries.set(file.path, before);
        this.#did(file.size, 0, 0);
      } else {
        const entry = known.get(file.path);
        crew.add(file, entry?.name && (entry.kept || this.#analysisOf(entry)) ? entry : undefined);
      }
    };
    const skipped = (skip) => {
      left.push(skip);
      this.#progress.skipped += 1;
    };
    const working = crew.work((file, entry) => {
      entries.set(file.path, entry);
      this.#did(file.size, file.size, entry.skipped ? 1 : 0);
    });
    try {
      const walked = await walk(this.#folder, this.#options, { found: meet, skipped, stopped: () => this.#cancelled });
      [this.#limit, this.#settings] = [walked.limit, walked.settings];
    } finally {
      crew.close();
    }
    if (this.#progress.stage === "listing") this.#progress.stage = "analysing";
    await working;
    [this.#found, this.#entries, this.#left] = [found, entries, left];
    await this.#finish(!this.#cancelled);
  }

  /** The analysis of a file, if it is at hand. */
  #analysisOf(entry) {
    const held = entry && this.#held.get(entry.path);
    return held && held.name === entry.name ? held.analysis : undefined;
  }

  /** What is known of files from before: from this session, else from the store. */
  #knownFiles() {
    if (this.#entries.size) return new Map(this.#entries);
    return new Map((this.#manifest?.files ?? []).map((file) => [file.path, file]));
  }

  /** Makes everything searchable that was looked at, and keeps what came of it. */
  async #finish(whole) {
    this.#progress.stage = "indexing";
    this.#report(true);
    const { name } = this.#files();
    const same = this.#current?.final !== false && this.#current?.name === name;
    if (!same && !(this.#current?.restored && this.#current.name === name)) {
      const updated = whole && (await this.#updated());
      if (!updated) await this.#built();
    }
    if (this.#current) this.#current.final = true;
    this.#whole = whole;
    if (whole && this.#shelf.isOpen) await this.#keep();
    this.#progress.stage = whole ? "ready" : "cancelled";
    this.#progress.secondsLeft = whole ? 0 : null;
    this.#progress.searchable = this.#current?.generation.files ?? 0;
    this.#report(true);
    this.#main.tell("change");
  }

  /** The files that are searched, in the order of their paths, with the names of their analyses and of all together. */
  #files() {
    const paths = [...this.#entries.keys()].filter((path) => this.#entries.get(path).name).sort(comparePaths);
    const names = paths.map((path) => this.#entries.get(path).name);
    return { paths, names, name: engine.generationName(paths, names) };
  }

  /** From the last snapshot and the analyses of the few files that differ, if these are few. */
  async #updated() {
    const base = this.#snapshot;
    if (!base || !this.#shelf.isOpen) return false;
    const few = () => {
      const files = this.#files();
      const changes = differences(base, files);
      return engine.isNear(changes.length, files.paths.length) ? { name: files.name, changes } : null;
    };
    const first = few();
    if (!first) return false;
    await this.#makeAll(first.changes.filter((change) => change.new).map((change) => change.path));
    // A file that was changed once more meanwhile has another name by now.
    const second = few();
    const made = (change) => this.#analysisOf(this.#entries.get(change.path));
    if (!second?.changes.every((change) => !change.new || made(change))) return false;
    const { name, changes } = second;
    const searchable = await this.#shelf.snapshot(base.name);
    if (!searchable) return false;
    const given = changes.map((change) => ({ path: change.path, new: change.new && made(change) }));
    const workspace = new engine.Workspace(true);
    try {
      workspace.restore(searchable);
      let updated = { needs: workspace.beginUpdate(given) };
      while (updated.needs) {
        const parts = await this.#shelf.rest(base.name, updated.needs);
        if (!parts) {
          workspace.free();
          return false;
        }
        updated = workspace.update(parts);
      }
      const { generation } = updated;
      this.#replace({ workspace, generation, name, restored: true, graph: false, final: true, fromStore: true });
      return true;
    } catch (error) {
      if (isTrap(error)) this.#fell(error);
      else workspace.free();
      return false;
    }
  }

  /** From analyses. */
  async #built() {
    const workspace = new engine.Workspace(true);
    try {
      const { paths, names } = await this.#addAll(workspace, this.#files().paths);
      const generation = workspace.commit();
      const name = engine.generationName(paths, names);
      this.#replace({ workspace, generation, name, restored: false, graph: true, final: true, fromStore: this.#reused > 0 });
    } catch (error) {
      if (isTrap(error)) throw this.#fell(error);
      workspace.free();
      throw error;
    }
  }

  /**
   * Adds files to a workspace; analyses that are not at hand are made on the way. Gives what was added: a file can have changed
   * since it was looked at first.
   */
  async #addAll(workspace, wanted) {
    const [paths, names] = [[], []];
    for (let at = 0; at < wanted.length; at += MADE_AHEAD) {
      const some = wanted.slice(at, at + MADE_AHEAD);
      await this.#makeAll(some);
      for (const path of some) {
        const entry = this.#entries.get(path);
        const analysis = this.#analysisOf(entry);
        if (!analysis) continue;
        workspace.add(path, analysis);
        paths.push(path);
        names.push(entry.name);
        // Room for those to come; this one can be made again.
        if (entry.kept && this.#heldBytes > HELD) this.#release(path);
      }
    }
    return { paths, names };
  }

  /** Has the analyses of these files made that are not at hand: of skeletons, where the store has them. */
  async #makeAll(paths) {
    const absent = paths.filter((path) => !this.#analysisOf(this.#entries.get(path)) && this.#found.has(path));
    if (!absent.length) return;
    const crew = new Crew(this, { lookedAt: Date.now(), racy: engine.racyMilliseconds(), again: true });
    for (const path of absent) crew.add(this.#found.get(path));
    crew.close();
    await crew.work((file, entry) => this.#entries.set(file.path, entry));
  }

  #replace(current) {
    this.#current?.workspace.free();
    this.#current = current;
  }

  /** Keeps the snapshot, if there is a new one, and then the manifest that refers to it. */
  async #keep() {
    const current = this.#current;
    const { paths, names, name } = this.#files();
    if (!current.restored && current.name === name && this.#snapshot?.name !== name) {
      const snapshot = current.workspace.snapshot();
      if (snapshot) {
        const { searchable, rest } = snapshot;
        snapshot.free();
        await this.#shelf.use((store) => store.putSnapshot(name, searchable, rest));
        if (this.#shelf.isOpen) this.#snapshot = { name, paths, names };
      }
    }
    const files = [...this.#entries.values()];
    const manifest = { fingerprint: this.#options.fingerprint, files, snapshot: this.#snapshot };
    const bytes = this.#bytes();
    const tree = { ...this.#tree, files: paths.length, bytes, opened: Date.now() };
    await this.#shelf.use((store) => store.putTree(tree.id, tree, manifest));
    if (!this.#shelf.isOpen) return;
    for (const [path, entry] of this.#entries) if (entry.kept) this.#release(path);
  }

  #bytes() {
    let bytes = 0;
    for (const entry of this.#entries.values()) if (entry.name) bytes += entry.size;
    return bytes;
  }

  // ---------------------------------------------------------------------------------------------------------- the analysts

  /** As many analysts as are wanted; made when first needed. */
  async analysts() {
    while (this.#analysts.length < this.#options.workers) this.#analysts.push(this.#hire(this.#analysts.length));
    return this.#analysts;
  }

  #hire(number) {
    const { port1, port2 } = new MessageChannel();
    const carrier = ofPort(port1);
    this.#main.tell("hireAnalyst", { number, port: port2 }, [port2]);
    return { number, carrier, channel: new Channel(carrier) };
  }

  /** An analyst was lost, with what it was about: another takes its place. */
  lostAnalyst({ number, message }) {
    const lost = this.#analysts[number];
    if (!lost || this.#closed) return;
    lost.channel.end(new SeekwellError("engine", message));
    lost.carrier.close();
    this.#analysts[number] = this.#hire(number);
  }

  /** Ends an analyst that does not come back. */
  dismiss(number) {
    this.#main.tell("endAnalyst", number);
    this.lostAnalyst({ number, message: "it took too long" });
  }

  /** Takes what an analyst says of a file. */
  take(file, result, { lookedAt, racy, again }, before) {
    const { path, size, modified, content, name, analysis, skipped, unchanged, kept, reused } = result;
    if (unchanged) {
      if (before.kept) this.#reused += 1;
      return { ...before, size, modified, racy: !(modified < lookedAt - racy) };
    }
    this.#release(path);
    if (skipped && !name) return { path, skipped: { path, ...skipped }, racy: true };
    const isRacy = !(modified < lookedAt - racy);
    const entry = { path, size, modified, racy: isRacy, content };
    if (skipped) return { ...entry, skipped: { path, ...skipped } };
    if (!reused) this.#analysed += 1;
    else if (!again) this.#reused += 1;
    if (!kept || again || this.#heldBytes + analysis.length <= HELD) {
      this.#held.set(path, { name, analysis });
      this.#heldBytes += analysis.length;
    }
    return { ...entry, name, kept: Boolean(kept) };
  }

  #release(path) {
    this.#heldBytes -= this.#held.get(path)?.analysis.length ?? 0;
    this.#held.delete(path);
  }

  /** Takes what went wrong with the store in an analyst. */
  takeTrouble({ damaged, failed }) {
    if (damaged) this.#trouble("damaged", `${damaged} records were damaged: made again`);
    if (failed) this.#shelf.failed(failed);
  }

  get persists() {
    return this.#shelf.isOpen;
  }

  get limit() {
    return this.#limit ?? this.#options.maxFilesize ?? engine.maxFileSize();
  }

  get isClosed() {
    return this.#closed;
  }

  get isCancelled() {
    return this.#cancelled;
  }

  crashed(path) {
    this.#trouble("crashed", `a worker fell over ${path} and was replaced`);
  }

  // -------------------------------------------------------------------------------------------------------------- progress

  #did(size, worked, skipped) {
    const progress = this.#progress;
    progress.done += 1;
    progress.bytesDone += size;
    progress.skipped += skipped;
    this.#clock.bytes += worked;
    if (!this.#current?.restored) {
      progress.searchable = this.#held.size;
      if (progress.searchable >= this.#nextChange) {
        this.#nextChange = progress.searchable * 2;
        this.#main.tell("change");
      }
    }
    this.#report(false);
  }

  #report(now) {
    const time = performance.now();
    if (!now && time - this.#reported < REPORT) return;
    this.#reported = time;
    const { stage, bytesDone, bytesTotal } = this.#progress;
    const elapsed = (time - (this.#clock?.since ?? time)) / 1000;
    if (stage === "analysing" && elapsed > 0.5 && this.#clock.bytes > 0) {
      this.#progress.secondsLeft = ((bytesTotal - bytesDone) * elapsed) / this.#clock.bytes;
    }
    this.#main.tell("progress", { ...this.#progress });
  }

  #trouble(code, message) {
    if (this.#troubles.some((trouble) => trouble.code === code && trouble.message === message)) return;
    this.#troubles.push({ code, message });
    this.#main.tell("trouble", { code, message });
  }

  // --------------------------------------------------------------------------------------------------------------- answers

  /** The workspace to ask: of everything, or of what there is so far. */
  async #searchable() {
    const current = this.#current;
    if (current && (current.final || current.restored)) return current;
    const have = this.#held.size;
    if (current && have < current.generation.files * 1.5 + 4) return current;
    const paths = [...this.#held.keys()].sort(comparePaths);
    const workspace = new engine.Workspace(true);
    for (const path of paths) workspace.add(path, this.#held.get(path).analysis);
    const generation = workspace.commit();
    this.#replace({ workspace, generation, name: "", restored: false, graph: true, final: false, fromStore: false });
    return this.#current;
  }

  /** A workspace that knows who uses whom, which no snapshot tells. */
  async #withGraph() {
    const current = await this.#searchable();
    if (current.graph) return current;
    // What is missing is made of the files, so it waits until the folder has been looked at.
    return this.#alone(async () => {
      const { graph, fromStore } = await this.#searchable();
      if (graph) return this.#current;
      await this.#built();
      this.#current.fromStore = fromStore;
      return this.#current;
    });
  }

  search({ query: asked, json, layout }, { isDropped }) {
    return this.#answering(async () => {
      await nextTurn();
      if (isDropped()) throw new SeekwellError("cancelled", "cancelled");
      const query = this.#withSettings(asked);
      const needle = engine.needleOf(query);
      // A pattern that cannot be read is told before a tree of files is.
      if (needle) engine.scan(EMPTY, needle);
      const scanned = query.mode === "exact" || query.mode === "regex";
      for (let attempt = 0; ; attempt += 1) {
        const told = scanned ? await this.#scanned(query, needle, isDropped) : await this.#find(query, needle, isDropped);
        const { found, generation, free } = told;
        try {
          const answer = found.answer;
          const { texts, stale } = await this.#snippets(answer.hits);
          if (stale.size && this.#whole && attempt < MOST_ATTEMPTS) {
            await this.#lookAgain([...stale.keys()]);
            continue;
          }
          if (json) return found.toJson(this.#around(told), texts, defined(layout));
          answer.hits.forEach((hit, at) => {
            hit.snippet = texts[at];
            delete hit.contentHash;
          });
          answer.notes.push(...stale.values());
          return { ...answer, partial: !this.#whole, files: Math.max(generation.files, told.searched ?? 0) };
        } finally {
          found.free();
          free?.();
        }
      }
    });
  }

  /** What the tree's settings say where the question says nothing. */
  #withSettings(query) {
    const { limit, content } = this.#settings;
    return defined({ ...query, limit: query.limit ?? limit, content: query.content ?? (content === "all" ? undefined : content) });
  }

  async #find(query, needle, isDropped) {
    const current = await this.#searchable();
    const matches = needle ? (await this.#scan(needle, isDropped)).matches : [];
    const { workspace, generation, fromStore } = this.#current ?? current;
    return { found: workspace.find(query, matches), generation, fromStore };
  }

  /** In the modes exact and regex only files that match are put together. */
  async #scanned(query, needle, isDropped) {
    const { matches, searched, skipped } = await this.#scan(needle, isDropped);
    const workspace = new engine.Workspace(false);
    try {
      await this.#addAll(workspace, matches.map((match) => match.path).filter((path) => this.#entries.get(path)?.name));
      const generation = workspace.commit();
      const found = workspace.find(query, matches);
      return { found, generation, searched, skipped, fromStore: false, free: () => workspace.free() };
    } catch (error) {
      if (!isTrap(error)) workspace.free();
      throw error;
    }
  }

  /** Where a needle stands, by path. */
  async #scan(needle, isDropped) {
    const [matches, skipped] = [[], []];
    let searched = 0;
    const files = [...this.#found.values()].sort((a, b) => comparePaths(a.path, b.path));
    for (const { path, numbers, skipped: skip } of await this.#through(files, "scan", { needle }, isDropped)) {
      if (skip) skipped.push({ path, ...skip });
      else searched += 1;
      if (numbers?.length) matches.push({ path, spans: [...numbers] });
    }
    return { matches, searched, skipped };
  }

  /** Has all files looked through, on all analysts; what comes of it is in the order of the files. */
  async #through(files, name, argument, isDropped) {
    const analysts = await this.analysts();
    const batches = [];
    for (const file of files) {
      const last = batches.at(-1);
      if (last && last.files.length < 4 * BATCH_FILES && last.bytes + file.size <= 4 * BATCH_BYTES) {
        last.files.push(file);
        last.bytes += file.size;
      } else {
        batches.push({ files: [file], bytes: file.size });
      }
    }
    const results = new Array(batches.length);
    let next = 0;
    const work = async (analyst) => {
      while (next < batches.length) {
        if (isDropped?.()) throw new SeekwellError("cancelled", "cancelled");
        const at = next++;
        const sources = batches[at].files.map(({ path, source }) => ({ path, source }));
        results[at] = await analyst.channel.ask(name, { files: sources, limit: this.limit, ...argument });
      }
    };
    await Promise.all(analysts.map(work));
    return results.flat();
  }

  /** The text of each hit, read from the file again; and where that has changed meanwhile, what a reader is told. */
  async #snippets(hits) {
    const stale = new Map();
    const texts = [];
    for (const { path, startLine, endLine, contentHash } of hits) {
      let text = "";
      // Before the folder was walked, a snapshot knows files of which it is not yet known where they are.
      if (!this.#whole && !this.#found.has(path)) {
        texts.push(text);
        continue;
      }
      try {
        const bytes = await this.#bytesOf(path);
        if (engine.contentHash(bytes) !== contentHash) stale.set(path, `changed while it was searched: ${path}`);
        text = engine.snippet(bytes, startLine, endLine);
      } catch (error) {
        stale.set(path, `gone since it was searched: ${path} (${error.message})`);
      }
      texts.push(text);
    }
    return { texts, stale };
  }

  async #bytesOf(path) {
    const file = this.#found.get(path);
    if (!file) throw new SeekwellError("gone", this.#whole ? "no such file" : "the folder is still being listed");
    const { bytes, size } = await readSource(file.source, this.limit);
    if (!bytes) throw new SeekwellError("gone", engine.tooLarge(size, this.limit));
    return bytes;
  }

  /** Looks at some files again, and brings the index up to date. */
  #lookAgain(paths) {
    return this.#alone(async () => {
      const crew = new Crew(this, { lookedAt: Date.now(), racy: engine.racyMilliseconds() });
      for (const path of paths) {
        const file = this.#found.get(path);
        if (file) crew.add(file);
      }
      crew.close();
      await crew.work((file, entry) => this.#entries.set(file.path, entry));
      await this.#finish(true);
    });
  }

  ask({ question: asked, json, layout, mermaid }, { isDropped }) {
    return this.#answering(async () => {
      await nextTurn();
      const question = defined(asked);
      if (isDropped()) throw new SeekwellError("cancelled", "cancelled");
      if (question.command === "outline" && json) return this.#outlineJson(question.path, layout);
      const current = await this.#withGraph();
      const placed = question.command === "refs" || question.command === "mentions";
      const found = placed ? await this.#places(question.name, isDropped) : [];
      const told = this.#current.workspace.ask(question, found);
      try {
        if (mermaid) return told.mermaid(this.#around(current));
        const answer = told.answer;
        const lines = placed ? await this.#lines(answer.rows) : [];
        if (json) {
          const files = [...this.#found.keys()].sort(comparePaths);
          return told.toJson(this.#around(current), lines, files, defined(layout));
        }
        answer.rows.forEach((row, at) => (row.line = lines[at] ?? ""));
        return { ...answer, partial: !this.#whole };
      } finally {
        told.free();
      }
    });
  }

  /** As on the command line, where the outline of a file is that of the file alone. */
  async #outlineJson(path, layout) {
    const entry = this.#entries.get(path);
    const [workspace, at] = [new engine.Workspace(true), path.lastIndexOf("/")];
    const name = path.slice(at + 1);
    const root = at < 0 ? this.#root() : `${this.#root()}/${path.slice(0, at)}`;
    let told;
    try {
      if (entry?.name) await this.#makeAll([path]);
      const analysis = this.#analysisOf(this.#entries.get(path));
      if (analysis) workspace.add(name, analysis);
      const generation = workspace.commit();
      told = workspace.ask({ command: "outline", path: name }, []);
      const around = { root, skipped: [], partial: false, restored: false, searched: generation.files };
      return told.toJson(around, [], analysis ? [name] : [], defined(layout));
    } finally {
      told?.free();
      workspace.free();
    }
  }

  /** Where a name stands, in the files that hold it. */
  async #places(name, isDropped) {
    const files = [...this.#found.values()].sort((a, b) => comparePaths(a.path, b.path));
    const identifier = engine.identifierOf(name);
    const all = await this.#through(files, "places", { name: identifier }, isDropped);
    return all.filter((one) => one.numbers?.length).map(({ path, numbers }) => ({ path, numbers: [...numbers] }));
  }

  /** The text of the line of each row's first place. */
  async #lines(rows) {
    const open = new Map();
    const lines = [];
    for (const { places } of rows) {
      const place = places[0];
      if (!place) {
        lines.push("");
        continue;
      }
      if (!open.has(place.path)) open.set(place.path, await this.#bytesOf(place.path).catch(() => EMPTY));
      lines.push(engine.lineText(open.get(place.path), place.line));
    }
    return lines;
  }

  #root() {
    return this.#options.root ?? this.#folder.name;
  }

  #around({ fromStore, searched, skipped }) {
    const all = skipped ? [...this.#left, ...skipped] : this.#skipped();
    return { root: this.#root(), skipped: all, partial: !this.#whole, restored: fromStore, searched: searched ?? 0 };
  }

  #skipped() {
    const files = [...this.#entries.values()].filter((entry) => entry.skipped).map((entry) => entry.skipped);
    const order = (a, b) => comparePaths(a.path, b.path) || comparePaths(a.reason, b.reason) || comparePaths(a.detail, b.detail);
    return [...this.#left, ...files].sort(order);
  }

  async coverage() {
    const none = { id: "", files: 0, chunks: 0, symbols: 0, lossy: [], degraded: [], languages: [] };
    return {
      generation: this.#current?.generation ?? none,
      skipped: this.#skipped(),
      whole: this.#whole,
      analysed: this.#analysed,
      reused: this.#reused,
      bytes: this.#bytes(),
      restored: this.#current?.restored ?? false,
      troubles: this.#troubles,
    };
  }

  async files() {
    const paths = [...this.#entries.values()].filter((entry) => entry.name).map((entry) => entry.path);
    return paths.sort(comparePaths);
  }

  async read({ path }) {
    return this.#answering(async () => {
      const text = engine.decoded(path, await this.#bytesOf(path));
      if (!text) throw new SeekwellError("gone", `its content is not text: ${path}`);
      return text;
    });
  }

  /** An engine that fell over is made anew, and the tree is put together again from its analyses. */
  async #answering(does) {
    if (this.#closed) throw new SeekwellError("closed", "the session was closed");
    // Of a tree that is being put together again an answer would be wrong.
    await this.#mending;
    try {
      return await does();
    } catch (error) {
      if (!isTrap(error)) throw known(error);
      throw this.#fell(error);
    }
  }

  /** After a trap nothing of the instance can be used. */
  #fell(error) {
    let said;
    try {
      said = engine.lastPanic();
    } catch {
      said = undefined;
    }
    engine.__wbg_reset_state();
    this.#current = null;
    this.#snapshot = null;
    this.#shelf.close();
    if (!this.#closed) {
      this.#mending = this.#alone(async () => {
        if (this.#options.persist) await this.#shelf.open();
        await this.#finish(this.#whole);
      }).catch(() => {});
    }
    return new SeekwellError("engine", `the engine failed: ${said ?? error.message}; please report it`);
  }
}

/** What is said, without what is left undefined. */
function defined(given) {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined && value !== null));
}

/** What of the options decides which files are read. */
function rulesOf({ noIgnore, hidden, exclude, excludeExtensions, maxFilesize }) {
  return [noIgnore ?? false, hidden ?? false, exclude ?? [], excludeExtensions ?? [], maxFilesize ?? engine.maxFileSize()];
}

/** What tells two lists of files apart, by path. */
function differences(before, after) {
  const changes = [];
  let [at, to] = [0, 0];
  while (at < before.paths.length || to < after.paths.length) {
    const [mine, theirs] = [before.paths[at], after.paths[to]];
    const order = mine === undefined ? 1 : theirs === undefined ? -1 : comparePaths(mine, theirs);
    const [old, made] = [order <= 0 ? before.names[at++] : undefined, order >= 0 ? after.names[to++] : undefined];
    if (old !== made) changes.push({ path: order <= 0 ? mine : theirs, old, new: made });
  }
  return changes;
}

/** Has files analysed by all analysts, as they come. */
class Crew {
  #keeper;
  #moment;
  #queue = [];
  #open = true;
  #wake = [];

  constructor(keeper, moment) {
    this.#keeper = keeper;
    this.#moment = moment;
  }

  /** A file; with what came of it before, if its analysis is at hand or can be made without parsing. */
  add(file, before) {
    this.#queue.push({ file, before, tries: 0 });
    this.#wakeUp();
  }

  /** No more files come. */
  close() {
    this.#open = false;
    this.#wakeUp();
  }

  /** Works until all is done; `done` is told of each file. */
  async work(done) {
    const analysts = await this.#keeper.analysts();
    const lanes = analysts.flatMap(({ number }) => Array.from({ length: AHEAD }, () => this.#lane(number, done)));
    await Promise.all(lanes);
  }

  async #lane(number, done) {
    for (;;) {
      const batch = this.#batch();
      if (batch.length) await this.#have(number, batch, done);
      else if (this.#open) await new Promise((wake) => this.#wake.push(wake));
      else return;
    }
  }

  #wakeUp() {
    const waiting = this.#wake;
    this.#wake = [];
    waiting.forEach((wake) => wake());
  }

  #batch() {
    // What was looked at before is made again all the same.
    if (this.#keeper.isClosed || (this.#keeper.isCancelled && !this.#moment.again)) this.#queue.length = 0;
    const batch = [];
    let bytes = 0;
    while (this.#queue.length && batch.length < BATCH_FILES) {
      const next = this.#queue[0];
      // A file that brought a worker down is tried on its own.
      if (batch.length && (next.tries || batch[0].tries || bytes + next.file.size > BATCH_BYTES)) break;
      batch.push(this.#queue.shift());
      bytes += next.file.size;
    }
    return batch;
  }

  async #have(number, batch, done) {
    const keeper = this.#keeper;
    const analyst = (await keeper.analysts())[number];
    const files = batch.map(({ file: { path, source }, before }) => ({ path, source, expected: before?.name }));
    const late = setTimeout(() => keeper.dismiss(number), PATIENCE);
    try {
      const asked = { files, limit: keeper.limit, persist: keeper.persists };
      const { results, trouble } = await analyst.channel.ask("analyse", asked);
      keeper.takeTrouble(trouble);
      results.forEach((result, at) => done(batch[at].file, keeper.take(batch[at].file, result, this.#moment, batch[at].before)));
    } catch (error) {
      if (error.code === "closed") return;
      for (const { file, before, tries } of batch) {
        if (batch.length === 1 && tries > 0) {
          keeper.crashed(file.path);
          const skipped = { reason: "limit", detail: error.message };
          done(file, keeper.take(file, { path: file.path, skipped }, this.#moment));
        } else {
          this.#queue.unshift({ file, before, tries: tries + 1 });
        }
      }
    } finally {
      clearTimeout(late);
    }
  }
}
