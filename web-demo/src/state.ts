/** All state of the page, and what changes it. Components read the signals and call the functions. */

import { batch, computed, signal } from "@preact/signals";
import {
  type Answer, type Content, type Coverage, type Folder, type Hit, type KnownFolder, type Language, type MapFile,
  type Mode, type Progress, type Query, type Row, SeekwellError, type Session, type StructureAnswer,
  type StructureQuestion, type Trouble, folderOfHandle, forgetEverything, forgetFolder, kinds as kindsOf,
  knownFolders, languages as languagesOf, openSession,
} from "seekwell";
import { Dismissed, permitted } from "./folders";
import { sample } from "./sample";

/** What takes the place of the hits. */
export type View = { kind: "search" } | { kind: "file"; path: string; start: number; end: number } | { kind: "coverage" };

/** Whether the engine is here. */
export type Loading = { state: "loading"; part: number } | { state: "ready" } | { state: "failed"; message: string };

export const loading = signal<Loading>({ state: "loading", part: 0 });
export const allLanguages = signal<Language[]>([]);
export const allKinds = signal<string[]>([]);
export const known = signal<KnownFolder[]>([]);
export const folder = signal<{ name: string; sample: boolean } | null>(null);
export const progress = signal<Progress | null>(null);
export const troubles = signal<Trouble[]>([]);
export const view = signal<View>({ kind: "search" });
export const help = signal(false);
/** Something went wrong that a person should know. */
export const fault = signal<string | null>(null);
/** What a screen reader is told. */
export const spoken = signal("");

export const text = signal("");
export const mode = signal<Mode>("hybrid");
export const languages = signal<string[]>([]);
export const kinds = signal<string[]>([]);
export const glob = signal("");
export const content = signal<Content | null>(null);

export const answer = signal<Answer | null>(null);
/** What the answer was asked with: what is marked in it must not run ahead of it. */
export const asked = signal<Query | null>(null);
export const searching = signal(false);
/** The engine's words on a question that it cannot take. */
export const complaint = signal<string | null>(null);
/** Whether the answer was copied just now. */
export const copied = signal(false);
/** The chosen hit, by number; -1 for none. */
export const chosen = signal(-1);
export const map = signal<MapFile[]>([]);
export const coverage = signal<Coverage | null>(null);

export const hits = computed<Hit[]>(() => answer.value?.hits ?? []);
export const chosenHit = computed<Hit | null>(() => hits.value[chosen.value] ?? null);
export const reading = computed(() => {
  const stage = progress.value?.stage;
  return stage === "listing" || stage === "analysing" || stage === "indexing";
});
export const filters = computed(
  () => languages.value.length + kinds.value.length + (glob.value.trim() ? 1 : 0) + (content.value ? 1 : 0),
);

/** Hits of one page. */
const PAGE = 10;
/** Files of the map. */
const MAP_FILES = 24;
/** Pause in typing before a question is asked, in milliseconds: shorter than a person notices. */
const PAUSE = 60;
/** Milliseconds between two looks at a folder that is still being read. */
const LOOK = 800;

let session: Session | null = null;
/** Ends the question before, when there is a new one. */
let asking = new AbortController();
let pause: ReturnType<typeof setTimeout> | undefined;

/** The folder that is open. */
export const current = (): Session | null => session;

/** Takes the engine into use. */
export async function ready(): Promise<void> {
  [allLanguages.value, allKinds.value] = await Promise.all([languagesOf(), kindsOf()]);
  loading.value = { state: "ready" };
  await recall();
}

/** Reads what was opened on earlier visits. */
export async function recall(): Promise<void> {
  known.value = await knownFolders().catch(() => []);
}

/** Opens what a person chose; what goes wrong is told. */
export async function choose(way: () => Promise<Folder | null>): Promise<void> {
  fault.value = null;
  try {
    const chosen = await way();
    if (chosen) begin(chosen, false);
  } catch (error) {
    if (!(error instanceof Dismissed)) fault.value = message(error);
  }
}

/** Opens the sample project, and asks it something. */
export async function openSample(question = ""): Promise<void> {
  fault.value = null;
  try {
    begin(await sample(), true);
    text.value = question;
  } catch (error) {
    fault.value = message(error);
  }
}

/** Opens a folder of an earlier visit. Must be called from a click or a key, for the browser asks for permission. */
export const openKnown = (entry: KnownFolder): Promise<void> =>
  choose(async () => {
    await permitted(entry.handle!);
    return folderOfHandle(entry.handle!);
  });

function begin(source: Folder, isSample: boolean): void {
  void session?.close();
  clearTimeout(pause);
  asking.abort();
  const opened = openSession(source);
  session = opened;
  batch(() => {
    folder.value = { name: opened.name, sample: isSample };
    progress.value = opened.progress;
    troubles.value = [];
    answer.value = null;
    asked.value = null;
    complaint.value = null;
    map.value = [];
    coverage.value = null;
    chosen.value = -1;
    text.value = "";
    mode.value = "hybrid";
    clearFilters();
    view.value = { kind: "search" };
  });
  place = null;
  const mine = (): boolean => opened === session;
  opened.addEventListener("progress", () => {
    if (mine()) progress.value = opened.progress;
  });
  let looked = -LOOK;
  let late: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(late);
    const due = looked + LOOK - performance.now();
    if (due > 0) {
      late = setTimeout(look, due);
    } else if (mine()) {
      looked = performance.now();
      again();
    }
  };
  opened.addEventListener("change", () => mine() && look());
  opened.addEventListener("trouble", () => mine() && void refreshCoverage());
  opened.ready.then(
    (all) => {
      if (!mine()) return;
      progress.value = opened.progress;
      covered(all);
      again();
      spoken.value =
        opened.progress.stage === "cancelled"
          ? `Reading was stopped. ${all.generation.files} files can be searched.`
          : `All ${all.generation.files} files can be searched.`;
      void recall();
    },
    (error: unknown) => {
      if (mine()) fault.value = message(error);
    },
  );
}

/** What is searched has changed. */
function again(): void {
  if (text.value.trim()) void ask();
  else void refreshMap();
}

async function refreshMap(): Promise<void> {
  const from = session;
  const all = await from?.ask({ command: "map", files: MAP_FILES }).catch(() => null);
  if (all && from === session) map.value = all.files;
}

function covered(all: Coverage): void {
  coverage.value = all;
  troubles.value = all.troubles;
}

/** Asks for what is not searched, and the languages there are. */
export async function refreshCoverage(): Promise<void> {
  const from = session;
  const all = await from?.coverage().catch(() => null);
  if (all && from === session) covered(all);
}

/** Looks at the folder again. */
export async function refresh(): Promise<void> {
  const from = session;
  if (!from) return;
  try {
    const { changed, added, gone } = await from.refresh();
    if (from !== session) return;
    spoken.value = `${changed} files changed, ${added} new, ${gone} gone.`;
    await refreshCoverage();
    again();
  } catch (error) {
    fault.value = message(error);
  }
}

/** The question as it stands. */
function query(): Query {
  const now: Query = {
    text: text.value, mode: mode.value, limit: PAGE, explain: true, languages: languages.value,
    globs: glob.value.split(/[\s,]+/).filter(Boolean), kinds: kinds.value,
  };
  return content.value ? { ...now, content: content.value } : now;
}

/** The question has changed: asks it after a short pause. */
export function changed(): void {
  clearTimeout(pause);
  leave();
  if (text.value.trim()) {
    searching.value = true;
    pause = setTimeout(() => void ask(), PAUSE);
    return;
  }
  asking.abort();
  batch(() => {
    answer.value = null;
    asked.value = null;
    complaint.value = null;
    searching.value = false;
    chosen.value = -1;
  });
  if (map.value.length === 0) void refreshMap();
}

/** Takes all filters away. */
export function clearFilters(): void {
  batch(() => {
    languages.value = [];
    kinds.value = [];
    glob.value = "";
    content.value = null;
  });
}

/** Asks the question as it stands. */
async function ask(): Promise<void> {
  const from = session;
  const now = query();
  asking.abort();
  if (!from || !now.text.trim()) return;
  const mine = new AbortController();
  asking = mine;
  searching.value = true;
  try {
    const found = await from.search(now, { signal: mine.signal });
    if (mine.signal.aborted) return;
    batch(() => {
      // While a folder is read the same question is asked again: the reader keeps their place.
      const before = asked.value?.text === now.text ? chosenHit.value : null;
      const kept = found.hits.findIndex((hit) => hit.path === before?.path && hit.startLine === before.startLine);
      answer.value = found;
      asked.value = now;
      complaint.value = null;
      chosen.value = kept >= 0 ? kept : found.hits.length > 0 ? 0 : -1;
      searching.value = false;
    });
    spoken.value = found.notFound ? "Nothing found." : `${found.total} places found.`;
  } catch (error) {
    if (mine.signal.aborted) return;
    batch(() => {
      complaint.value = message(error);
      searching.value = false;
    });
  }
}

/** Adds the next hits. */
export async function more(): Promise<void> {
  const { value: before } = answer;
  const { value: now } = asked;
  if (!session || !before || !now) return;
  const { signal: over } = asking;
  const found = await session.search({ ...now, offset: before.hits.length }, { signal: over }).catch(() => null);
  if (found && !over.aborted) answer.value = { ...before, hits: [...before.hits, ...found.hits] };
}

/** Puts the answer on the clipboard, in the bytes that the command line prints with `--json`. */
export async function copyJson(): Promise<void> {
  const now = asked.value;
  if (!session || !now) return;
  try {
    await navigator.clipboard.writeText(await session.searchJson(now));
    copied.value = true;
    spoken.value = "Copied.";
    setTimeout(() => (copied.value = false), 2000);
  } catch (error) {
    complaint.value = message(error);
  }
}

/** How far the hits were scrolled when something else took their place; null if nothing did yet. */
let place: number | null = null;
export const leftAt = (): number | null => place;

/** Shows something else than the hits. Back leads here again. */
export function show(next: View): void {
  if (view.value.kind === "search") {
    place = scrollY;
    history.pushState({ seekwell: true }, "");
  }
  view.value = next;
}

/** Back to the hits. */
export function leave(): void {
  if (view.value.kind === "search") return;
  // At once, so that a second call does not go back farther.
  view.value = { kind: "search" };
  if ((history.state as { seekwell?: boolean } | null)?.seekwell) history.back();
}

/** Closes the folder. */
export function close(): void {
  void session?.close();
  session = null;
  clearTimeout(pause);
  asking.abort();
  batch(() => {
    folder.value = null;
    answer.value = null;
    progress.value = null;
    view.value = { kind: "search" };
    fault.value = null;
  });
  void recall();
}

/** Stops reading the folder; what is in stays searchable. */
export const cancel = (): void => session?.cancel();

/** Removes what was kept: of one folder, or everything. */
export async function forget(id?: string): Promise<void> {
  if (id === undefined && folder.value) close();
  try {
    await (id === undefined ? forgetEverything() : forgetFolder(id));
    spoken.value = "Forgotten.";
  } catch (error) {
    fault.value = message(error);
  }
  await recall();
}

/** What a person is told of a fault. */
export function message(error: unknown): string {
  if (error instanceof SeekwellError && error.code === "permission") {
    return "The browser was not allowed to read this folder. Choose it again and allow reading; nothing is ever written.";
  }
  return error instanceof Error ? error.message : String(error);
}

/** What is around a hit: its file's outline, who uses it, what it uses. */
export interface Context {
  outline: StructureAnswer | null;
  users: StructureAnswer | null;
  callees: StructureAnswer | null;
}

/** Asks for what is around a hit. */
export async function around(hit: Hit, signal: AbortSignal): Promise<Context> {
  const from = session;
  if (!from) return { outline: null, users: null, callees: null };
  const ask = (question: StructureQuestion) => from.ask(question, { signal }).catch(() => null);
  const named = hit.symbol !== "" && hit.kind !== "section";
  const [outline, callers, callees] = await Promise.all([
    ask({ command: "outline", path: hit.path }),
    named ? ask({ command: "callers", name: hit.symbol }) : null,
    named ? ask({ command: "callees", name: hit.symbol }) : null,
  ]);
  if (!named || !callers || callers.total > 0) return { outline, users: callers, callees };
  // Nobody calls a type: it is named.
  const references = await ask({ command: "refs", name: hit.symbol });
  const naming = (row: Row): boolean => row.places.some(({ role }) => role !== "definition" && role !== "text");
  const rows = references?.rows.filter(naming) ?? [];
  return { outline, users: references && { ...references, rows, total: rows.length }, callees };
}
