/** What is searched, what is not, and why. */

import type { Skipped } from "seekwell";
import { useEffect, useState } from "preact/hooks";
import { allLanguages, coverage, folder, forget, known, leave, refresh, refreshCoverage, troubles } from "../state";
import { bytes, count, plain } from "../words";
import { Bar } from "./bar";
import { Path } from "./path";

/** What a reason means to a reader; the list is open, so others stand as they are. */
const REASONS: Record<string, string> = {
  ignored: "Named by an ignore file",
  hidden: "Hidden",
  binary: "Not text",
  "too-large": "Too large",
  unreadable: "Could not be read",
  "special-file": "No ordinary file",
  link: "A link that is not followed",
  minified: "Minified",
  limit: "Beyond a limit",
  excluded: "Excluded by the settings",
};
/** Paths that are listed of one reason. */
const LISTED = 200;

export function CoverageView() {
  useEffect(() => void refreshCoverage(), []);
  const all = coverage.value;
  if (!all) return <p class="quiet row">Looking…</p>;
  const { generation } = all;
  const groups = new Map<string, Skipped[]>();
  for (const skipped of all.skipped) {
    const list = groups.get(skipped.reason);
    if (list) list.push(skipped);
    else groups.set(skipped.reason, [skipped]);
  }
  const most = Math.max(1, ...generation.languages.map((row) => row.files));
  const entry = known.value.find((other) => other.name === folder.value?.name);
  return (
    <section class="coverage" aria-label="Coverage">
      <div class="row intro">
        <div class="where">
          <button type="button" class="link" onClick={leave}>
            Back
          </button>
        </div>
        <div class="what">
          <h1>
            {count(generation.files, "file")} searched, {count(all.skipped.length, "path")} left out
          </h1>
          <p class="doc">
            {bytes(all.bytes)}, {count(generation.chunks, "passage")}, {count(generation.symbols, "symbol")}.{" "}
            {all.reused > 0 && `${count(all.reused, "file")} known from an earlier visit. `}
            {!all.whole && "The folder was not read to its end."}
          </p>
          {troubles.value.map((trouble, at) => (
            <p class="notice" key={at}>
              {trouble.message}
            </p>
          ))}
          <p class="actions">
            <button type="button" class="button" onClick={() => void refresh()}>
              Look again
            </button>
            {entry && (
              <button type="button" class="button" onClick={() => void forget(entry.id)}>
                Forget this folder
              </button>
            )}
          </p>
        </div>
      </div>
      <div class="row">
        <h2 class="where">Languages</h2>
        <ul class="what bars">
          {[...generation.languages]
            .sort((a, b) => b.files - a.files)
            .map((row) => (
              <li key={row.language}>
                <span>{allLanguages.value.find((language) => language.id === row.language)?.name ?? row.language}</span>
                <Bar part={row.files / most} />
                <span class="figure">{row.files.toLocaleString("en")}</span>
              </li>
            ))}
        </ul>
      </div>
      {[...groups].map(([reason, list]) => (
        <Group key={reason} title={REASONS[reason] ?? reason} rows={list.map((row) => [row.path, plain(row.detail)])} />
      ))}
      <Group title="Searched as text only" rows={generation.degraded.map((row) => [row.path, row.reason])} />
      <Group title="Decoded with loss" rows={generation.lossy.map((row) => [row.path, row.encoding])} />
    </section>
  );
}

function Group({ title, rows }: { title: string; rows: [string, string][] }) {
  const [open, setOpen] = useState(false);
  if (rows.length === 0) return null;
  const shown = open ? rows.slice(0, LISTED) : rows.slice(0, 6);
  return (
    <div class="row">
      <h2 class="where">
        {title} <span class="count">{rows.length.toLocaleString("en")}</span>
      </h2>
      <div class="what">
        <ul class="paths">
          {shown.map(([path, detail], at) => (
            <li key={at}>
              <Path path={path} />
              <span class="at">{detail}</span>
            </li>
          ))}
        </ul>
        {rows.length > shown.length && (
          <p class="under">
            {open ? (
              `and ${(rows.length - shown.length).toLocaleString("en")} more`
            ) : (
              <button type="button" class="link" onClick={() => setOpen(true)}>
                {(rows.length - shown.length).toLocaleString("en")} more
              </button>
            )}
          </p>
        )}
      </div>
    </div>
  );
}
