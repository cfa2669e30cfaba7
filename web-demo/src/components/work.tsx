/** An open folder: the question, and what answers it. */

import { useEffect, useRef } from "preact/hooks";
import {
  answer, asked, cancel, changed, chosenHit, close, complaint, copied, copyJson, coverage, fault, folder, help,
  hits, leftAt, mode, more, progress, reading, searching, show, text, troubles, view,
} from "../state";
import { wide } from "../media";
import { count, left, sentence } from "../words";
import { Around } from "./context";
import { CoverageView } from "./coverage";
import { FilterButton, Filters, Modes } from "./filters";
import { HitRow } from "./hit";
import { Map } from "./map";
import { Reader } from "./reader";

export function Work() {
  const now = view.value;
  useEffect(() => {
    if (now.kind === "coverage") scrollTo({ top: 0 });
    if (now.kind !== "search") return;
    // The hits are found again where they were left.
    const left = leftAt();
    scrollTo({ top: left ?? 0 });
    // Who came back by typing goes on typing.
    if (left === null || document.activeElement?.id === "question") return;
    const hit = document.querySelector<HTMLElement>("[data-hit].current");
    hit?.focus({ preventScroll: true });
    hit?.scrollIntoView({ block: "nearest" });
  }, [now.kind]);
  useEffect(() => {
    document.title = `${folder.value?.name ?? ""} · seekwell`;
    return () => {
      document.title = "seekwell";
    };
  }, [folder.value]);
  return (
    <>
      <header class="row head">
        <div class="where">
          <Status />
        </div>
        <div class="what">
          <Question />
        </div>
      </header>
      {fault.value && (
        <p class="notice row" role="alert">
          {fault.value}
        </p>
      )}
      <main>
        {now.kind === "file" && <Reader path={now.path} start={now.start} end={now.end} />}
        {now.kind === "coverage" && <CoverageView />}
        {now.kind === "search" && (asked.value ? <Hits /> : <Map />)}
      </main>
    </>
  );
}

function Status() {
  const now = progress.value;
  const name = folder.value?.name ?? "";
  const skipped = coverage.value?.skipped.length ?? now?.skipped ?? 0;
  return (
    <div class="status">
      <p class="brand">
        <button type="button" class="plain name" onClick={close} title="Close this folder, open another">
          seekwell
        </button>
      </p>
      <p class="folder">{name}</p>
      {now && reading.value ? (
        <p class="facts">
          <span role="status">
            {now.stage === "listing" && now.total === 0
              ? "listing"
              : `${now.done.toLocaleString("en")} of ${count(now.total, "file")}`}
            {now.stage === "indexing" && ", putting together"}
            {now.secondsLeft !== null && now.stage === "analysing" && <>, {left(now.secondsLeft)}</>}
          </span>{" "}
          <button type="button" class="link" onClick={cancel}>
            Stop
          </button>
        </p>
      ) : (
        <p class="facts">
          <button type="button" class="link" onClick={() => show({ kind: "coverage" })}>
            {count(now?.searchable ?? 0, "file")}
            {skipped > 0 && `, ${skipped.toLocaleString("en")} left out`}
          </button>
          {now?.stage === "cancelled" && <> stopped early</>}
        </p>
      )}
      {troubles.value.length > 0 && (
        <p class="facts">
          <button type="button" class="link warn" onClick={() => show({ kind: "coverage" })}>
            {troubles.value.some((trouble) => trouble.code.startsWith("storage")) ? "not kept for next time" : "notes"}
          </button>
        </p>
      )}
    </div>
  );
}

function Question() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [folder.value]);
  return (
    <>
      <form role="search" onSubmit={(event) => event.preventDefault()}>
        <label class="unseen" for="question">
          What does the code do?
        </label>
        <input
          ref={input}
          id="question"
          type="search"
          placeholder="What does the code do?"
          autocapitalize="off"
          autocomplete="off"
          autocorrect="off"
          spellcheck={false}
          enterkeyhint="search"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            changed();
          }}
        />
      </form>
      <div class="tools">
        <Modes />
        <FilterButton />
        <button type="button" class="link keys" onClick={() => (help.value = true)}>
          Keys <kbd>?</kbd>
        </button>
      </div>
      <Filters />
    </>
  );
}

function Hits() {
  const found = answer.value;
  const query = asked.value;
  const hit = chosenHit.value;
  if (!found || !query) return null;
  return (
    <div class={searching.value ? "results stale" : "results"} aria-busy={searching.value} data-asked={query.text}>
      <section class="hits" aria-label="Places">
        <h1 class="unseen">Places that answer “{query.text}”</h1>
        <div class="row summary">
          <p class="what quiet">
            {complaint.value ? (
              <span class="warn">{sentence(complaint.value)}</span>
            ) : (
              <>
                {found.notFound ? "Nothing answers this" : `${count(found.total, "place")}, best first`}
                {found.partial && `, from the ${count(found.files, "file")} read so far`}
                {found.weak && !found.notFound && ". None of them fits well"}
                {". "}
                {found.route.kind !== "natural" && `Read as ${ROUTES[found.route.kind]}. `}
                {found.notes.map((note) => `${sentence(note)} `)}
                {found.notFound && mode.value !== "hybrid" && (
                  <>
                    <button
                      type="button"
                      class="link"
                      onClick={() => {
                        mode.value = "hybrid";
                        changed();
                      }}
                    >
                      Search by words and meaning
                    </button>{" "}
                  </>
                )}
                <button type="button" class="link" onClick={() => void copyJson()} title="As seekwell --json prints it">
                  {copied.value ? "Copied" : "Copy as JSON"}
                </button>
                {found.nearest.length > 0 && (
                  <>
                    {" "}
                    Near:{" "}
                    {found.nearest.slice(0, 6).map((name) => (
                      <button
                        type="button"
                        class="link code"
                        key={name}
                        onClick={() => {
                          text.value = name;
                          changed();
                        }}
                      >
                        {name}
                      </button>
                    ))}
                  </>
                )}
              </>
            )}
          </p>
        </div>
        {hits.value.map((hit, index) => (
          <HitRow key={`${hit.path}:${hit.startLine}`} hit={hit} index={index} query={query} />
        ))}
        {found.hits.length < found.total && (
          <div class="row">
            <p class="what">
              <button type="button" class="button" onClick={() => void more()}>
                More places
              </button>
            </p>
          </div>
        )}
      </section>
      {wide.value && hit && (
        <aside class="beside" aria-labelledby="around">
          <h2 class="unseen" id="around">
            Around the chosen place
          </h2>
          <Around hit={hit} />
        </aside>
      )}
    </div>
  );
}

const ROUTES = { natural: "words", symbol: "a name", literal: "text", regex: "a regular expression" };
