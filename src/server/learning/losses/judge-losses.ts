import { DAY_MS } from '../../../contract/time-units.ts';
import { type Area, countryOf } from '../area.ts';
import type { EntryWindows } from './entry-losses.ts';
import { FORGET_MS } from './loss-evidence.ts';
import { type PartialLosses, foldPartialLosses } from './partial-losses.ts';
import { type Paces, createPaces, excuseSlowLines, foldPaces } from './slow-lines.ts';
import {
  type PlaceLoss,
  type PlaceLosses,
  countNetworks,
  createPlaceLosses,
  foldPlaces,
  listActiveNetworks,
  listPlaceLosses,
} from './place-losses.ts';
import { type SeenByArea, countryPlaceOf, isWithin } from './places.ts';

/**
 * What visitors lose. The map, the state of a line, incidents and the fourth pick all ask here whether visitors lose a line, so
 * that they cannot contradict each other.
 */
export type Losses = {
  readonly places: PlaceLosses;
  readonly partial: PartialLosses;
  /** How long the lines take, and where they have become slow. */
  readonly paces: Paces;
  /** By line id: when its last loss ended, and when the last failure before that was. */
  readonly ended: Map<string, { readonly at: number; readonly failedAt: number }>;
  /** Whether visitors get in at all, in the last three minutes. */
  readonly entries: EntryWindows;
};

/** A line that visitors lose. */
export type LineLoss = Pick<PlaceLoss, 'since' | 'visitors'> & {
  readonly extent: LossExtent;
  /** The networks and countries whose visitors lose it. */
  readonly places: readonly Area[];
  /** In how many networks it is lost, of those that have tried it lately. */
  readonly networks: number;
};

export type LossExtent =
  /** Nearly all networks lose it. */
  | 'everywhere'
  /** All visitors of some networks or countries lose it. */
  | 'places'
  /** Some visitors of several networks lose it. */
  | 'some-visitors'
  | 'places-and-some-visitors';

export type LossQuestion = {
  readonly now: number;
  /** When the server saw the line come back: failures before that were another trouble, which is over. 0 if it never did. */
  readonly recoveredAt: number;
};

/** A line is down for everyone if at least 3 networks, and 75 % of those that tried it, lose it. */
export const MIN_NETWORKS_OF_ALL = 3;
const MIN_PART_OF_ALL = 0.75;
/** Where countries are known, these networks must be in 5 of them: one country that blocks a line may have most networks. */
const MIN_COUNTRIES_OF_ALL = 5;

export function createLosses(): Losses {
  return {
    places: createPlaceLosses(),
    partial: new Map(),
    paces: createPaces(),
    ended: new Map(),
    entries: [],
  };
}

/** Adds a window of counts, step by step. All portals add the same windows in the same order, and so judge the same. */
export function* foldLosses(losses: Losses, areas: SeenByArea, at: number): Generator<void, void> {
  const before = yield* listLost(losses);
  const tries = areas.map(
    ([area, voters]) => [area, excuseSlowLines(losses.paces, voters, { area, at })] as const,
  );
  yield* foldPlaces(losses.places, tries, { at, paces: losses.paces });
  yield* foldPartialLosses(losses.partial, tries, at);
  yield* foldPaces(losses.paces, areas, at);
  const after = yield* listLost(losses);
  for (const [lineId, failedAt] of before) if (!after.has(lineId)) losses.ended.set(lineId, { at, failedAt });
  for (const [lineId, end] of losses.ended) if (end.at < at - DAY_MS) losses.ended.delete(lineId);
}

/** Says whether and how visitors lose a line; undefined if they do not. */
export function findLineLoss(
  { places, partial }: Losses,
  lineId: string,
  question: LossQuestion,
): LineLoss | undefined {
  const lost = listPlaceLosses(places, lineId, question);
  const some = partial.get(lineId);
  const partly = some?.isLost && some.failedAt >= question.recoveredAt ? some : undefined;
  const all = [...lost, ...(partly ? [partly] : [])];
  if (all.length === 0) return undefined;
  const visitors = lost.reduce((sum, loss) => sum + loss.visitors, 0);
  return {
    extent: findExtent(places, lineId, { lost, partlyIn: partly && [...partly.failures.keys()], question }),
    places: lost.map(({ area }) => area),
    networks: lost.reduce((sum, { networks }) => sum + networks, 0),
    // What was lost before the line came back was another trouble.
    since: Math.max(question.recoveredAt, Math.min(...all.map(({ since }) => since))),
    // A network may have lost some visitors before it lost all of them, so these may be the same.
    visitors: Math.max(visitors, partly?.visitors ?? 0),
  };
}

/** Since when the visitors of a network lose a line; undefined if they do not. */
export function findLossSince(
  { places }: Losses,
  { area, lineId }: { readonly area: Area; readonly lineId: string },
  { recoveredAt }: Pick<LossQuestion, 'recoveredAt'>,
): number | undefined {
  const ofLine = places.lines.get(lineId);
  const own = ofLine?.get(area);
  if (own?.isLost && own.failedAt >= recoveredAt) return own.since;
  const country = ofLine?.get(countryPlaceOf(area));
  if (country === undefined || !country.isLost || country.failedAt < recoveredAt) return undefined;
  // The network is lost with its country, unless one of its visitors has reached the line since.
  return (own?.reachedAt ?? 0) >= country.since ? undefined : country.since;
}

/** Whether a line has failed in a place, a network or a country, in the last half hour, and is not known to be lost there. */
export function isInDoubt(
  { places }: Losses,
  { place, lineId }: { readonly place: Area; readonly lineId: string },
  now: number,
): boolean {
  const evidence = places.lines.get(lineId)?.get(place);
  return evidence !== undefined && !evidence.isLost && evidence.failedAt >= now - FORGET_MS;
}

/** The lines that are lost in any way, by their id, with the time of the last failure. */
function* listLost({ places, partial }: Losses): Generator<void, ReadonlyMap<string, number>> {
  const lost = new Map<string, number>();
  const add = (lineId: string, failedAt: number): void =>
    void lost.set(lineId, Math.max(failedAt, lost.get(lineId) ?? 0));
  for (const [lineId, lostIn] of places.lost) {
    const ofLine = places.lines.get(lineId);
    for (const place of lostIn) add(lineId, ofLine?.get(place)?.failedAt ?? 0);
    yield;
  }
  for (const [lineId, { isLost, failedAt }] of partial) if (isLost) add(lineId, failedAt);
  return lost;
}

type LossFacts = {
  readonly lost: readonly PlaceLoss[];
  /** The networks that lose some visitors. */
  readonly partlyIn: readonly Area[] | undefined;
  readonly question: LossQuestion;
};

function findExtent(
  places: PlaceLosses,
  lineId: string,
  { lost, partlyIn, question }: LossFacts,
): LossExtent {
  if (isEverywhere(places, lost, countNetworks(places, lineId, question.now))) return 'everywhere';
  if (lost.length === 0) return 'some-visitors';
  // A network may have lost some visitors before it lost all of them.
  const isCovered = partlyIn?.every((area) => lost.some((loss) => isWithin(area, loss.area))) ?? true;
  return isCovered ? 'places' : 'places-and-some-visitors';
}

/**
 * Whether at least 75 % of the networks that tried a line in the last 10 minutes lose it. On a site with fewer than 3 networks or
 * 5 countries, all of them are enough.
 */
function isEverywhere(places: PlaceLosses, lost: readonly PlaceLoss[], triedLately: number): boolean {
  const current = lost.filter(({ networks }) => networks > 0);
  const lostIn = current.reduce((sum, { networks }) => sum + networks, 0);
  if (lostIn === 0 || lostIn < triedLately * MIN_PART_OF_ALL) return false;
  const countries = new Set(current.map(({ area }) => countryOf(area)));
  const hasCountries = countries.has(undefined) || countries.size >= MIN_COUNTRIES_OF_ALL;
  if (lostIn >= MIN_NETWORKS_OF_ALL && hasCountries) return true;
  const active = listActiveNetworks(places);
  const activeCountries = new Set([...active].map(countryOf));
  return (
    lostIn >= Math.min(MIN_NETWORKS_OF_ALL, active.size) &&
    (hasCountries || countries.size >= activeCountries.size)
  );
}
