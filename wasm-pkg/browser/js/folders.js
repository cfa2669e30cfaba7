// Folders: what a caller gives, as values that can be sent to a worker; and in the worker, one way to list them all.

import { diskFolder, readPath } from "./host.js";
import { SeekwellError } from "./errors.js";

// ------------------------------------------------------------------------------------------------------ what a caller gives

/** See index.d.ts. */
export function folderOfHandle(handle) {
  return { kind: "handle", name: handle.name, handle };
}

/** See index.d.ts. */
export function folderOfFiles(files) {
  const found = [];
  let name = "";
  for (const file of files) {
    const [top, ...rest] = (file.webkitRelativePath || file.name).split("/");
    name ||= rest.length ? top : "";
    found.push({ path: rest.length ? rest.join("/") : top, file });
  }
  return { kind: "files", name: name || "files", files: found };
}

/** See index.d.ts. */
export async function folderOfDrop(data) {
  // All of this must be asked for before the event has passed.
  const items = [...data.items].filter((item) => item.kind === "file");
  const handles = items.map((item) => item.getAsFileSystemHandle?.());
  const entries = items.map((item) => item.webkitGetAsEntry?.());
  for (const handle of await Promise.all(handles.map((handle) => handle?.catch(() => null)))) {
    if (handle?.kind === "directory") return folderOfHandle(handle);
  }
  const top = entries.find((entry) => entry?.isDirectory);
  if (!top) throw new SeekwellError("not-a-folder", "no folder was dropped");
  const files = [];
  const open = [{ entry: top, path: "" }];
  while (open.length) {
    const { entry, path } = open.pop();
    for (const child of await allEntries(entry.createReader())) {
      const below = path ? `${path}/${child.name}` : child.name;
      if (child.isDirectory) open.push({ entry: child, path: below });
      else files.push({ path: below, file: await new Promise((done, failed) => child.file(done, failed)) });
    }
  }
  return { kind: "files", name: top.name, files };
}

/** A reader gives a hundred entries at a time. */
async function allEntries(reader) {
  const all = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return all;
    all.push(...some);
  }
}

/** See index.d.ts. */
export function folderOfTexts(name, files) {
  const encoder = new TextEncoder();
  const bytes = (content) => (typeof content === "string" ? encoder.encode(content) : content);
  return { kind: "bytes", name, files: Object.entries(files).map(([path, content]) => ({ path, bytes: bytes(content) })) };
}

/** See index.d.ts. */
export function folderOfPath(path) {
  return { kind: "path", name: path.split(/[\\/]/).filter(Boolean).pop() ?? path, path };
}

// -------------------------------------------------------------------------------------------------------- how it is listed

/**
 * A folder, ready to be listed. `trusts` tells whether the same path, size and time of change mean the same file as at an
 * earlier visit: not if another folder could have been picked under the same name.
 */
export async function openFolder(folder) {
  switch (folder.kind) {
    case "handle":
      if (folder.handle?.kind !== "directory") throw new SeekwellError("not-a-folder", `not a folder: ${folder.name}`);
      return { folder: new HandleFolder(folder.handle), trusts: true };
    case "files":
      return { folder: memoryFolder(folder.files.map(({ path, file }) => [path, fileOf(file)])), trusts: false };
    case "bytes": {
      const held = ({ path, bytes }) => [path, { source: { kind: "bytes", bytes }, size: bytes.length, modified: 0 }];
      return { folder: memoryFolder(folder.files.map(held)), trusts: false };
    }
    case "path":
      return { ...(await diskFolder(folder.path)), trusts: true };
    default:
      throw new SeekwellError("not-a-folder", "not a folder");
  }
}

function fileOf(file) {
  return { source: { kind: "file", file }, size: file.size, modified: file.lastModified };
}

class HandleFolder {
  constructor(handle) {
    this.handle = handle;
  }

  async entries() {
    const children = [];
    for await (const child of this.handle.values()) children.push(child);
    return Promise.all(children.map(entryOf));
  }
}

async function entryOf(handle) {
  const { name } = handle;
  if (handle.kind === "directory") return { name, kind: "folder", folder: new HandleFolder(handle) };
  try {
    const { size, lastModified } = await handle.getFile();
    return { name, kind: "file", file: { source: { kind: "handle", handle }, size, modified: lastModified } };
  } catch (error) {
    return { name, kind: "unreadable", detail: error.message };
  }
}

class MemoryFolder {
  children = new Map();

  async entries() {
    return [...this.children.values()];
  }
}

function memoryFolder(files) {
  const root = new MemoryFolder();
  for (const [path, file] of files) {
    const names = path.split("/").filter((name) => name && name !== ".");
    const name = names.pop();
    let folder = root;
    for (const step of names) {
      let child = folder.children.get(step);
      if (child?.kind !== "folder") {
        child = { name: step, kind: "folder", folder: new MemoryFolder() };
        folder.children.set(step, child);
      }
      folder = child.folder;
    }
    if (name) folder.children.set(name, { name, kind: "file", file });
  }
  return root;
}

// ---------------------------------------------------------------------------------------------------------- how it is read

/** The bytes of a file as it is now, at most `limit` of them; above that its size alone. */
export async function readSource(source, limit) {
  switch (source.kind) {
    case "handle":
      return readFile(await source.handle.getFile(), limit);
    case "file":
      return readFile(source.file, limit);
    case "bytes":
      return source.bytes.length > limit
        ? { size: source.bytes.length, modified: 0 }
        : { size: source.bytes.length, modified: 0, bytes: source.bytes };
    default:
      return readPath(source.path, limit);
  }
}

async function readFile(file, limit) {
  const stamp = { size: file.size, modified: file.lastModified };
  return file.size > limit ? stamp : { ...stamp, bytes: new Uint8Array(await file.arrayBuffer()) };
}
