import type { CutOffJudge } from '../../contract/console.ts';
import { describeFault } from '../../contract/describe-fault.ts';
import type { Severity } from '../../contract/incidents.ts';
import { MIN_CERTIFICATE_DAYS } from '../../contract/limits.ts';
import type { LineFault } from '../../contract/line/line-fault.ts';
import type { LineReply } from '../../contract/line/line-reply.ts';
import { nameWithoutScheme } from '../../contract/site/parse-host.ts';
import { type Area, countryOf, networkIn } from '../learning/area.ts';
import { daysLeft, findFirstToExpire } from '../lines/certificates.ts';
import { type LineState, portOf } from '../lines/line-state.ts';
import type { SiteLine } from '../site/create-line-table.ts';
import { LINE_KINDS, type Sighting } from './follow-conditions.ts';
import type { NetworkLoss } from './create-network-watch.ts';
import type { PartialLoss } from './create-partial-loss-watch.ts';

type Line = Pick<SiteLine, 'id' | 'host'>;

export type LineSources = {
  readonly lines: readonly Line[];
  readonly backups: readonly Line[];
  /** By line id. Undefined if this server does not probe the lines. */
  readonly states: ReadonlyMap<string, LineState> | undefined;
  /** Who is believed about the lines if this server reaches none of them. */
  readonly cutOff: CutOffJudge | undefined;
  readonly losses: readonly NetworkLoss[];
  readonly partialLosses: readonly PartialLoss[];
  /** How many networks have tried a line lately. */
  readonly countNetworks: (lineId: string) => number;
  /** How many visitors did not reach a line since then. */
  readonly countLost: (lineId: string, since: number) => number;
  /** The name of this portal. */
  readonly portal: string;
  readonly now: number;
};

/** A line that so many networks lose, and this part of those that have tried it, is down for everyone. */
const MIN_NETWORKS_OF_ALL = 3;
const MIN_PART_OF_ALL = 0.75;
/** Where countries are known, these networks must be in so many: one that blocks a line may have most of the networks. */
const MIN_COUNTRIES_OF_ALL = 5;
/** If only this portal sees a line down, it waits this long for the others before it says so. */
const DISPUTE_MS = 30_000;
/** A certificate that ends this soon is urgent. */
const URGENT_DAYS = 3;
/** No message and no list needs more. */
const MAX_AFFECTED = 50;

/** Says what is wrong with the lines now: one sighting for each line at most, and one for its certificate. */
export function observeLines(sources: LineSources): readonly Sighting[] {
  const { lines, backups, states, cutOff, portal, now } = sources;
  const all = [...lines, ...backups];
  const lossesOf = groupByLine(sources.losses);
  return [
    ...(cutOff ? [describeCutOff(portal, cutOff === 'visitors' ? findLastSince(states) : now)] : []),
    ...all.flatMap((line) => {
      const state = states?.get(line.id);
      // If the other replicas are believed, the state has what they see.
      const probed =
        cutOff !== 'visitors' && state !== undefined ? seeProbe(line, state, sources) : undefined;
      const lost = seeLosses(line, lossesOf.get(line.id) ?? [], sources);
      const certificate = state && seeCertificate(line, state, now);
      return [addPartialLoss(merge(probed, lost), line, sources), certificate].filter(
        (sighting) => sighting !== undefined,
      );
    }),
  ];
}

/** A line that is down fails in all networks, too: that is one cause. What is worse names it. */
function merge(one: Sighting | undefined, other: Sighting | undefined): Sighting | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (LINE_KINDS.indexOf(other.kind) > LINE_KINDS.indexOf(one.kind)) return other;
  if (!one.isSure && one.kind !== 'line-down') return other;
  return join(one, other);
}

function join(one: Sighting, other: Sighting): Sighting {
  return {
    ...one,
    since: Math.min(one.since, other.since),
    visitors: Math.max(one.visitors, other.visitors),
  };
}

/** When the last of the lines was lost. */
function findLastSince(states: LineSources['states']): number {
  return Math.max(...[...(states?.values() ?? [])].map(({ since }) => since));
}

/** What is seen of a portal that reaches no line. */
export function describeCutOff(portal: string, since: number): Sighting {
  return {
    cause: `portal/${portal}`,
    kind: 'portal-cut-off',
    severity: 'high',
    subject: portal,
    affected: [],
    detail: { kind: 'cut-off' },
    since,
    visitors: 0,
    isSure: true,
  };
}

function isSilent({ reply }: { readonly reply: LineReply }): boolean {
  return reply.kind !== 'answer';
}

function seeProbe({ id, host }: Line, state: LineState, sources: LineSources): Sighting | undefined {
  const { condition, seen, settled, role, since, addresses, health } = state;
  const bad = settled !== undefined && settled !== 'up' ? settled : condition;
  if (bad === 'up') return undefined;
  const faults = addresses.flatMap(({ faults: found, pageFault }): readonly LineFault[] =>
    pageFault === undefined ? found : [...found, pageFault],
  );
  // Other portals, which are asked whether they see it, too, have not answered yet.
  const isDisputed = seen === 'down' && condition !== 'down' && sources.now - since < DISPUTE_MS;
  const kind = bad === 'down' ? 'line-down' : 'line-degraded';
  const severity: Severity = kind === 'line-down' && role === 'line' ? 'high' : 'medium';
  return {
    cause: `line/${id}`,
    kind,
    severity,
    subject: nameWithoutScheme(host),
    affected: kind === 'line-down' ? [] : listBadPorts(addresses),
    detail: {
      kind: 'line-faults',
      faults: withoutRepeats([...faults, ...(health?.faults ?? []).map(({ fault }) => fault)]),
    },
    since,
    visitors: sources.countLost(id, since),
    isSure: condition !== 'up' && settled === condition && !isDisputed,
  };
}

function listBadPorts(addresses: LineState['addresses']): readonly string[] {
  return addresses
    .filter(({ faults, pageFault }) => faults.length > 0 || pageFault !== undefined)
    .map(({ address }) => String(portOf(address)));
}

/** Several ports may have the same fault, or two that sound the same. */
function withoutRepeats(faults: readonly LineFault[]): readonly LineFault[] {
  return [...new Map(faults.map((fault) => [describeFault(fault, 'en').problem, fault])).values()];
}

function seeLosses(
  { id, host }: Line,
  losses: readonly NetworkLoss[],
  { countNetworks, states }: LineSources,
): Sighting | undefined {
  if (losses.length === 0) return undefined;
  const since = Math.min(...losses.map((loss) => loss.since));
  const checkedAt = states?.get(id)?.checkedAt;
  const isEveryone = areMostNetworks(losses, countNetworks(id));
  return {
    cause: `line/${id}`,
    kind: isEveryone ? 'line-down' : 'line-lost',
    severity: isEveryone ? 'high' : 'medium',
    subject: nameWithoutScheme(host),
    affected: isEveryone ? [] : losses.map(({ area }) => area).slice(0, MAX_AFFECTED),
    detail: { kind: 'not-reached', by: 'visitors' },
    since,
    visitors: losses.reduce((sum, { visitors }) => sum + visitors, 0),
    // The server's own next check may say that the line is down for everyone.
    isSure: checkedAt === undefined || checkedAt >= since,
  };
}

/** Whether most of the networks that have tried a line lately lose it. Older losses say nothing about who reaches it now. */
function areMostNetworks(losses: readonly NetworkLoss[], triedLately: number): boolean {
  const current = losses.filter(({ networks }) => networks > 0);
  const lostIn = current.reduce((sum, { networks }) => sum + networks, 0);
  const countries = new Set(current.map(({ area }) => countryOf(area)));
  return (
    lostIn >= MIN_NETWORKS_OF_ALL &&
    lostIn >= triedLately * MIN_PART_OF_ALL &&
    (countries.has(undefined) || countries.size >= MIN_COUNTRIES_OF_ALL)
  );
}

/** Adds that some visitors lose a line. Where all do, it is named apart from that. */
function addPartialLoss(
  known: Sighting | undefined,
  { id, host }: Line,
  { partialLosses }: LineSources,
): Sighting | undefined {
  const loss = partialLosses.find(({ lineId }) => lineId === id);
  if (loss === undefined) return known;
  const { since, visitors, areas } = loss;
  const partlyLost: Sighting = {
    cause: `line/${id}`,
    kind: 'line-degraded',
    severity: 'medium',
    subject: nameWithoutScheme(host),
    affected: [],
    detail: { kind: 'not-reached', by: 'some-visitors' },
    since,
    visitors,
    isSure: true,
  };
  if (known?.kind !== 'line-lost' || !known.isSure) return merge(known, partlyLost);
  const { affected } = known;
  // A network may have lost some visitors before it lost all of them.
  if (areas.every((area) => affected.some((place) => isWithin(area, place)))) return join(known, partlyLost);
  return {
    ...join(partlyLost, known),
    affected,
    detail: { kind: 'not-reached', by: 'visitors-and-some-elsewhere' },
  };
}

/** Whether a network is the place, or in it: a place may be a whole country, such as `GB/`. */
function isWithin(area: Area, place: Area): boolean {
  return area === place || (networkIn(place) === '' && countryOf(area) === countryOf(place));
}

function seeCertificate({ id, host }: Line, { addresses }: LineState, now: number): Sighting | undefined {
  const first = findFirstToExpire(addresses);
  // Over plain http there is none.
  if (first === undefined && !addresses.every(isSilent)) return undefined;
  const days = first === undefined ? 0 : daysLeft(first, now);
  if (days >= MIN_CERTIFICATE_DAYS) return undefined;
  return {
    cause: `certificate/${id}`,
    kind: 'certificate',
    severity: days < URGENT_DAYS ? 'high' : 'low',
    subject: nameWithoutScheme(host),
    affected: [],
    detail:
      first === undefined
        ? { kind: 'text', text: '' }
        : { kind: 'certificate-ends', at: first.validTo.getTime() },
    since: now,
    visitors: 0,
    // A line that does not answer shows no certificate, neither a new one nor the old one.
    isSure: first !== undefined,
  };
}

function groupByLine(losses: readonly NetworkLoss[]): ReadonlyMap<string, readonly NetworkLoss[]> {
  const groups = new Map<string, NetworkLoss[]>();
  for (const loss of losses) groups.set(loss.lineId, [...(groups.get(loss.lineId) ?? []), loss]);
  return groups;
}
