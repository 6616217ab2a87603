import * as v from 'valibot';

/** A line host as it travels to a page: its name alone, or with a flag. */
export type HostEntry = string | { readonly host: string; readonly noWWW?: boolean | undefined };

const hostEntry = v.union([v.string(), v.object({ host: v.string(), noWWW: v.optional(v.boolean()) })]);

/** Reads the answer of the hostname call: the usable items of a list, or nothing where it is no list. */
export function parseHostnameList(body: unknown): readonly HostEntry[] {
  if (!Array.isArray(body)) return [];
  return body.filter((item) => v.is(hostEntry, item));
}
