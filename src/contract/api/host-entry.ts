/** A host of a list, and whether its address goes without the day's `www` name. */
export type HostEntry = { readonly host: string; readonly noWWW?: boolean | undefined };

/** A host entry as an operator writes it and the hostname call answers it: the host alone where no flag is set. */
export type WrittenHostEntry = string | HostEntry;

/**
 * Reads the answer of the hostname call. An item that is no host entry is left out, and the others are used. By hand,
 * because `/r` has no byte to spare for a schema library.
 */
export function readHostList(answer: unknown): readonly HostEntry[] {
  if (!Array.isArray(answer)) return [];
  return answer
    .map((item) => (typeof item === 'string' ? { host: item } : (Object(item) as HostEntry)))
    .filter(({ host }) => typeof host === 'string');
}
