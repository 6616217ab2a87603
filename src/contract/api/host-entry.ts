import * as v from 'valibot';

/** A line host as it travels to a page: its name alone, or with a flag. */
export type HostEntry = string | { readonly host: string; readonly noWWW?: boolean };

/** The answer of the hostname call. */
export const hostnameListSchema = v.array(
  v.custom<HostEntry>(
    isHostEntry,
    'must be a host such as "line1.example", or an object with host and noWWW',
  ),
);

/** Tells a host entry from anything else. By hand, because `/r` has no byte to spare for a schema library. */
export function isHostEntry(value: unknown): value is HostEntry {
  if (typeof value === 'string') return true;
  return typeof (Object(value) as { host?: unknown }).host === 'string';
}
