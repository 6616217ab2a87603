import { tellFault } from '../../contract/faults/describe-site-fault.ts';
import type { Condition } from '../../contract/incidents.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import type { History } from '../learning/create-history.ts';
import { type EntryWindows, findEntryLoss } from '../learning/losses/entry-losses.ts';
import type { SiteRecord } from '../site/create-site-record.ts';
import type { Database, StoreState } from '../store/database.ts';
import type { CallWatch, MissingCalls } from '../visitors/watch-calls.ts';
import type { Sighting } from './follow-conditions.ts';
import type { MinuteCounts } from './create-minute-counts.ts';
import { MAX_AFFECTED } from './observe-lines.ts';

/** What is counted by the minute. */
export type Counted =
  /** Reports that were taken, and those that were refused. */
  | 'accepted'
  | 'refused'
  /** Pages of a site with restricted regions. */
  | 'knownRegions'
  | 'unknownRegions';

export type SiteSources = {
  readonly counts: Pick<MinuteCounts<Counted>, 'sum'>;
  /** Kept over a restart: the windows of the burn rates are longer than many processes live. */
  readonly history: Pick<History, 'sumArrivals'>;
  /** Whether visitors get in at all, in the last minutes. */
  readonly entries: EntryWindows;
  /** When hardly anybody got in for the last time. 0 if that never was. */
  readonly entriesLostAt: number;
  /** The part of the visitors who must get in. */
  readonly objective: number;
  readonly siteRecord: SiteRecord;
  readonly database: StoreState & Pick<Database, 'isShared'>;
  /** Whether this portal can write to its data folder. */
  readonly dataFolder: StoreState;
  /** Where far fewer visitors come than usual. */
  readonly missing: ReturnType<CallWatch['missing']>;
  readonly now: number;
};

/**
 * The burn rates of the SRE workbook (chapter 5): how many times faster than allowed visitors are lost, in a long window
 * that says it matters, and a short one that says it still goes on.
 */
const BURN_RATES = [
  { shortMinutes: 5, longMinutes: 60, rate: 14.4, severity: 'high' },
  { shortMinutes: 30, longMinutes: 360, rate: 6, severity: 'medium' },
] as const;
/**
 * At least 5 visitors must be stranded: with fewer, bad luck alone makes a high rate. The voter (a group of prefixes) with the most
 * stranded visitors is left out, so that one liar cannot open an incident.
 */
const MIN_STRANDED = 5;
/** Counts by the minute are summed up over five minutes. */
export const LATELY_MINUTES = 5;
/** 200 refused reports in five minutes are a flood, if they are more than were taken. */
const FLOOD = 200;
/** 100 pages in five minutes for callers of unknown region are too many, if they are a quarter of all. */
const MANY_UNKNOWN = 100;
const UNKNOWN_PART = 0.25;

const NOTHING: Pick<Condition, 'subject' | 'affected' | 'visitors'> = {
  subject: '',
  affected: [],
  visitors: 0,
};

/** Says what is wrong now with the site as a whole, and with what the server needs. */
export function observeSite(sources: SiteSources): readonly Sighting[] {
  return [
    seeClosedDoors(sources) ?? seeBurn(sources),
    seeMissing(sources),
    seeRefusal(sources),
    ...seeStores(sources),
    seeFlood(sources),
    seeUnknownRegions(sources),
  ].filter((sighting) => sighting !== undefined);
}

/** Hardly anybody gets in: the last minutes say so, and nobody waits for a budget. */
function seeClosedDoors({ entries, objective, now }: SiteSources): Sighting | undefined {
  const loss = findEntryLoss(entries, now);
  if (loss === undefined) return undefined;
  const { part, visitors, since, isSure } = loss;
  return {
    ...NOTHING,
    cause: 'visitors/now',
    kind: 'visitors-lost',
    severity: 'critical',
    detail: {
      kind: 'visitors-stranded',
      percent: roundPercent(part),
      allowedPercent: roundPercent(1 - objective),
      minutes: Math.max(1, Math.ceil((now - since) / MINUTE_MS)),
    },
    since,
    visitors,
    isSure,
  };
}

function seeBurn(sources: SiteSources): Sighting | undefined {
  const { history, objective, entriesLostAt, now } = sources;
  const burning = BURN_RATES.find(
    ({ shortMinutes, longMinutes, rate }) =>
      // After a critical incident is over, its visitors are in this window for a while, and are not told of again.
      Math.abs(now - entriesLostAt) > shortMinutes * MINUTE_MS &&
      [shortMinutes, longMinutes].every((minutes) => {
        const { stranded, reports, strandedOfOneVoter: doubtful } = history.sumArrivals(now, minutes);
        const sure = stranded - doubtful;
        return sure >= MIN_STRANDED && sure / (reports - doubtful) > rate * (1 - objective);
      }),
  );
  if (burning === undefined) return undefined;
  const { shortMinutes, severity } = burning;
  const { stranded, reports } = history.sumArrivals(now, shortMinutes);
  return {
    ...NOTHING,
    cause: 'visitors',
    kind: 'visitors-lost',
    severity,
    detail: {
      kind: 'visitors-stranded',
      percent: roundPercent(stranded / reports),
      allowedPercent: roundPercent(1 - objective),
      minutes: shortMinutes,
    },
    since: findFirstStranded(history, now, shortMinutes),
    visitors: stranded,
    isSure: true,
  };
}

/** While it is unknown whether visitors are missing, an incident about it stays open. */
function seeMissing({ missing, now }: SiteSources): Sighting | undefined {
  if (missing === undefined) return undefined;
  const { places, since, seen, expected }: MissingCalls =
    missing === 'unknown' ? { places: [], since: now, seen: 0, expected: 0 } : missing;
  return {
    ...NOTHING,
    cause: 'visitors/missing',
    kind: 'visitors-missing',
    severity: places.length === 0 ? 'high' : 'medium',
    affected: places.slice(0, MAX_AFFECTED).map(({ name }) => name),
    detail: {
      kind: 'visitors-missing',
      percent: roundPercent(seen / Math.max(1, expected)),
      minutes: Math.max(1, Math.round((now - since) / MINUTE_MS)),
    },
    since,
    visitors: Math.max(0, Math.round(expected - seen)),
    isSure: missing !== 'unknown',
  };
}

/** The beginning of the first minute in which a visitor was stranded. */
function findFirstStranded(history: SiteSources['history'], now: number, minutes: number): number {
  const all = history.sumArrivals(now, minutes).stranded;
  let from = minutes;
  while (from > 1 && history.sumArrivals(now, from - 1).stranded === all) from -= 1;
  return (Math.floor(now / MINUTE_MS) - from + 1) * MINUTE_MS;
}

function seeRefusal({ siteRecord: { refusal } }: SiteSources): Sighting | undefined {
  if (refusal === undefined || refusal.correctedAt !== undefined) return undefined;
  const [fault] = refusal.faults;
  return {
    ...NOTHING,
    cause: 'site',
    kind: 'site-refused',
    severity: 'medium',
    detail:
      fault === undefined ? { kind: 'text', text: '' } : { kind: 'site-fault', fault: tellFault(fault) },
    since: refusal.at,
    isSure: true,
  };
}

function seeStores({ database, dataFolder }: SiteSources): readonly Sighting[] {
  const folder = dataFolder.isUp ? [] : [seeStore('folder', dataFolder)];
  // A database of this portal's own is in that folder, and fails with it.
  const isToldOf = database.isUp || (!database.isShared && !dataFolder.isUp);
  return isToldOf ? folder : [seeStore('database', database), ...folder];
}

function seeStore(store: 'database' | 'folder', { since }: StoreState): Sighting {
  return {
    ...NOTHING,
    cause: `store/${store}`,
    kind: 'store-down',
    severity: 'high',
    subject: store === 'database' ? 'the database' : 'the data folder',
    detail: { kind: 'store', store },
    since,
    isSure: true,
  };
}

function seeFlood({ counts, now }: SiteSources): Sighting | undefined {
  const refused = counts.sum('refused', now);
  if (refused < FLOOD || refused <= counts.sum('accepted', now)) return undefined;
  return {
    ...NOTHING,
    cause: 'reports',
    kind: 'reports-refused',
    severity: 'low',
    detail: { kind: 'reports-refused', reports: refused, minutes: LATELY_MINUTES },
    since: now - LATELY_MINUTES * MINUTE_MS,
    isSure: true,
  };
}

function seeUnknownRegions({ counts, now }: SiteSources): Sighting | undefined {
  const unknown = counts.sum('unknownRegions', now);
  const all = unknown + counts.sum('knownRegions', now);
  if (unknown < MANY_UNKNOWN || unknown < all * UNKNOWN_PART) return undefined;
  return {
    ...NOTHING,
    cause: 'regions',
    kind: 'unknown-regions',
    severity: 'medium',
    detail: { kind: 'regions-unknown', percent: roundPercent(unknown / all), minutes: LATELY_MINUTES },
    since: now - LATELY_MINUTES * MINUTE_MS,
    visitors: unknown,
    isSure: true,
  };
}

/** With one decimal: what would look the same is the same, and changes no incident. */
function roundPercent(part: number): number {
  return Math.round(part * 1_000) / 10;
}
