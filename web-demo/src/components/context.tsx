/** What is around a hit: why it is here, its file's outline, who uses it, what it uses. */

import { useEffect, useState } from "preact/hooks";
import type { CodeSymbol, Hit, Row, StructureAnswer } from "seekwell";
import { type Context, around, show } from "../state";
import { reasons } from "../why";
import { Bar } from "./bar";

/** Pause before the surroundings of a hit are asked for: someone who runs down the list asks for none. */
const PAUSE = 120;
/** Rows that are shown of each list. */
const ROWS = 12;

const openSymbol = (symbol: CodeSymbol): void =>
  show({ kind: "file", path: symbol.path, start: symbol.startLine, end: symbol.endLine });

export function Around({ hit }: { hit: Hit }) {
  const [context, setContext] = useState<Context | null>(null);
  useEffect(() => {
    const over = new AbortController();
    const timer = setTimeout(async () => {
      const found = await around(hit, over.signal);
      if (!over.signal.aborted) setContext(found);
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      over.abort();
      setContext(null);
    };
  }, [hit.path, hit.startLine, hit.symbol]);
  return (
    <div class="around">
      <Why hit={hit} />
      {context && (
        <>
          <Users title="Used by" answer={context.users} empty="Nothing in this folder uses it by name." />
          <Users title="Uses" answer={context.callees} empty="" />
          <Outline answer={context.outline} start={hit.startLine} end={hit.endLine} named={hit.symbol} />
        </>
      )}
    </div>
  );
}

function Why({ hit }: { hit: Hit }) {
  const [open, setOpen] = useState(false);
  const all = reasons(hit.signals);
  if (all.length === 0) return null;
  return (
    <section>
      <h3>Why it is here</h3>
      <ul class="reasons">
        {all.slice(0, 6).map((reason) => (
          <li key={reason.family} class={reason.share < 0 ? "against" : ""}>
            <span>{reason.label}</span>
            <Bar part={Math.abs(reason.relative)} />
            <span class="figure">{signed(reason.share)}</span>
          </li>
        ))}
      </ul>
      <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "Less" : "All signals"}
      </button>
      {open && (
        <table class="signals">
          <thead>
            <tr>
              <th scope="col">signal</th>
              <th scope="col">value</th>
              <th scope="col">weight</th>
              <th scope="col">share</th>
            </tr>
          </thead>
          <tbody>
            {hit.signals.map((signal) => (
              <tr key={signal.name}>
                <th scope="row">{signal.name}</th>
                <td>{signal.value.toFixed(2)}</td>
                <td>{signal.weight.toFixed(2)}</td>
                <td>{signed(signal.value * signal.weight)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** `+0.31`, `−0.20`. */
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

function Users({ title, answer, empty }: { title: string; answer: StructureAnswer | null; empty: string }) {
  if (!answer) return null;
  const rows = answer.rows.filter((row) => row.symbol || row.places.length > 0).slice(0, ROWS);
  if (rows.length === 0) {
    return empty ? (
      <section>
        <h3>{title}</h3>
        <p class="quiet">{empty}</p>
      </section>
    ) : null;
  }
  return (
    <section>
      <h3>
        {title} <span class="count">{answer.total}</span>
      </h3>
      <ul class="symbols">
        {rows.map((row, at) => (
          <User key={at} row={row} />
        ))}
      </ul>
    </section>
  );
}

function User({ row }: { row: Row }) {
  const { symbol, places } = row;
  const place = places[0];
  const name = symbol ? (symbol.container ? `${symbol.container}::${symbol.name}` : symbol.name) : row.name;
  const path = symbol?.path ?? place?.path ?? "";
  const line = place && place.path === path ? place.line : (symbol?.nameLine ?? 0);
  const sure = row.confidence === "ambiguous" ? "perhaps" : row.confidence === "external" ? "not in this folder" : "";
  const go = (): void => {
    if (place && place.path === path) show({ kind: "file", path, start: place.line, end: place.line });
    else if (symbol) openSymbol(symbol);
  };
  return (
    <li>
      <button type="button" class="plain" onClick={go} disabled={!path}>
        <span class="code">{name}</span>
        <span class="at">
          {sure && <i>{sure}</i>}
          {path && `${path.split("/").at(-1)}:${line}`}
        </span>
      </button>
    </li>
  );
}

/** The symbols of a file; that of the place stands out. */
export function Outline({ answer, start, end, named = "" }: {
  answer: StructureAnswer | null;
  start: number;
  end: number;
  /** Name of the place's symbol, with its containers. */
  named?: string;
}) {
  const rows = answer?.rows ?? [];
  if (rows.length === 0) return null;
  const name = named.split(/::|[.#]/).at(-1);
  const near = rows.flatMap(({ symbol }) => (symbol && symbol.startLine <= end && start <= symbol.endLine ? symbol : []));
  const inside = near.find((symbol) => symbol.name === name) ?? near.findLast((symbol) => symbol.startLine <= start);
  return (
    <section>
      <h3>In this file</h3>
      <ul class="symbols outline">
        {rows.map(
          ({ symbol, depth }, index) =>
            symbol && (
              <li key={index} class={`depth-${Math.min(depth, 4)}`}>
                <button
                  type="button"
                  class="plain"
                  aria-current={symbol === inside ? "location" : undefined}
                  onClick={() => openSymbol(symbol)}
                >
                  <span class="code">{symbol.name}</span>
                  <span class="at">{symbol.nameLine}</span>
                </button>
              </li>
            ),
        )}
      </ul>
    </section>
  );
}
