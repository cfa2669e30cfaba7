/** One place that answers the question: where it is in the margin, what it is beside it. */

import { useMemo, useState } from "preact/hooks";
import type { Hit, Query } from "seekwell";
import { marked, marker, useColoured } from "../highlight";
import { chosen, show } from "../state";
import { wide } from "../media";
import { inWords } from "../why";
import { Bar } from "./bar";
import { Line } from "./code";
import { Around } from "./context";
import { Path } from "./path";

/** Lines that are shown of a place before a person asks for the rest. */
const SHOWN = 12;
/** So few more are shown at once: a button would take their room. */
const SPARE = 3;

/** The sentence of a description: what the code beside it does not say itself. */
function sentence(hit: Hit): string {
  const dash = hit.description.indexOf(" — ");
  return dash >= 0 ? hit.description.slice(dash + 3) : "";
}

/** Opens the hit's file at its lines. */
export const open = (hit: Hit): void => show({ kind: "file", path: hit.path, start: hit.startLine, end: hit.endLine });

export function HitRow({ hit, index, query }: { hit: Hit; index: number; query: Query }) {
  const [whole, setWhole] = useState(false);
  const [unfolded, setUnfolded] = useState(false);
  const mark = useMemo(() => marker(query.text, query.mode ?? "hybrid"), [query.text, query.mode]);
  const lines = useColoured(hit.snippet, hit.language);
  const spans = useMemo(() => lines.map((tokens) => mark(tokens.map((token) => token.text).join(""))), [lines, mark]);
  // From the top, unless what was asked for stands farther down.
  const first = spans.findIndex((found) => found.length > 0);
  const folds = lines.length > SHOWN + SPARE;
  const all = whole || !folds;
  const from = all || first < SHOWN ? 0 : Math.min(first - 2, lines.length - SHOWN);
  const rows = all ? lines : lines.slice(from, from + SHOWN);
  const current = chosen.value === index;
  const doc = sentence(hit);
  const title = hit.symbol || hit.path.split("/").at(-1)!;
  const why = inWords(hit.signals);
  return (
    <article
      class={current ? "hit row current" : "hit row"}
      data-hit={index}
      tabIndex={current ? 0 : -1}
      aria-label={`${title}, ${hit.path}, lines ${hit.startLine} to ${hit.endLine}`}
      onFocusCapture={() => (chosen.value = index)}
      onClick={() => (chosen.value = index)}
    >
      <div class="where">
        <button type="button" class="plain" onClick={() => open(hit)} title="Open the file here">
          <Path path={hit.path} />
        </button>
        <p class="facts">
          {hit.startLine === hit.endLine ? `line ${hit.startLine}` : `lines ${hit.startLine}–${hit.endLine}`}
          <span class="dot" />
          {hit.kind === "text" ? hit.language : `${hit.language} ${hit.kind}`}
        </p>
        <p class="score">
          <Bar part={hit.score} />
          <span>
            <span class="unseen">score </span>
            {hit.score.toFixed(2)}
          </span>
        </p>
        {why && <p class="facts why">for {why}</p>}
        {hit.alsoIn.length > 0 && (
          <p class="facts" title={hit.alsoIn.join("\n")}>
            the same in {hit.alsoIn.length === 1 ? hit.alsoIn[0] : `${hit.alsoIn.length} other files`}
          </p>
        )}
      </div>
      <div class="what">
        <h2 class={hit.symbol ? "code" : ""}>{title}</h2>
        {doc && <p class="doc">{doc}</p>}
        <div class="listing" role="group" aria-label="Code" tabIndex={0}>
          {rows.map((tokens, row) => {
            const at = from + row;
            return <Line key={at} number={hit.startLine + at} tokens={marked(tokens, spans[at]!)} />;
          })}
        </div>
        <p class="under">
          {folds && (
            <button type="button" class="link" onClick={() => setWhole(!whole)}>
              {whole ? "Show less" : `${lines.length - SHOWN} more lines`}
            </button>
          )}
          {!wide.value && (
            <button type="button" class="link" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
              Why, outline, callers
            </button>
          )}
        </p>
        {!wide.value && unfolded && <Around hit={hit} />}
      </div>
    </article>
  );
}
