/** The ways to give the page a folder. What of it is searched, the engine decides. */

import { type Folder, folderOfHandle } from "seekwell";

declare global {
  interface Window {
    showDirectoryPicker?: (options?: { id?: string; mode?: "read" }) => Promise<FileSystemDirectoryHandle>;
  }
  interface FileSystemHandle {
    queryPermission?: (options: { mode: "read" }) => Promise<PermissionState>;
    requestPermission?: (options: { mode: "read" }) => Promise<PermissionState>;
  }
}

/** Not a fault: a person closed the dialogue. */
export class Dismissed extends Error {}

const refused = (name: string): Error =>
  new Error(`The browser was not allowed to read ${name}. Choose it again and allow reading; nothing is ever written.`);

/** Whether the browser can keep the way to a folder for the next visit. */
export const canPick = (): boolean => typeof window.showDirectoryPicker === "function";

/** Asks for a folder by the system's dialogue. */
export async function pick(): Promise<Folder> {
  try {
    return folderOfHandle(await window.showDirectoryPicker!({ id: "seekwell", mode: "read" }));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw new Dismissed();
    if (error instanceof DOMException && error.name === "NotAllowedError") throw refused("that folder");
    throw error;
  }
}

/** Asks for the permission to read a folder of an earlier visit. */
export async function permitted(handle: FileSystemDirectoryHandle): Promise<void> {
  // Handles of the origin's private file system need none.
  if (!handle.queryPermission || !handle.requestPermission) return;
  const options = { mode: "read" } as const;
  if ((await handle.queryPermission(options)) === "granted") return;
  if ((await handle.requestPermission(options)) !== "granted") throw refused(`“${handle.name}”`);
}

/** How many files are looked at before the page may draw and listen. */
const SLICE = 200;

/** The folder of an `<input webkitdirectory>`: of 100,000 files, not in one go. */
export async function fromInput(list: FileList): Promise<Folder> {
  const files: { path: string; file: File }[] = [];
  let name = "";
  for (let at = 0; at < list.length; at++) {
    if (at % SLICE === SLICE - 1) await new Promise((resolve) => setTimeout(resolve));
    const file = list[at]!;
    const [first, ...rest] = (file.webkitRelativePath || file.name).split("/");
    name ||= rest.length > 0 ? first! : "files";
    files.push({ path: rest.length > 0 ? rest.join("/") : first!, file });
  }
  return { kind: "files", name: name || "an empty folder", files };
}
