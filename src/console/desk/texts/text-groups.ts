import {
  TEXT_GROUPS,
  TEXT_KEYS,
  type TextGroupName,
  type TextKey,
} from '../../../contract/site/text-keys.ts';

export type TextGroup = {
  readonly name: TextGroupName;
  readonly keys: readonly TextKey[];
  readonly place: TextPlace;
};

type TextPlace = {
  /** The page that shows them. Undefined for what is only shown at certain moments. */
  readonly page?: 'landing' | 'target' | 'not-found';
  /** Where on that page. */
  readonly anchor?: string;
};

/** Where each group is shown, in the order in which the desk lists them. */
const PLACES: Readonly<Record<TextGroupName, TextPlace>> = {
  header: { page: 'landing' },
  downloads: { page: 'landing', anchor: 'downloads-title' },
  announcement: { page: 'landing' },
  lines: { page: 'landing', anchor: 'lines-title' },
  footer: { page: 'landing', anchor: 'footer' },
  consent: { page: 'landing' },
  browser: { page: 'landing' },
  unproven: {},
  trouble: {},
  inApp: {},
  redirect: { page: 'target' },
  notFound: { page: 'not-found' },
  closed: {},
  campaign: {},
};

/** The groups of these texts, without the others. */
export function listTextGroups(wanted: readonly TextKey[] = TEXT_KEYS): readonly TextGroup[] {
  return (Object.keys(PLACES) as TextGroupName[])
    .map((name) => ({ name, place: PLACES[name], keys: pick(TEXT_GROUPS[name], wanted) }))
    .filter(({ keys }) => keys.length > 0);
}

function pick(keys: readonly TextKey[], wanted: readonly TextKey[]): readonly TextKey[] {
  return keys.filter((key) => wanted.includes(key));
}
