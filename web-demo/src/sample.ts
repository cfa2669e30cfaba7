/** The project that the page carries: seekwell's own source, packed when the page was built. */

import { type Folder, folderOfTexts } from "seekwell";
import packed from "virtual:sample";

/** Its name. */
export const SAMPLE = "seekwell’s own source";

/** Questions that it answers. */
export const QUESTIONS = ["where are ignore rules applied", "how is a file cut into chunks", "what happens after a trap"];

let text: Promise<string> | undefined;

/** Fetches it, once: before the page forbids itself every connection. */
export function fetchSample(): Promise<string> {
  text ??= fetch(packed).then((response) => {
    if (!response.ok) throw new Error(`The sample project could not be fetched: ${response.status}.`);
    return response.text();
  });
  return text;
}

const files = async (): Promise<Record<string, string>> => JSON.parse(await fetchSample()) as Record<string, string>;

/** Its files. */
export const sample = async (): Promise<Folder> => folderOfTexts(SAMPLE, await files());

/** A place that answers the first of the questions, for people to see what an answer looks like. */
export interface Specimen {
  path: string;
  start: number;
  lines: string;
}

/** Lines that are shown of it. */
const SHOWN = 10;

/** The place: cut out of the source as it is now, or none if it is not there any more. */
export async function specimen(): Promise<Specimen | null> {
  const path = "engine/admit/src/lib.rs";
  const lines = (await files())[path]?.split("\n") ?? [];
  const at = lines.findIndex((line) => line.includes("The rule of git's that ignores an entry"));
  return at < 0 ? null : { path, start: at + 1, lines: lines.slice(at, at + SHOWN).join("\n") };
}
