/**
 * seekwell in the browser: the engine of the command line over a folder that the user picks.
 *
 * ```js
 * import { openSession, folderOfHandle } from "seekwell";
 *
 * const session = openSession(folderOfHandle(await showDirectoryPicker()));
 * session.addEventListener("progress", () => console.log(session.progress));
 * const answer = await session.search({ text: "retry with backoff" }); // from what there is so far
 * await session.ready;                                                 // everything is in
 * console.log(await session.searchJson({ text: "retry with backoff" })); // the bytes of `seekwell --json`
 * ```
 *
 * Nothing here opens a connection; the package's own files are all that it loads. It needs neither SharedArrayBuffer nor
 * special headers, and runs in Node too (persistence is off there, unless `globalThis.indexedDB` is there).
 *
 * Lines are one-based and inclusive, columns one-based in bytes of the decoded line, byte spans half-open in the file as it
 * is on disk. Paths are relative to the folder, with `/` between names.
 *
 * @module seekwell
 */

// ---------------------------------------------------------------------------------------------------------------- folders

/** What lies in a folder. */
export interface FolderEntry {
  /** Its name. */
  name: string;
  /** What it is; links and special files can be told apart in Node only. */
  kind: "file" | "folder" | "link" | "special";
  /** For a file: where its bytes are. */
  file?: FileSource;
  /** For a folder: the folder. */
  folder?: Folder;
  /** For a link: what it says, and where it leads. For a special file: what it is (`fifo`). */
  detail?: string;
  /** For a link: what it leads to. A link to a `file` inside the folder is read. */
  target?: { kind: "file" | "folder" | "special" | "outside" | "missing"; path?: string };
}

/** Where the bytes of a file are: a value that can be sent to a worker. */
export type FileSource =
  | { kind: "handle"; handle: FileSystemFileHandle }
  | { kind: "file"; file: File }
  | { kind: "bytes"; bytes: Uint8Array }
  | { kind: "path"; path: string; size: number; modified: number };

/**
 * A folder that can be searched. Made by the functions below; it can be sent to a worker.
 */
export type Folder =
  | { kind: "handle"; name: string; handle: FileSystemDirectoryHandle }
  | { kind: "files"; name: string; files: { path: string; file: File }[] }
  | { kind: "bytes"; name: string; files: { path: string; bytes: Uint8Array }[] }
  | { kind: "path"; name: string; path: string };

/** The folder of `showDirectoryPicker()`, of a drop, or of the origin's private file system. A second visit can find its index. */
export function folderOfHandle(handle: FileSystemDirectoryHandle): Folder;

/** The folder of `<input type="file" webkitdirectory>`: its files, with their relative paths. */
export function folderOfFiles(files: Iterable<File>): Folder;

/**
 * What was dropped. Must be called in the `drop` event itself, before anything is awaited; gives a handle where the browser
 * has them, else the files. Rejects with a {@link SeekwellError} of code `not-a-folder` for a drop without a folder.
 */
export function folderOfDrop(data: DataTransfer): Promise<Folder>;

/** A folder of texts in memory, such as a sample project: path to content. */
export function folderOfTexts(name: string, files: Record<string, string | Uint8Array>): Folder;

/** A folder on disk. In Node only. */
export function folderOfPath(path: string): Folder;

// --------------------------------------------------------------------------------------------------------------- questions

/** How a question is answered: words, meaning and structure together; one of them; the text itself; a regular expression. */
export type Mode = "hybrid" | "semantic" | "keyword" | "exact" | "regex";

/** What kind of content a file holds. */
export type Content = "code" | "docs" | "config";

/** A question with its filters. Filters act before anything is ranked; `limit` never changes the order. */
export interface Query {
  /** What is asked, as typed. */
  text: string;
  /** How it is answered; `hybrid` by default. */
  mode?: Mode;
  /** Hits at most; 10 by default. */
  limit?: number;
  /** Hits of one file at most; 1 by default. */
  perFile?: number;
  /** Hits that are passed over first; 0 by default. */
  offset?: number;
  /** Languages that a hit may have, by id, name, alias or extension; any by default. */
  languages?: string[];
  /** Globs as ripgrep's `-g`: a path must match one of those without `!`, and none of those with it. */
  globs?: string[];
  /** A folder or file that the path must lie in. */
  path?: string;
  /** Symbol kinds that a hit may have, in any language's words (`fn`, `struct`); any by default. */
  kinds?: string[];
  /** The content class that a hit must have; any by default. */
  content?: Content;
  /** Whether hits carry their {@link Signal}s. */
  explain?: boolean;
}

/** One named part of a score; its share is `value * weight`, and the score grows with the sum of shares. */
export interface Signal {
  /** Its name in the documentation of the ranking. */
  name: string;
  /** What was measured. */
  value: number;
  /** Its weight for this kind of question. */
  weight: number;
}

/** One place that answers a question. */
export interface Hit {
  /** The file. */
  path: string;
  /** First line. */
  startLine: number;
  /** Last line. */
  endLine: number;
  /** First byte. */
  startByte: number;
  /** One past the last byte. */
  endByte: number;
  /** Language id; `text` where there is none. */
  language: string;
  /** Symbol kind (`function`), `section` in prose, or `text`. */
  kind: string;
  /** Name of the symbol defined here, with its containers (`Client::send`); empty if none. */
  symbol: string;
  /** One line for a reader: signature and first sentence of the documentation, heading, or first line. */
  description: string;
  /** Between 0 and 1. */
  score: number;
  /** The text of these lines, read from the file for this answer. */
  snippet: string;
  /** Other files whose text at this place is identical. */
  alsoIn: string[];
  /** What the score is made of, the largest share first; empty unless asked for. */
  signals: Signal[];
}

/** How a question was understood. */
export interface Route {
  /** Words; one identifier; text as it stands; a regular expression. */
  kind: "natural" | "symbol" | "literal" | "regex";
  /** One sentence for a reader. */
  why: string;
}

/** What is known of a tree that can be searched. */
export interface Generation {
  /** Its identity: the same for the same files and engine, here and on the command line. */
  id: string;
  /** Files searched. */
  files: number;
  /** Chunks. */
  chunks: number;
  /** Symbols. */
  symbols: number;
  /** Files decoded with loss, by path. */
  lossy: { path: string; encoding: string }[];
  /** Files that are searched as text, since their structure was given up, by path. */
  degraded: { path: string; reason: string }[];
  /** Files per language, by id. */
  languages: { language: string; files: number }[];
}

/** The answer to a question. */
export interface Answer {
  /** How the question was understood. */
  route: Route;
  /** The hits, best first. */
  hits: Hit[];
  /** How many hits there are without `offset` and `limit`. */
  total: number;
  /** Whether the best hit is unlikely to answer the question. */
  weak: boolean;
  /** Whether nothing matches. */
  notFound: boolean;
  /** When weak or not found: names of this tree that come nearest to the words of the question. */
  nearest: string[];
  /** What a reader should know about this answer, a sentence each. */
  notes: string[];
  /** Whether only a part of the tree was searched: it is still being read, or that was cancelled. */
  partial: boolean;
  /** Files that were searched for this answer. */
  files: number;
}

/** A definition. */
export interface CodeSymbol {
  /** Its name. */
  name: string;
  /** The names around it; empty at the top. */
  container: string;
  /** Its kind. */
  kind: string;
  /** Language id. */
  language: string;
  /** The file. */
  path: string;
  /** First line, with comments and decorators. */
  startLine: number;
  /** Last line. */
  endLine: number;
  /** First byte, likewise. */
  startByte: number;
  /** One past the last byte. */
  endByte: number;
  /** Line of its name. */
  nameLine: number;
  /** Column of its name. */
  nameColumn: number;
  /** Its signature or heading, on one line. */
  signature: string;
  /** The first sentence of its documentation. */
  doc: string;
  /** The share of the tree's functions and types that it ranks above by PageRank, 0 to 1. */
  importance: number;
  /** Whether it is a test. */
  test: boolean;
}

/** What a name does where it stands. */
export type Role = "definition" | "call" | "import" | "extends" | "read" | "write" | "mention" | "text";

/** How it is known what a use means, the surest first. */
export type Confidence = "scope" | "file" | "import" | "package" | "receiver" | "unique" | "ambiguous" | "external";

/** A place of a name. */
export interface Place {
  /** The file. */
  path: string;
  /** Line. */
  line: number;
  /** Column. */
  column: number;
  /** First byte. */
  startByte: number;
  /** One past the last byte. */
  endByte: number;
  /** What the name does there. */
  role: Role;
}

/** One part of an answer about structure. */
export interface Row {
  /** The symbol that it is about: who uses, what is used, what is around a place. Null at the top of a file, and for what is not in the tree. */
  symbol: CodeSymbol | null;
  /** The name that is used; the file's path where no symbol is around. */
  name: string;
  /** Which of the answer's subjects it belongs to, where that is known. */
  subject: number | null;
  /** Where the uses stand. */
  places: Place[];
  /** The text of the line of the first place, for `references` and `mentions`; else empty. */
  line: string;
  /** How it is known what they mean. */
  confidence: Confidence | null;
  /** The definitions that are meant, where these are several. */
  candidates: CodeSymbol[];
  /** How many these are. */
  candidateCount: number;
  /** Steps from a subject. */
  depth: number;
  /** The row that it hangs below. */
  parent: number | null;
}

/** A file of a map. */
export interface MapFile {
  /** The file. */
  path: string;
  /** Language id. */
  language: string;
  /** Its rank among the files, 0 to 1. */
  importance: number;
  /** The symbols that matter in it. */
  symbols: CodeSymbol[];
  /** Files of the tree that it uses. */
  uses: string[];
}

/** The answer to a question about structure. */
export interface StructureAnswer {
  /** What the question's name can mean. */
  subjects: CodeSymbol[];
  /** The rows; empty for a map. */
  rows: Row[];
  /** The files of a map; else empty. */
  files: MapFile[];
  /** How many rows or files there are. */
  total: number;
  /** Whether the name or file is not in the tree. */
  notFound: boolean;
  /** Names that come nearest, if it is not. */
  nearest: string[];
  /** What a reader should know, a sentence each. */
  notes: string[];
  /** Whether only a part of the tree was looked at. */
  partial: boolean;
}

/** A question about structure. Names may be qualified as any language writes it: `Client::get`, `Client.get`. */
export type StructureQuestion =
  | { command: "outline"; path: string }
  | { command: "def" | "refs" | "callers" | "callees" | "mentions"; name: string }
  | { command: "impact"; name: string; depth?: number }
  | { command: "path"; from: string; to: string }
  | { command: "map"; task?: string; files?: number }
  | { command: "affected"; changes?: { path: string; lines?: { start: number; end: number }[] }[]; names?: string[] };

/** What is printed of an answer in JSON. */
export interface Layout {
  /** How much of each hit; `full` by default. */
  depth?: "abstract" | "overview" | "full";
  /** Tokens that the whole may take, of four bytes each; at least 256. */
  budget?: number;
  /** For answers about structure: rows at most. */
  limit?: number;
  /** For answers about structure: rows that are passed over first. */
  offset?: number;
}

// --------------------------------------------------------------------------------------------------------------- sessions

/** Which files are read. The rules are those of the command line. */
export interface WalkOptions {
  /** Read what ignore files exclude, too. */
  noIgnore?: boolean;
  /** Read hidden files and folders outside of a git work tree, too. */
  hidden?: boolean;
  /** Excluded paths, in gitignore syntax. */
  exclude?: string[];
  /** Excluded extensions. */
  excludeExtensions?: string[];
  /** Size in bytes above which a file is not read; 8 MiB by default. */
  maxFilesize?: number;
}

/** How a session works. */
export interface SessionOptions extends WalkOptions {
  /** Workers that analyse; by default as many as the machine has threads, less one, between 1 and 8. */
  workers?: number;
  /** Whether analyses and snapshots are kept in IndexedDB, where there is one; true by default. */
  persist?: boolean;
  /** What `root` says in JSON; the folder's name by default. */
  root?: string;
  /** Ends the reading when aborted: what was read by then can be searched. */
  signal?: AbortSignal;
}

/** A path that is not searched, with the reason. */
export interface Skipped {
  /** The path; folders end with `/`. */
  path: string;
  /** `ignored`, `hidden`, `binary`, `too-large`, `unreadable`, `special-file`, `link`, `minified`, `limit`, …: an open list. */
  reason: string;
  /** What a reader can act on: the rule and its file, the size, the error. */
  detail: string;
}

/** What of a folder is searched, and what is not. */
export interface Coverage {
  /** What is searched. */
  generation: Generation;
  /** What is not, by path. */
  skipped: Skipped[];
  /** Whether this is all there is: false while the folder is read, and after that was cancelled. */
  whole: boolean;
  /** Files that were parsed in this session. */
  analysed: number;
  /** Files that were read and not parsed, since IndexedDB has what parsing found. */
  reused: number;
  /** Bytes of the files that are searched. */
  bytes: number;
  /** Whether the folder could be searched at once, from a snapshot of an earlier visit. */
  restored: boolean;
  /** What could not be kept or read back, a sentence each. The answers are right without it. */
  troubles: Trouble[];
}

/** Something that went wrong without harm to the answers. */
export interface Trouble {
  /** `storage-full`: nothing more is kept. `storage-blocked`: another tab holds an older version. `storage-off`: the browser
   * refuses. `damaged`: a record was removed, and made again. `crashed`: a worker fell over a file and was replaced. */
  code: "storage-full" | "storage-blocked" | "storage-off" | "damaged" | "crashed";
  /** For a reader. */
  message: string;
}

/** How far a session is. */
export interface Progress {
  /** `listing` the folder, `analysing` files, `indexing` what came of them, then `ready` or `cancelled`; `failed` if the folder
   * cannot be listed at all. */
  stage: "listing" | "analysing" | "indexing" | "ready" | "cancelled" | "failed";
  /** Files done. */
  done: number;
  /** Files in all; grows while listing. */
  total: number;
  /** Bytes done. */
  bytesDone: number;
  /** Bytes in all. */
  bytesTotal: number;
  /** Seconds that are left, by the speed so far; null while that is not known. */
  secondsLeft: number | null;
  /** Files that a search answers from now. */
  searchable: number;
  /** Paths skipped so far. */
  skipped: number;
}

/** What a refresh came to. */
export interface Refreshed {
  /** Files whose content has changed. */
  changed: number;
  /** New files. */
  added: number;
  /** Files that are gone. */
  gone: number;
}

/** What can be acted on when something fails. */
export type ErrorCode =
  | "empty-query" // the question holds no text
  | "pattern" // not a regular expression
  | "glob" // not a glob
  | "unknown-language" // no such language; the message names the nearest
  | "unknown-kind" // no such symbol kind
  | "budget" // below the least that holds an answer
  | "config" // .seekwell.toml cannot be read; the message names line and key
  | "not-a-folder" // what was given is no folder
  | "permission" // the folder may not be read: ask for permission, then open again
  | "gone" // the file is not there any more
  | "closed" // the session was closed
  | "cancelled" // an AbortSignal
  | "unsupported" // the browser lacks WebAssembly SIMD or workers
  | "engine"; // a defect: please report it

/** The error of every rejected promise of this package. */
export class SeekwellError extends Error {
  /** What happened. */
  readonly code: ErrorCode;
}

/** A language that the engine tells apart. */
export interface Language {
  /** Stable id. */
  id: string;
  /** Name for readers. */
  name: string;
  /** Other words for it. */
  aliases: string[];
  /** File extensions without the dot. */
  extensions: string[];
  /** Whether there is a grammar: without one, files are searched as text. */
  structured: boolean;
}

/** A file, decoded. */
export interface FileText {
  /** Its text. */
  text: string;
  /** Language id; `text` if none. */
  language: string;
  /** Bytes on disk. */
  bytes: number;
}

/**
 * One folder, opened. Questions may be asked at once; they are answered from what is in by then, and say so.
 *
 * Events: `progress` (often), `change` (what is searched has changed: ask again), `trouble` (see {@link Coverage.troubles}).
 */
export class Session extends EventTarget {
  /** The folder's name. */
  readonly name: string;
  /** How far it is; replaced before each `progress` event. */
  readonly progress: Progress;
  /** Resolves when all is in, or when that was cancelled. Rejects if the folder cannot be listed. */
  readonly ready: Promise<Coverage>;

  /** Answers a question. A later question may overtake an earlier one: pass a signal to drop what is out of date. */
  search(query: Query, options?: { signal?: AbortSignal }): Promise<Answer>;
  /** The same as the JSON of `seekwell search --json`: the same bytes for the same tree, question and `root`. */
  searchJson(query: Query, layout?: Layout): Promise<string>;
  /** Answers a question about structure. */
  ask(question: StructureQuestion, options?: { signal?: AbortSignal }): Promise<StructureAnswer>;
  /** The same as the JSON of `seekwell def|refs|… --json`. */
  askJson(question: StructureQuestion, layout?: Layout): Promise<string>;
  /** The map as Markdown-ready Mermaid text. */
  mermaid(question: { task?: string; files?: number }): Promise<string>;
  /** What is searched, and what is not. */
  coverage(): Promise<Coverage>;
  /** The paths of the files that are searched, in order. */
  files(): Promise<string[]>;
  /** The text of a file as the engine decodes it. */
  read(path: string): Promise<FileText>;
  /** Looks at the folder again, and brings the index up to date with what has changed. */
  refresh(): Promise<Refreshed>;
  /** Stops reading. What is in stays searchable. */
  cancel(): void;
  /** Ends the workers. What was kept stays. */
  close(): Promise<void>;
}

/** How the package comes by what it is made of. */
export interface Settings {
  /** The engine, `engine_bg.wasm` compiled; nothing is fetched then. */
  module?: WebAssembly.Module | Promise<WebAssembly.Module>;
  /** Makes every worker of the package, keepers and analysts alike: a module worker that runs `worker.js`. What a worker is for, and
   * the engine, come by its first message. No worker makes another. In Node, a `Worker` of `node:worker_threads`. */
  createWorker?: () => Worker;
}

/** Sets how the package comes by what it is made of. To be called before anything else. */
export function configure(settings: Settings): void;

/** Opens a folder and begins to read it. Never throws; what goes wrong comes by {@link Session.ready}. */
export function openSession(folder: Folder, options?: SessionOptions): Session;

/** The languages, by id. */
export function languages(): Promise<Language[]>;

/** The kinds that {@link Query.kinds} takes. */
export function kinds(): Promise<string[]>;

/** Version of the engine (`0.1.0`) and the hash under which its analyses are kept. */
export function version(): Promise<{ engine: string; fingerprint: string }>;

// ---------------------------------------------------------------------------------------------------------------- storage

/** A folder that an index is kept of. */
export interface KnownFolder {
  /** Its key. */
  id: string;
  /** Its name. */
  name: string;
  /** Files that are searched. */
  files: number;
  /** Bytes of these files. */
  bytes: number;
  /** Milliseconds since 1970 when it was opened last. */
  opened: number;
  /** The handle, if it was opened by one: `await handle.requestPermission({ mode: "read" })`, then `openSession`. */
  handle: FileSystemDirectoryHandle | null;
}

/** The folders that an index is kept of, the one opened last first; empty where nothing can be kept. */
export function knownFolders(): Promise<KnownFolder[]>;

/** Forgets one folder; analyses that another folder uses stay. */
export function forgetFolder(id: string): Promise<void>;

/** Forgets everything: the database is deleted. Open sessions go on without. */
export function forgetEverything(): Promise<void>;

/** Bytes that this origin uses and may use, as far as the browser says. */
export function storageUsed(): Promise<{ usage: number; quota: number }>;

// ---------------------------------------------------------------------------------------------------------- one at a time

/** What is looked for as it stands. */
export interface Needle {
  /** The text, or the regular expression. */
  pattern: string;
  /** Whether it is a regular expression. */
  regex: boolean;
  /** Whether letters match without regard to case. */
  ignoreCase: boolean;
}

/**
 * The engine without workers, for those who bring their own: everything is synchronous, in this thread. See `engine.d.ts` for
 * its classes `Workspace` and `Admission`, and the functions `analyse`, `scan`, `needleOf`, `snippet`, `occurrences`.
 */
export function loadEngine(): Promise<typeof import("./engine.js")>;
