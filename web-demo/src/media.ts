/** What the window is like. */

import { signal } from "@preact/signals";

const query = matchMedia("(min-width: 86rem)");

/** Whether there is room for a column beside the code. */
export const wide = signal(query.matches);
query.addEventListener("change", () => (wide.value = query.matches));
