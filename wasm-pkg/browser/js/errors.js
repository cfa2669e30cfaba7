// Errors that a caller can act on, and their way between threads.

/** The error of every rejected promise of this package. */
export class SeekwellError extends Error {
  /**
   * @param {string} code what happened
   * @param {string} message for a reader
   */
  constructor(code, message) {
    super(message);
    this.name = "SeekwellError";
    this.code = code;
  }
}

/** Codes that the engine uses inside, and what a caller is told in their place. */
const INSIDE = { argument: "engine", blob: "engine", snapshot: "engine", "not-committed": "engine", storage: "engine" };

/** Whatever was thrown, as an error of this package. */
export function known(thrown) {
  if (thrown instanceof SeekwellError) return thrown;
  const message = String(thrown?.message ?? thrown);
  if (thrown?.name === "NotAllowedError" || thrown?.name === "SecurityError") return new SeekwellError("permission", message);
  if (thrown?.name === "NotFoundError" || thrown?.code === "ENOENT") return new SeekwellError("gone", message);
  if (thrown?.name === "AbortError") return new SeekwellError("cancelled", "cancelled");
  const code = typeof thrown?.code === "string" && /^[a-z-]+$/.test(thrown.code) ? thrown.code : "engine";
  return new SeekwellError(INSIDE[code] ?? code, message);
}

/** Whether the engine fell over: the instance is of no use any more. */
export function isTrap(thrown) {
  return thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError;
}

/** The word for the reason that a file lost its structure, as the native host has it. */
export function trapReason(thrown) {
  if (thrown instanceof RangeError && /stack/i.test(thrown.message)) return "stack";
  if (/memory|allocation/i.test(thrown.message) && thrown instanceof RangeError) return "memory";
  return "trap";
}
