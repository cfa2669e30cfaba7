/** A path: its folders quiet, its name plain. It may break after each folder. */
export function Path({ path }: { path: string }) {
  const parts = path.split("/");
  const name = parts.pop();
  return (
    <span class="path">
      <span class="folders">
        {parts.map((part) => (
          <>
            {part}/<wbr />
          </>
        ))}
      </span>
      <span class="name">{name}</span>
    </span>
  );
}
