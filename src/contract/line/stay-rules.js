/** Reads the header that carries them. Undefined if a portal does not know this line, or is older than this call. */
export function readStayRules(header) {
  // The portal wrote it, and only to a line of its own.
  return header ? JSON.parse(header) : undefined;
}
