/** The page. */

import { folder, help, progress, reading, spoken } from "../state";
import { Front, dropped } from "./front";
import { Help } from "./help";
import { Work } from "./work";

export function App() {
  const now = progress.value;
  const part = folder.value && now && reading.value ? now.bytesDone / Math.max(1, now.bytesTotal) : 0;
  return (
    <div class="page" onDragOver={(event) => event.preventDefault()} onDrop={dropped}>
      {/* The line between where and what. While a folder is read, it fills. */}
      <div class="spine" aria-hidden="true">
        <div class={reading.value ? "filled" : "filled over"} style={{ transform: `scaleY(${part})` }} />
      </div>
      {folder.value ? (
        <Work />
      ) : (
        <>
          <header class="row head plain">
            <p class="where brand">seekwell</p>
            <p class="what tools">
              <button type="button" class="link keys" onClick={() => (help.value = true)}>
                Keys <kbd>?</kbd>
              </button>
            </p>
          </header>
          <Front />
        </>
      )}
      <Help />
      <p class="unseen" role="status" aria-live="polite">
        {spoken.value}
      </p>
    </div>
  );
}
