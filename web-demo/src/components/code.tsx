/** Lines of code, each with its number in the margin. */

import type { Token } from "../highlight";

/** One line. */
export function Line({ number, tokens, lit }: { number: number; tokens: Token[]; lit?: boolean }) {
  return (
    <div class={lit ? "line lit" : "line"}>
      <span class="number" aria-hidden="true">
        {number}
      </span>
      <code>
        {tokens.length === 0
          ? "\n"
          : tokens.map((token) => {
              const style = token.style && `t-${token.style}`;
              if (token.marked) return <mark class={style}>{token.text}</mark>;
              return style ? <span class={style}>{token.text}</span> : token.text;
            })}
      </code>
    </div>
  );
}
