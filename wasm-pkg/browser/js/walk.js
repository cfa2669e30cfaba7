// Folder by folder: list, ask the engine what belongs, go on. Git's own files are read as far as they decide that.

import { Admission, maxFileSize, settings, tooLarge } from "./engine.js";
import { SeekwellError } from "./errors.js";
import { openFolder, readSource } from "./folders.js";

/** No ignore or settings file is larger. */
const MAX_IGNORE_FILE = 100 << 20;
/** Linux's index has 10 MB. */
const MAX_INDEX = 1 << 30;
/** `HEAD`, `commondir` and a `.git` file hold one line. */
const MAX_LINE = 1 << 16;

/** A longer settings file is refused unread: settings are short. */
const MAX_SETTINGS = 64 << 10;

const DECODER = new TextDecoder();

/**
 * Walks a folder. `found` is told each file that belongs, `skipped` each path that does not, as they are met; `stopped` is asked
 * between folders.
 */
export async function walk(folder, options, { found, skipped, stopped }) {
  const { folder: root } = await openFolder(folder);
  const said = await settingsOf(root);
  const rules = {
    noIgnore: options.noIgnore ?? false,
    hidden: options.hidden ?? false,
    exclude: [...said.exclude, ...(options.exclude ?? [])],
    excludeExtensions: [...said.excludeExtensions, ...(options.excludeExtensions ?? [])],
  };
  // A tree's settings can only lower the limit.
  const limit = options.maxFilesize ?? Math.min(said.maxFilesize ?? Infinity, maxFileSize());
  const admission = new Admission(rules);
  try {
    await new Walk(root, admission, limit, { found, skipped, stopped }).run();
  } finally {
    admission.free();
  }
  return { limit, settings: said };
}

/** What the tree's `.seekwell.toml` says. */
async function settingsOf(root) {
  const file = (await root.entries()).find((entry) => entry.name === ".seekwell.toml");
  if (!file) return settings("");
  const refuse = (what) => new SeekwellError("config", `.seekwell.toml: ${what}`);
  // A link may lead out of the root.
  if (file.kind !== "file") throw refuse("is not a regular file; replace it by one");
  const { bytes } = await readSource(file.file.source, MAX_SETTINGS);
  if (!bytes) throw refuse(`is larger than ${MAX_SETTINGS} bytes; shorten it`);
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuse("is not UTF-8; save it as UTF-8");
  }
  return settings(text);
}

/** Whether stamps of this folder can be trusted, without walking it. */
export const trustsStamps = (folder) => folder.kind === "handle" || folder.kind === "path";

class Walk {
  constructor(root, admission, limit, told) {
    Object.assign(this, { root, admission, limit, ...told });
    /** Entries of folders on the way to git's files, while these are read. */
    this.onTheWay = new Map();
  }

  async run() {
    const entries = await this.list(this.root, "");
    const judged = this.admission.root(await this.repository("", entries));
    judged.notes.forEach(this.skipped);
    const open = [{ id: judged.id, folder: this.root, path: "", entries, isRoot: true }];
    while (open.length && !this.stopped()) await this.enter(open.pop(), open);
  }

  async enter({ id, folder, path, entries, isRoot }, open) {
    try {
      entries ??= await this.list(folder, path);
    } catch (error) {
      return this.skip(path, "unreadable", error.message);
    }
    const readable = entries.filter((entry) => entry.kind !== "unreadable");
    for (const entry of entries) if (entry.kind === "unreadable") this.skip(path + entry.name, "unreadable", entry.detail);
    const listing = {
      gitignore: await this.gitignore(path, readable),
      repository: isRoot ? undefined : await this.repository(path, readable),
      entries: readable.map(({ name, kind, detail = "", target }) => ({ name, kind, detail, target })),
    };
    const judged = this.admission.enter(id, listing);
    judged.notes.forEach(this.skipped);
    if (judged.skipped) return this.skip(path, judged.skipped.reason, judged.skipped.detail);
    judged.verdicts.forEach((verdict, at) => this.follow(verdict, readable[at], path, open));
  }

  follow(verdict, entry, path, open) {
    const below = path + entry.name;
    if (verdict.what === "admit") {
      const { size } = entry.file;
      if (size > this.limit) this.skip(below, "too-large", tooLarge(size, this.limit));
      else this.found({ path: below, ...entry.file });
    } else if (verdict.what === "descend") {
      open.push({ id: verdict.id, folder: entry.folder, path: `${below}/` });
    } else if (verdict.what === "skip") {
      this.skip(entry.kind === "folder" ? `${below}/` : below, verdict.reason, verdict.detail);
    }
  }

  skip(path, reason, detail) {
    this.skipped({ path: path || "./", reason, detail });
  }

  async list(folder, path) {
    const entries = await folder.entries();
    entries.sort((a, b) => comparePaths(a.name, b.name));
    return entries;
  }

  async gitignore(path, entries) {
    const file = entries.find((entry) => entry.name === ".gitignore" && entry.kind === "file");
    if (!file) return undefined;
    try {
      const { bytes } = await readSource(file.file.source, MAX_IGNORE_FILE);
      if (bytes) return bytes;
      this.skip(`${path}.gitignore`, "unreadable", "not an ignore file; its rules do not hold");
    } catch (error) {
      this.skip(`${path}.gitignore`, "unreadable", `${error.message}; its rules do not hold`);
    }
    return undefined;
  }

  /** What the `.git` of a folder leads to, as far as that lies in the folder that was picked. */
  async repository(path, entries) {
    const dotGit = entries.find((entry) => entry.name === ".git");
    if (!dotGit) return undefined;
    let dir = `${path}.git`;
    if (dotGit.kind === "file") {
      const line = firstLine(await this.bytes(dir, MAX_LINE));
      if (!line?.startsWith("gitdir:")) return undefined;
      dir = join(path, line.slice("gitdir:".length).trim());
    } else if (dotGit.kind !== "folder") {
      return undefined;
    }
    const commonLine = firstLine(await this.bytes(`${dir}/commondir`, MAX_LINE));
    const common = commonLine === undefined ? dir : join(`${dir}/`, commonLine.trim());
    const config = await this.bytes(`${common}/config`, MAX_IGNORE_FILE);
    const configs = config ? [config] : [];
    if (config && /worktreeconfig\s*=\s*(true|yes|on|1)\b/i.test(DECODER.decode(config))) {
      const own = await this.bytes(`${dir}/config.worktree`, MAX_IGNORE_FILE);
      if (own) configs.push(own);
    }
    const info = await this.bytes(`${common}/info/exclude`, MAX_IGNORE_FILE);
    const shared = [];
    for (const entry of (await this.entriesAt(dir)) ?? []) {
      if (!entry.name.startsWith("sharedindex.")) continue;
      const bytes = await this.bytes(`${dir}/${entry.name}`, MAX_INDEX);
      if (bytes) shared.push({ name: entry.name, bytes });
    }
    const stock = (await this.entriesAt(common)) ?? [];
    const has = (name) => stock.some((entry) => entry.name === name && entry.kind === "folder");
    const repository = {
      identity: common,
      head: firstLine(await this.bytes(`${dir}/HEAD`, MAX_LINE)),
      stocked: has("objects") && has("refs"),
      configs,
      index: await this.bytes(`${dir}/index`, MAX_INDEX),
      sharedIndexes: shared,
      excludes: info ? [{ name: `${path}.git/info/exclude`, bytes: info }] : [],
    };
    this.onTheWay.clear();
    return repository;
  }

  /** The bytes of a regular file by its path below the root; undefined if there is none. */
  async bytes(path, limit) {
    const at = path.lastIndexOf("/");
    const entries = await this.entriesAt(path.slice(0, at < 0 ? 0 : at));
    const entry = entries?.find((entry) => entry.name === path.slice(at + 1) && entry.file);
    if (!entry) return undefined;
    try {
      return (await readSource(entry.file.source, limit)).bytes;
    } catch {
      return undefined;
    }
  }

  /** The entries of a folder by its path below the root; undefined if there is none, or if it leads out of the root. */
  async entriesAt(path) {
    const names = path.split("/").filter(Boolean);
    let entries = await this.listedOnce("", this.root);
    for (let depth = 0; depth < names.length; depth += 1) {
      // A name that leads out of the root is the name of no entry.
      const folder = entries?.find((entry) => entry.name === names[depth] && entry.kind === "folder")?.folder;
      entries = folder && (await this.listedOnce(names.slice(0, depth + 1).join("/"), folder));
    }
    return entries;
  }

  async listedOnce(path, folder) {
    if (!this.onTheWay.has(path)) this.onTheWay.set(path, await folder.entries().catch(() => undefined));
    return this.onTheWay.get(path);
  }
}

function firstLine(bytes) {
  return bytes && DECODER.decode(bytes).replace(/[\r\n]+$/, "");
}

/** A path relative to a folder (with its slash), resolved; one that leads out begins with `..`. */
function join(folder, path) {
  const names = path.startsWith("/") ? [".."] : [];
  for (const name of `${folder}${path}`.split("/")) {
    if (name === "" || name === ".") continue;
    if (name === ".." && names.length && names.at(-1) !== "..") names.pop();
    else names.push(name);
  }
  return names.join("/");
}

/** The order of paths' bytes in UTF-8, which for characters beyond the first plane is not that of JavaScript's strings. */
export function comparePaths(a, b) {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    let [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x === y) continue;
    if (x >= 0xd800 && y >= 0xd800) {
      // Surrogates stand for characters above all others.
      x = x >= 0xe000 ? x - 0x800 : x + 0x2000;
      y = y >= 0xe000 ? y - 0x800 : y + 0x2000;
    }
    return x - y;
  }
  return a.length - b.length;
}
