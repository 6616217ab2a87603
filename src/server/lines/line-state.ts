import type { CutOffJudge } from '../../contract/console.ts';
import type { PageFault, ReplyFault } from '../../contract/line/line-fault.ts';
import type { LineReply } from '../../contract/line/line-reply.ts';
import type { StayState } from '../../engine/line/create-ask-stay.ts';
import type { LineTable, SiteLine } from '../site/create-line-table.ts';
import type { LineHealth } from './check-health.ts';

/** What the server itself sees of a line. */
export type LineState = {
  readonly host: string;
  readonly role: LineRole;
  /**
   * Down if no address is valid, or if its application is dead; degraded if some addresses are not valid, or if its page
   * has a fault. Where there are other replicas, a line is down if most of them see it down.
   */
  readonly condition: LineCondition;
  /** What this server sees. The views of the other replicas do not count. */
  readonly seen: LineCondition;
  /** Undefined where its application is not asked, or not yet. */
  readonly health: LineHealth | undefined;
  /** Since when it has had this state, as far as this server knows, in ms since 1970. */
  readonly since: number;
  /** When it was last seen up after it had been seen down. */
  readonly recoveredAt: number | undefined;
  readonly checkedAt: number;
  /** The condition that enough checks in a row have seen, see `Confirmation`. Undefined until there was one. */
  readonly settled: LineCondition | undefined;
  /** How many checks in a row have seen `condition`. */
  readonly streak: number;
  /** One for each port, in the order of the site folder. */
  readonly addresses: readonly AddressState[];
};

/** What the server sees of a line at one of its addresses. */
export type AddressState = {
  readonly address: string;
  readonly reply: LineReply;
  /** Why a page of the portal would not accept it; empty if it would. */
  readonly faults: readonly ReplyFault[];
  /** The fault of the page that a visitor enters there, when the server last asked for it. */
  readonly pageFault: PageFault | undefined;
  /** The files that keep visitors in, when the server last asked for them. */
  readonly stay?: StayState | undefined;
};

/** The port of an address, also where it is the usual one of its scheme. */
export function portOf(address: string): number {
  const { port, protocol } = new URL(address);
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

export type LineCondition = 'up' | 'degraded' | 'down';

/** A backup is a fallback host: pages have it built in, and it is never left out. */
export type LineRole = 'line' | 'backup';

export type WatchedLine = { readonly line: SiteLine; readonly role: LineRole };

/** How sure the server must be before a line's new condition becomes an incident, or ends one. */
export type Confirmation = {
  /** A line whose condition has changed is asked this often, until it is settled. */
  readonly everySeconds: number;
  /** The number of bad checks in a row after which a fault counts. */
  readonly bad: number;
  /** The number of good checks in a row after which the line is up. */
  readonly good: number;
};

/** Lists the lines of a site that the server asks: all of them, and the fallback hosts. */
export function listWatchedLines({
  lines,
  backups,
}: Pick<LineTable, 'lines' | 'backups'>): readonly WatchedLine[] {
  return [
    ...lines.map((line) => ({ line, role: 'line' as const })),
    ...backups.map((line) => ({ line, role: 'backup' as const })),
  ];
}

type SeenLines = {
  readonly states: () => ReadonlyMap<string, LineState>;
  readonly cutOff: () => CutOffJudge | undefined;
};

/** What the server, or most of the replicas, see of the lines, by their ids. Undefined where nobody looks, or only visitors are believed. */
export function findBelieved(lineWatch: SeenLines | undefined): ReadonlyMap<string, LineState> | undefined {
  return lineWatch?.cutOff() === 'visitors' ? undefined : lineWatch?.states();
}

/** Says how a line is, by what one server has seen of it. */
export function findCondition(
  addresses: readonly AddressState[],
  health: LineHealth | undefined,
): LineCondition {
  if (health?.isDead === true || addresses.every(({ faults }) => faults.length > 0)) return 'down';
  const isWhole = addresses.every(({ faults, pageFault }) => faults.length === 0 && pageFault === undefined);
  return isWhole && !health?.faults.length ? 'up' : 'degraded';
}

/** A server that watches fewer lines than this does not doubt itself when it reaches none. */
const MIN_LINES_TO_DOUBT = 3;

/** Whether no line answers at all: the server is more likely cut off itself. A wrong answer is the fault of the line. */
export function isNothingReached(states: readonly Pick<LineState, 'addresses'>[]): boolean {
  return (
    states.length >= MIN_LINES_TO_DOUBT &&
    states.every(({ addresses }) => addresses.every(({ reply }) => reply.kind !== 'answer'))
  );
}

/** Says what a check means for a line: how long it has been as it is, and whether that is settled. */
export function countCheck(
  last: LineState | undefined,
  condition: LineCondition,
  { at, confirmation }: { readonly at: number; readonly confirmation: Confirmation },
): ConditionHistory & Pick<LineState, 'settled' | 'streak'> {
  const streak = last?.condition === condition ? last.streak + 1 : 1;
  const { bad, good } = confirmation;
  // A line that is up when the server first asks was not down before, as far as anybody knows.
  const isSettled = streak >= (condition === 'up' ? good : bad) || (last === undefined && condition === 'up');
  return {
    ...describeChange(last, condition, at),
    settled: isSettled ? condition : last?.settled,
    streak,
  };
}

type ConditionHistory = Pick<LineState, 'condition' | 'since' | 'recoveredAt'>;

/** Says since when a line has had a condition, and when it last came back. */
export function describeChange(
  last: LineState | undefined,
  condition: LineCondition,
  at: number,
): ConditionHistory {
  const hasRecovered = last?.condition === 'down' && condition !== 'down';
  return {
    condition,
    since: last?.condition === condition ? last.since : at,
    recoveredAt: hasRecovered ? at : last?.recoveredAt,
  };
}
