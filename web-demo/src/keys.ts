/** The keyboard. */

import { unfolded } from "./components/filters";
import { open } from "./components/hit";
import { changed, chosen, chosenHit, folder, help, hits, leave, mode, more, show, text, view } from "./state";
import type { Mode } from "seekwell";

const MODES: Mode[] = ["hybrid", "semantic", "keyword", "exact", "regex"];

const question = (): HTMLInputElement | null => document.querySelector("#question");

/** Moves to another hit; above the first is the question. */
function move(by: number): void {
  const next = chosen.value + by;
  if (next < 0) {
    question()?.focus();
    scrollTo({ top: 0 });
    return;
  }
  if (next >= hits.value.length) return;
  chosen.value = next;
  document.querySelector<HTMLElement>(`[data-hit="${next}"]`)?.focus();
}

function escape(): void {
  if (view.value.kind !== "search") return leave();
  if (text.value) {
    text.value = "";
    changed();
    question()?.focus();
    return;
  }
  question()?.blur();
}

/** Keys that mean something whatever has the focus, but a field to write in. */
const PLAIN: Record<string, () => void> = {
  "/": () => {
    if (view.value.kind !== "search") leave();
    // The question may have to be drawn first.
    requestAnimationFrame(() => question()?.select());
  },
  j: () => move(1),
  k: () => move(-1),
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  f: () => (unfolded.value = !unfolded.value),
  n: () => void more(),
  c: () => (view.value.kind === "coverage" ? leave() : show({ kind: "coverage" })),
};

/** Listens. */
export function listen(): void {
  history.scrollRestoration = "manual";
  addEventListener("popstate", () => (view.value = { kind: "search" }));
  addEventListener("keydown", (event) => {
    // The list of keys has the keyboard for itself.
    if (event.isComposing || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) {
      const find = (event.ctrlKey || event.metaKey) && !event.altKey && event.key === "k";
      if (!find || !folder.value) return;
      event.preventDefault();
      return PLAIN["/"]!();
    }
    const target = event.target as HTMLElement;
    const writing = target.matches("input[type=text], input[type=search], select, textarea");
    const asking = target.id === "question";
    if (!folder.value) {
      if (event.key === "?") help.value = true;
      return;
    }
    if (event.key === "Escape") {
      event.preventDefault();
      return escape();
    }
    if (asking && event.key === "ArrowDown") {
      event.preventDefault();
      return move(document.activeElement?.closest("[data-hit]") ? 1 : 0 - Math.min(0, chosen.value));
    }
    const onHit = target.matches("[data-hit]");
    if (event.key === "Enter" && (asking || onHit) && view.value.kind === "search" && chosenHit.value) {
      event.preventDefault();
      return open(chosenHit.value);
    }
    if (writing) return;
    if (event.key === "?") {
      event.preventDefault();
      help.value = true;
      return;
    }
    // In a file, arrows scroll; on radio buttons, they choose.
    const arrow = event.key.startsWith("Arrow");
    if (arrow && (view.value.kind !== "search" || target.matches("input"))) return;
    const numbered = MODES[Number(event.key) - 1];
    if (numbered && view.value.kind === "search") {
      mode.value = numbered;
      return changed();
    }
    const act = PLAIN[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
