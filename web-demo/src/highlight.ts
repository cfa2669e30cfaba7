/** Colours of code, and the marker over what was asked for. For the eye only. */

import type { HLJSApi } from "highlight.js";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Mode } from "seekwell";

/** A stretch of a line: how it is coloured (empty: not at all), and whether it is marked. */
export interface Token {
  text: string;
  style: string;
  marked: boolean;
}

/** Colouring longer texts would hold up the page; they are shown plain. */
const MOST_COLOURED = 60_000;

/** highlight.js's name of a language where it is not ours; null where it has none. */
const NAMES: Record<string, string | null> = {
  bash: "bash", "c-sharp": "csharp", html: "xml", vue: "xml", svelte: "xml", astro: "xml", proto: "protobuf",
  tsx: "typescript", jsx: "javascript", toml: "ini", hcl: "nix", zig: "rust", text: null, wit: "rust", scheme: null,
};

/** The styles that differ for a reader; all else is plain. */
const STYLES: Record<string, string> = {
  comment: "comment", doctag: "comment", quote: "comment", keyword: "keyword", literal: "keyword", meta: "soft",
  string: "string", regexp: "string", char: "string", number: "string", title: "title", section: "title", name: "title",
  attr: "soft", attribute: "soft", symbol: "string", "selector-tag": "title", "selector-class": "title", bullet: "soft",
};

let colours: HLJSApi | null = null;

/** Fetches the colours. Until they are here, code is plain. */
export async function loadColours(): Promise<void> {
  colours = (await import("./colours")).default;
}

/** Cuts highlight.js's markup into lines of tokens. It holds nothing but text, entities and spans. */
function lines(markup: string): Token[][] {
  const all: Token[][] = [[]];
  const open: string[] = [];
  for (const part of markup.split(/(<[^>]+>)/)) {
    if (part.startsWith("</")) {
      open.pop();
    } else if (part.startsWith("<")) {
      const style = /hljs-([a-z-]+)/.exec(part)?.[1] ?? "";
      open.push(STYLES[style] ?? open.at(-1) ?? "");
    } else if (part) {
      const text = part.replace(/&(lt|gt|amp|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? "");
      text.split("\n").forEach((piece, at) => {
        if (at > 0) all.push([]);
        if (piece) all.at(-1)!.push({ text: piece, style: open.at(-1) ?? "", marked: false });
      });
    }
  }
  return all;
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', "#x27": "'" };

/** Lines end as in the engine: at `\n`, `\r\n` or `\r`. */
export const splitLines = (text: string): string[] => {
  const all = text.split(/\r\n|\n|\r/);
  if (all.at(-1) === "") all.pop();
  return all;
};

/** A text in coloured lines. */
export function coloured(text: string, language: string): Token[][] {
  const plain = splitLines(text);
  const name = language in NAMES ? NAMES[language] : language;
  if (colours && name && text.length <= MOST_COLOURED && colours.getLanguage(name)) {
    const all = lines(colours.highlight(plain.join("\n"), { language: name, ignoreIllegals: true }).value);
    if (all.length >= plain.length) return all.slice(0, plain.length);
  }
  return plain.map(uncoloured);
}

const uncoloured = (line: string): Token[] => (line ? [{ text: line, style: "", marked: false }] : []);

/** What was coloured lately: the hits of one question are mostly those of the one before. */
const lately = new Map<string, Token[][]>();
const MOST_LATELY = 100;

/**
 * A text in lines that are plain at first and coloured soon. Each text is coloured in a task of its own, so that ten hits do not
 * hold up the page at once.
 */
export function useColoured(text: string, language: string): Token[][] {
  const [, draw] = useState(0);
  const key = `${language}\n${text}`;
  useEffect(() => {
    if (lately.has(key)) return undefined;
    const task = setTimeout(() => {
      lately.set(key, coloured(text, language));
      if (lately.size > MOST_LATELY) lately.delete(lately.keys().next().value!);
      draw((times) => times + 1);
    });
    return () => clearTimeout(task);
  }, [key]);
  const there = lately.get(key);
  return useMemo(() => there ?? splitLines(text).map(uncoloured), [key, there]);
}

/** Words that stand everywhere: a mark on them would hide the others. */
const COMMON = new Set(
  ("a an and any are as at be by can do does find for from get has have how i if in is it its not of on or our that " +
    "the there this to was we what when where which who why with").split(" "),
);

/** Finds in a line what was asked for: stretches `[start, end)`, in order, none over another. */
export type Marker = (line: string) => [number, number][];

/** A word's beginning, which its other forms share. */
const stem = (word: string): string =>
  word.length > 4 ? word.replace(/(ations?|ings?|ed|ers?|es|s|e|y|ies|ion)$/, "") || word : word;

/** The marker of a question. */
export function marker(text: string, mode: Mode): Marker {
  if (mode === "regex" || mode === "exact") {
    try {
      const pattern = mode === "exact" ? text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : text;
      const regex = new RegExp(pattern, "gu");
      return (line) =>
        [...line.matchAll(regex)].filter((m) => m[0]).map((m) => [m.index, m.index + m[0].length] as [number, number]);
    } catch {
      // An expression that only the engine's syntax knows.
      return () => [];
    }
  }
  const stems = [...new Set((text.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => subwords(word)).map(([w]) => w))]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 1 && !COMMON.has(word))
    .slice(0, 32)
    .map(stem);
  if (stems.length === 0) return () => [];
  const meant = (word: string) => stems.some((s) => word.startsWith(s) && word.length - s.length <= 4);
  return (line) => {
    const found: [number, number][] = [];
    for (const word of line.matchAll(/[\p{L}\p{N}]+/gu)) {
      for (const [part, at] of subwords(word[0])) {
        if (!meant(part.toLowerCase())) continue;
        const start = word.index + at;
        const last = found.at(-1);
        if (last && last[1] === start) last[1] = start + part.length;
        else found.push([start, start + part.length]);
      }
    }
    return found;
  };
}

/** `readHTTPHeader` is `read`, `HTTP`, `Header`, each with its place. */
function subwords(word: string): [string, number][] {
  const parts = word.matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{N}+|\p{L}/gu);
  return [...parts].map((part) => [part[0], part.index]);
}

/** Cuts tokens where the marker begins and ends. */
export function marked(tokens: Token[], spans: [number, number][]): Token[] {
  if (spans.length === 0) return tokens;
  const cut: Token[] = [];
  let at = 0;
  for (const token of tokens) {
    let from = 0;
    for (const [start, end] of spans) {
      const a = Math.max(start - at, from);
      const b = Math.min(end - at, token.text.length);
      if (a >= b) continue;
      if (a > from) cut.push({ ...token, text: token.text.slice(from, a) });
      cut.push({ ...token, text: token.text.slice(a, b), marked: true });
      from = b;
    }
    if (from < token.text.length) cut.push({ ...token, text: token.text.slice(from) });
    at += token.text.length;
  }
  return cut;
}
