/** A share of something, as a line. The figure beside it is what is read out. */
export function Bar({ part }: { part: number }) {
  const percent = Math.round(100 * Math.min(1, Math.max(0, part)));
  return (
    <span class="bar" aria-hidden="true">
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}
