/** What matters in the folder: shown while nothing is asked. */

import { changed, folder, map, progress, reading, show, text } from "../state";
import { QUESTIONS } from "../sample";
import { Path } from "./path";

/** Symbols that are named of each file. */
const NAMED = 5;

export function Map() {
  const files = map.value;
  const none = progress.value?.searchable === 0 ? "There is nothing to search in this folder" : "Ask it something";
  const empty = reading.value ? "Reading the folder" : none;
  return (
    <section class="map" aria-label="Map">
      <div class="row intro">
        <div class="what">
          <h1>{files.length > 0 ? "What the rest is built on" : empty}</h1>
          {files.length > 0 && <p class="doc">The files that others use most, and the best known names in them.</p>}
          {folder.value?.sample && (
            <ul class="questions">
              {QUESTIONS.map((question) => (
                <li key={question}>
                  <button
                    type="button"
                    class="link"
                    onClick={() => {
                      text.value = question;
                      changed();
                    }}
                  >
                    {question}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
      {files.map((file) => (
        <div class="row mapped" key={file.path}>
          <div class="where">
            <button
              type="button"
              class="plain"
              onClick={() => show({ kind: "file", path: file.path, start: 1, end: 1 })}
            >
              <Path path={file.path} />
            </button>
          </div>
          <ul class="what names">
            {file.symbols.slice(0, NAMED).map((symbol, at) => (
              <li key={at}>
                <button
                  type="button"
                  class="plain code"
                  title={symbol.signature || symbol.doc}
                  onClick={() => {
                    const { nameLine: start, endLine } = symbol;
                    show({ kind: "file", path: file.path, start, end: Math.max(start, endLine) });
                  }}
                >
                  {symbol.name}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
