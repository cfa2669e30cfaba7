/** Before a folder is open. */

import { useEffect, useRef, useState } from "preact/hooks";
import { folderOfDrop } from "seekwell";
import { canPick, fromInput, pick } from "../folders";
import { coloured, marked, marker } from "../highlight";
import { QUESTIONS, SAMPLE, type Specimen, specimen } from "../sample";
import { choose, fault, forget, known, loading, openKnown, openSample } from "../state";
import { ago, bytes, count } from "../words";
import { Line } from "./code";
import { Path } from "./path";

/** Takes what is dropped anywhere on the page. */
export const dropped = (event: DragEvent): void => {
  if (!event.dataTransfer || loading.value.state !== "ready") return;
  event.preventDefault();
  const folder = folderOfDrop(event.dataTransfer);
  void choose(() => folder);
};

export function Front() {
  const input = useRef<HTMLInputElement>(null);
  const state = loading.value;
  const waiting = state.state !== "ready";
  const ask = (): void => {
    if (canPick()) void choose(pick);
    else input.current?.click();
  };
  return (
    <main class="front">
      <section class="row claim">
        <div class="what">
          <h1>
            Say what the code does.
            <br />
            Find where it is.
          </h1>
          <p class="lead">
            Open a folder and ask it in your own words. The search engine is in this page: your files are read here,
            and stay here.
          </p>
          <p class="actions">
            <button type="button" class="button first" disabled={waiting} onClick={ask}>
              Open a folder
            </button>
            <button type="button" class="button" disabled={waiting} onClick={() => void openSample()}>
              Try it on seekwell’s own source
            </button>
          </p>
          <p class="quiet" aria-live="polite">
            {state.state === "loading" && `Fetching the engine, ${Math.round(100 * state.part)} %. Once only.`}
            {state.state === "failed" && state.message}
            {state.state === "ready" && (
              <>
                Or drop one anywhere on this page
                {canPick() && (
                  <>
                    , or{" "}
                    <button type="button" class="link" onClick={() => input.current?.click()}>
                      hand its files over once
                    </button>
                  </>
                )}
                .
              </>
            )}
          </p>
          {fault.value && (
            <p class="notice" role="alert">
              {fault.value}
            </p>
          )}
          <input
            ref={input}
            class="unseen"
            type="file"
            aria-label="A folder"
            tabIndex={-1}
            disabled={waiting}
            // @ts-expect-error Preact's types lack it; every browser has it.
            webkitdirectory
            multiple
            onChange={(event: Event) => {
              const field = event.currentTarget as HTMLInputElement;
              const list = field.files;
              if (list) void choose(() => fromInput(list)).then(() => (field.value = ""));
            }}
          />
        </div>
      </section>
      {known.value.length > 0 && (
        <section class="row" aria-labelledby="before">
          <h2 class="where" id="before">
            Opened before
          </h2>
          <ul class="what before">
            {known.value.map((entry) => (
              <li key={entry.id}>
                {entry.handle || entry.name === SAMPLE ? (
                  <button
                    type="button"
                    class="plain name"
                    disabled={waiting}
                    onClick={() => void (entry.handle ? openKnown(entry) : openSample())}
                  >
                    {entry.name}
                  </button>
                ) : (
                  <span class="name">{entry.name}</span>
                )}
                <span class="at">
                  {count(entry.files, "file")}, {bytes(entry.bytes)}, {ago(entry.opened)}
                  {!entry.handle && entry.name !== SAMPLE && "; choose it again, and only what changed is read"}
                </span>
                <button
                  type="button"
                  class="link"
                  aria-label={`Forget ${entry.name}`}
                  onClick={() => void forget(entry.id)}
                >
                  Forget
                </button>
              </li>
            ))}
            <li>
              <button type="button" class="link" onClick={() => void forget()}>
                Forget everything
              </button>
            </li>
          </ul>
        </section>
      )}
      {!waiting && <Example />}
      <section class="row" aria-labelledby="stays">
        <h2 class="where" id="stays">
          What stays here
        </h2>
        <div class="what prose">
          <p>
            Everything. This page fetched its own files from where you opened it, and then told the browser to refuse it
            every connection (<code>connect-src 'none'</code>), to that place too. The browser holds it to that, workers
            included; you can read the policy in the page’s source, or go offline now and search. If it asks whether to
            “upload” a folder, that is its word for handing the files to this page.
          </p>
          <p>
            For your next visit it keeps, in this browser: the folder’s name, what was found in its files (names, words,
            places, vectors; the text itself is read anew), and the way to the folder, which opens only with your
            permission; “Forget” removes it. And it keeps a copy of its own files, so that it opens without a network.
          </p>
        </div>
      </section>
    </main>
  );
}

/** A question and a place that answers it, out of the sample project. */
function Example() {
  const [shown, setShown] = useState<Specimen | null>(null);
  useEffect(() => void specimen().then(setShown), []);
  if (!shown) return null;
  const question = QUESTIONS[0]!;
  const mark = marker(question, "hybrid");
  const lines = coloured(shown.lines, "rust");
  return (
    <section class="row specimen" aria-label="For example" onClick={() => void openSample(question)}>
      <div class="where">
        <Path path={shown.path} />
        <p class="facts">
          lines {shown.start}–{shown.start + lines.length - 1}
        </p>
      </div>
      <div class="what">
        <button type="button" class="plain ask">
          {question}
        </button>
        <div class="listing" role="group" aria-label="Code" tabIndex={0}>
          {lines.map((tokens, at) => {
            const text = tokens.map((token) => token.text).join("");
            return <Line key={at} number={shown.start + at} tokens={marked(tokens, mark(text))} />;
          })}
        </div>
      </div>
    </section>
  );
}
