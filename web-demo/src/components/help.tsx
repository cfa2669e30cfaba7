/** The keys. */

import { useEffect, useRef } from "preact/hooks";
import { help } from "../state";

const KEYS: [string[], string][] = [
  [["/"], "to the question"],
  [["↓", "↑"], "next and previous place (also j, k)"],
  [["Enter"], "open the file at the place"],
  [["Esc"], "back; then empty the question"],
  [["f"], "filters"],
  [["1", "…", "5"], "how to answer: everything, meaning, words, text, regex"],
  [["n"], "more places"],
  [["c"], "what is searched, and what is not"],
  [["?"], "this list"],
];

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (help.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [help.value]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="keys" onClose={() => (help.value = false)}>
      <h2 id="keys">Keys</h2>
      <dl>
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button class="button">Close</button>
      </form>
    </dialog>
  );
}
