/** How the question is answered, and which places may answer it. */

import type { Content, Mode } from "seekwell";
import { signal } from "@preact/signals";
import {
  allKinds, allLanguages, changed, clearFilters, content, coverage, filters, glob, kinds, languages, mode,
} from "../state";

const MODES: [Mode, string, string][] = [
  ["hybrid", "Everything", "Words, meaning and structure together"],
  ["semantic", "Meaning", "Meaning alone"],
  ["keyword", "Words", "Words and structure, without meaning"],
  ["exact", "Text", "The text as it stands"],
  ["regex", "Regex", "A regular expression"],
];
const CONTENTS: [Content | null, string][] = [[null, "All"], ["code", "Code"], ["docs", "Docs"], ["config", "Settings"]];

/** Whether the filters are unfolded. */
export const unfolded = signal(false);

/** Takes a value into a list, or out of it. */
const toggled = (list: string[], value: string): string[] =>
  list.includes(value) ? list.filter((other) => other !== value) : [...list, value];

/** Languages that get a button of their own; the others are in a list. */
const BUTTONS = 8;

export function Modes() {
  return (
    <fieldset class="modes">
      <legend class="unseen">How to answer</legend>
      {MODES.map(([id, label, title]) => (
        <label key={id} title={title}>
          <input
            type="radio"
            name="mode"
            checked={mode.value === id}
            onChange={() => {
              mode.value = id;
              changed();
            }}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function FilterButton() {
  const count = filters.value;
  return (
    <button
      type="button"
      class="link"
      aria-expanded={unfolded.value}
      aria-controls="filters"
      onClick={() => (unfolded.value = !unfolded.value)}
    >
      {count > 0 ? `Filters (${count})` : "Filters"}
    </button>
  );
}

export function Filters() {
  const present = [...(coverage.value?.generation.languages ?? [])].sort((a, b) => b.files - a.files);
  const name = (id: string): string => allLanguages.value.find((language) => language.id === id)?.name ?? id;
  const shown = present.slice(0, BUTTONS).map((row) => row.language);
  for (const id of languages.value) if (!shown.includes(id)) shown.push(id);
  const rest = present.filter((row) => !shown.includes(row.language));
  const set = (change: () => void) => (): void => {
    change();
    changed();
  };
  return (
    <div id="filters" class="filters" hidden={!unfolded.value}>
      <fieldset>
        <legend>Language</legend>
        <div class="chips">
          {shown.map((id) => (
            <Chip
              key={id}
              on={languages.value.includes(id)}
              label={name(id)}
              change={set(() => (languages.value = toggled(languages.value, id)))}
            />
          ))}
          {rest.length > 0 && (
            <select
              aria-label="Another language"
              value=""
              onChange={(event) => {
                languages.value = toggled(languages.value, event.currentTarget.value);
                event.currentTarget.value = "";
                changed();
              }}
            >
              <option value="">more…</option>
              {rest.map((row) => (
                <option key={row.language} value={row.language}>
                  {name(row.language)}
                </option>
              ))}
            </select>
          )}
        </div>
      </fieldset>
      <fieldset>
        <legend>Content</legend>
        <div class="chips">
          {CONTENTS.map(([id, label]) => (
            <Chip key={label} on={content.value === id} label={label} change={set(() => (content.value = id))} />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>Kind</legend>
        <div class="chips">
          {allKinds.value.map((kind) => (
            <Chip
              key={kind}
              on={kinds.value.includes(kind)}
              label={kind}
              change={set(() => (kinds.value = toggled(kinds.value, kind)))}
            />
          ))}
        </div>
      </fieldset>
      <div class="field">
        <label for="glob">Path</label>
        <input
          id="glob"
          type="text"
          placeholder="src/**  !*_test.go"
          autocapitalize="off"
          autocomplete="off"
          spellcheck={false}
          value={glob.value}
          onInput={(event) => {
            glob.value = event.currentTarget.value;
            changed();
          }}
        />
        {filters.value > 0 && (
          <button type="button" class="link" onClick={set(clearFilters)}>
            Clear filters
          </button>
        )}
      </div>
    </div>
  );
}

function Chip({ on, label, change }: { on: boolean; label: string; change: () => void }) {
  return (
    <button type="button" class="chip" aria-pressed={on} onClick={change}>
      {label}
    </button>
  );
}
