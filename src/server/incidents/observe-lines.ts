import type { CutOffJudge } from '../../contract/console.ts';
import { describeFault } from '../../contract/line/describe-fault.ts';
import type { Severity } from '../../contract/incidents.ts';
import { MIN_CERTIFICATE_DAYS } from '../../contract/limits.ts';
import type { LineFault } from '../../contract/line/line-fault.ts';
import type { LineReply } from '../../contract/line/line-reply.ts';
import { nameWithoutScheme } from '../../contract/site/parse-host.ts';
import { type LineLoss, type LossQuestion, MIN_NETWORKS_OF_ALL } from '../learning/losses/judge-losses.ts';
import type { SlowLine } from '../learning/losses/slow-lines.ts';
import { daysLeft, findFirstToExpire } from '../lines/certificates.ts';
import { type LineState, portOf } from '../lines/line-state.ts';
import type { SiteLine } from '../site/create-line-table.ts';
import { LINE_KINDS, type Sighting } from './follow-conditions.ts';

type Line = Pick<SiteLine, 'id' | 'host'>;

export type LineSources = {
  readonly lines: readonly Line[];
  readonly backups: readonly Line[];
  /** By line id. Undefined if this server does not probe the lines. */
  readonly states: ReadonlyMap<string, LineState> | undefined;
  /** Who is believed about the lines if this server reaches none of them. */
  readonly cutOff: CutOffJudge | undefined;
  /** Whether and how visitors lose a line. */
  readonly findLoss: (lineId: string, question: LossQuestion) => LineLoss | undefined;
  /** Where a line has become slow. */
  readonly findSlow: (lineId: string) => SlowLine | undefined;
  /** How many visitors did not reach a line since then. */
  readonly countLost: (lineId: string, since: number) => number;
  /** The name of this portal. */
  readonly portal: string;
  readonly now: number;
};

/** If only this portal sees a line down, it waits this long for the others before it says so. */
const DISPUTE_MS = 30_000;
/** A certificate that ends this soon is urgent. */
const URGENT_DAYS = 3;
/** No message and no list needs more places. */
export const MAX_AFFECTED = 50;

/** Says what is wrong with the lines now: for each line, that it is lost, that it is slow, and that its certificate ends. */
export function observeLines(sources: LineSources): readonly Sighting[] {
  const { lines, backups, states, cutOff, portal, now } = sources;
  const all = [...lines, ...backups];
  return [
    ...(cutOff ? [describeCutOff(portal, cutOff === 'visitors' ? findLastSince(states) : now)] : []),
    ...all.flatMap((line) => {
      const state = states?.get(line.id);
      // If the other replicas are believed, the state has what they see.
      const believed = cutOff === 'visitors' ? undefined : state;
      const probed = believed && seeProbe(line, believed, sources);
      const loss = sources.findLoss(line.id, { now, recoveredAt: believed?.recoveredAt ?? 0 });
      const isBackup = backups.includes(line);
      const lost = loss && seeLoss(line, loss, { checkedAt: state?.checkedAt, isBackup });
      const worst = merge(probed, lost);
      // A line that is down is not slow. One that is lost in a place may be slow for another reason, elsewhere.
      const slow = worst?.kind === 'line-down' ? undefined : sources.findSlow(line.id);
      const slowed = slow && seeSlowness(line, slow);
      const certificate = state && seeCertificate(line, state, now);
      return [worst, slowed, certificate]
        .filter((sighting) => sighting !== undefined)
        .map((sighting) => (isBackup ? Object.assign(sighting, { isBackup }) : sighting));
    }),
  ];
}

/** The probe and the visitors may report the same line. They become one sighting, with the worse kind. */
function merge(one: Sighting | undefined, other: Sighting | undefined): Sighting | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (LINE_KINDS.indexOf(other.kind) > LINE_KINDS.indexOf(one.kind)) return other;
  if (!one.isSure && one.kind !== 'line-down') return other;
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
    // The number of its process means nothing to a person.
    subject: portal.replace(/:\d+$/, ''),
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

const BY_EXTENT = {
  everywhere: { kind: 'line-down', by: 'visitors' },
  places: { kind: 'line-lost', by: 'visitors' },
  'some-visitors': { kind: 'line-degraded', by: 'some-visitors' },
  'places-and-some-visitors': { kind: 'line-degraded', by: 'visitors-and-some-elsewhere' },
} as const;

type SeenLine = { readonly checkedAt: number | undefined; readonly isBackup: boolean };

function seeLoss({ id, host }: Line, loss: LineLoss, { checkedAt, isBackup }: SeenLine): Sighting {
  const { extent, places, networks, since, visitors } = loss;
  const { kind, by } = BY_EXTENT[extent];
  const isPartial = kind === 'line-degraded';
  return {
    cause: `line/${id}`,
    kind,
    // Visitors of one or two networks may be one liar, on a site that has no others now.
    severity: kind === 'line-down' && networks >= MIN_NETWORKS_OF_ALL && !isBackup ? 'high' : 'medium',
    subject: nameWithoutScheme(host),
    affected: kind === 'line-down' ? [] : places.slice(0, MAX_AFFECTED),
    detail: { kind: 'not-reached', by },
    since,
    visitors,
    // The server's own next check may say that the line is down for everyone.
    isSure: isPartial || checkedAt === undefined || checkedAt >= since,
  };
}

function seeSlowness({ id, host }: Line, { places, times, since, visitors }: SlowLine): Sighting {
  return {
    cause: `slow/${id}`,
    kind: 'line-slow',
    severity: 'medium',
    subject: nameWithoutScheme(host),
    affected: places.slice(0, MAX_AFFECTED),
    detail: { kind: 'slow', times: Math.round(times * 10) / 10 },
    since,
    visitors,
    isSure: true,
  };
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
        : {
            kind: 'certificate-ends',
            at: first.validTo.getTime(),
            ...(first.validTo.getTime() <= now && { hasEnded: true }),
          },
    since: now,
    visitors: 0,
    // A line that does not answer shows no certificate, neither a new one nor the old one.
    isSure: first !== undefined,
  };
}
