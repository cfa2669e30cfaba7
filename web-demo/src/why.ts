/** Why a hit is where it is, in words. */

import type { Signal } from "seekwell";

/** What a family of signals says of a place, for it and against it. */
const FAMILIES: Record<string, [string, string]> = {
  words: ["its words", "its words"],
  doc: ["its documentation", "its documentation"],
  meaning: ["its meaning", "its meaning"],
  path: ["its path", "its path"],
  define: ["the names it defines", "the names it defines"],
  text: ["the text as asked", "the text as asked"],
  asked: ["what was asked for", "what was asked for"],
  docs: ["being a document", "being a document"],
  config: ["being settings", "being settings"],
  prior: ["the kind of file", "the kind of file"],
};

/** One family's share of the score. */
export interface Reason {
  family: string;
  label: string;
  /** What it added to the score, or took away, before the score was brought between 0 and 1. */
  share: number;
  /** The same over the largest of the families. */
  relative: number;
  signals: Signal[];
}

/** The families of a hit's signals, the weightiest first. */
export function reasons(signals: Signal[]): Reason[] {
  const families = new Map<string, Signal[]>();
  for (const signal of signals) {
    const family = signal.name.split(".")[0]!;
    const list = families.get(family);
    if (list) list.push(signal);
    else families.set(family, [signal]);
  }
  const all = [...families].map(([family, list]) => {
    const share = list.reduce((sum, signal) => sum + signal.value * signal.weight, 0);
    const [good, bad] = FAMILIES[family] ?? [family, family];
    return { family, label: share >= 0 ? good : bad, share, relative: 0, signals: list };
  });
  const most = Math.max(...all.map((reason) => Math.abs(reason.share)), Number.EPSILON);
  for (const reason of all) reason.relative = reason.share / most;
  return all.sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
}

/** One line: `its meaning, its words`. */
export function inWords(signals: Signal[]): string {
  const strong = reasons(signals).filter((reason) => reason.share > 0 && reason.relative >= 0.2);
  return strong
    .slice(0, 3)
    .map((reason) => reason.label)
    .join(", ");
}
