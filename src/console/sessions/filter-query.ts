import type { SessionFilter } from '../../contract/recordings.ts';

/** Filters that are on or off. */
export const SWITCHES = ['error', 'stuck', 'slow'] as const;
/** The filters that somebody writes or picks. */
export const FIELDS = ['language', 'country', 'network', 'line', 'day'] as const;

/** What the server takes in some of them. */
const FORMS: Partial<Record<(typeof FIELDS)[number], RegExp>> = {
  country: /^[A-Z]{2}$/i,
  day: /^\d{4}-\d\d-\d\d$/,
};

/** Reads the filters of a link. What it does not know, it leaves out. */
export function readFilter(query: string): SessionFilter {
  const values = new URLSearchParams(query);
  const device = values.get('device');
  return {
    ...Object.fromEntries(SWITCHES.filter((name) => values.get(name) === 'true').map((name) => [name, true])),
    ...(device === 'mobile' || device === 'pc' ? { device } : {}),
    ...Object.fromEntries(
      FIELDS.flatMap((name) => {
        const value = values.get(name) ?? '';
        return value !== '' && (FORMS[name]?.test(value) ?? true) ? [[name, value]] : [];
      }),
    ),
  };
}

/** Writes filters as a query, for a link and for the server. Empty if there is none. */
export function writeFilter(filter: SessionFilter): string {
  const values = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined || value === false || value === '' ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(values).toString();
}
