/** A whole file, at a place in it. Only the lines in sight are drawn. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { FileText, StructureAnswer } from "seekwell";
import { marked, marker, useColoured } from "../highlight";
import { asked, current, leave, message } from "../state";
import { wide } from "../media";
import { bytes, count } from "../words";
import { Line } from "./code";
import { Outline } from "./context";
import { Path } from "./path";

/** Height of a line in pixels, as in the style sheet. */
const HEIGHT = 22;
/** Lines that are drawn above and below those in sight. */
const SPARE = 40;

export function Reader({ path, start, end }: { path: string; start: number; end: number }) {
  const [file, setFile] = useState<FileText | null>(null);
  const [outline, setOutline] = useState<StructureAnswer | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [range, setRange] = useState<[number, number]>([Math.max(0, start - SPARE), start + SPARE]);
  const box = useRef<HTMLDivElement>(null);
  const question = asked.value;
  useEffect(() => {
    let mine = true;
    setFile(null);
    setOutline(null);
    setFault(null);
    const session = current();
    session?.read(path).then(
      (text) => mine && setFile(text),
      (error: unknown) => mine && setFault(message(error)),
    );
    session?.ask({ command: "outline", path }).then(
      (answer) => mine && setOutline(answer),
      () => undefined,
    );
    return () => {
      mine = false;
    };
  }, [path]);
  const lines = useColoured(file?.text ?? "", file?.language ?? "text");
  const mark = useMemo(() => (question ? marker(question.text, question.mode ?? "hybrid") : null), [question]);
  const measure = (): void => {
    if (!box.current) return;
    const top = box.current.getBoundingClientRect().top;
    const first = Math.floor(-top / HEIGHT) - SPARE;
    setRange([Math.max(0, first), first + Math.ceil(innerHeight / HEIGHT) + 2 * SPARE]);
  };
  useLayoutEffect(() => {
    if (lines.length === 0 || !box.current) return;
    const middle = Math.max(0, innerHeight / 3 - HEIGHT);
    scrollTo({ top: scrollY + box.current.getBoundingClientRect().top + (start - 1) * HEIGHT - middle });
    measure();
    box.current.focus({ preventScroll: true });
  }, [file, start]);
  useEffect(() => {
    addEventListener("scroll", measure, { passive: true });
    addEventListener("resize", measure);
    return () => {
      removeEventListener("scroll", measure);
      removeEventListener("resize", measure);
    };
  }, []);
  const [first, last] = range;
  return (
    <section class="reader" aria-label={path}>
      <div class="row intro">
        <div class="where">
          <button type="button" class="link" onClick={leave}>
            Back
          </button>
        </div>
        <div class="what">
          <h1 class="code">
            <Path path={path} />
          </h1>
          {file && (
            <p class="doc">
              {count(lines.length, "line")}, {bytes(file.bytes)}
            </p>
          )}
          {fault && <p class="notice">{fault}</p>}
        </div>
      </div>
      <div class="listing whole" ref={box} tabIndex={0} role="group" aria-label="Code">
        <div class="lines" style={{ height: `${lines.length * HEIGHT}px` }}>
          <div class="shift" style={{ transform: `translateY(${Math.min(first, lines.length) * HEIGHT}px)` }}>
            {lines.slice(first, last).map((tokens, at) => {
              const number = first + at + 1;
              const text = tokens.map((token) => token.text).join("");
              return (
                <Line
                  key={number}
                  number={number}
                  tokens={mark ? marked(tokens, mark(text)) : tokens}
                  lit={number >= start && number <= end && end - start < lines.length - 1}
                />
              );
            })}
          </div>
        </div>
      </div>
      {wide.value && (
        <aside class="beside" aria-labelledby="outline">
          <h2 class="unseen" id="outline">
            Outline
          </h2>
          <div class="around">
            <Outline answer={outline} start={start} end={start} />
          </div>
        </aside>
      )}
    </section>
  );
}
