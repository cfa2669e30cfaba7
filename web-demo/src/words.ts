/** Figures in words. */

/** `1 file`, `1,204 files`. */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** `3.4 MB`. Of thousands, as file managers count. */
export function bytes(number: number): string {
  for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["KB", 1e3]] as const) {
    if (number >= size) return `${(number / size).toPrecision(number >= 100 * size ? 3 : 2)} ${unit}`;
  }
  return count(number, "byte");
}

/** `about 4 s left`, `about 2 min left`. */
export function left(seconds: number): string {
  if (seconds < 1.5) return "a moment left";
  return seconds < 90 ? `about ${Math.round(seconds)} s left` : `about ${Math.round(seconds / 60)} min left`;
}

/** `today`, `yesterday`, `12 days ago`. */
export function ago(when: number): string {
  const days = Math.floor((Date.now() - when) / 86_400_000);
  return days <= 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`;
}

/** What the engine says of a question or a file, without the clause that names an option of the command line. */
export const plain = (said: string): string => said.replace(/[;:] [^;:]*--[a-z][^;:]*$/, "");

/** The same, as a sentence. Of a regular expression the engine draws where it fails, which fits no line of prose. */
export const sentence = (said: string): string => {
  const words = plain(said.replace(/regex parse error:[^]*\nerror: /, ""));
  return `${words[0]?.toUpperCase() ?? ""}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;
};
