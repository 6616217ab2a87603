import { setMaxListeners } from 'node:events';
import type { PageFault, ReplyFault } from '../../contract/line/line-fault.ts';
import type { LineReply } from '../../contract/line/line-reply.ts';
import { SPEED_CHECK_TIMEOUT_MS } from '../../contract/limits.ts';
import { LANDING_PATH, SPEED_CHECK_PATH } from '../../contract/paths.ts';
import { publicOriginOf } from '../../contract/site/site-config.ts';
import { listLineAddresses } from '../../engine/line/build-line.ts';
import { type Expectation, findPageFault, judgeReply } from '../../engine/line/judge-reply.ts';
import { shuffle } from '../../engine/effects/shuffle.ts';
import type { SteeringMetrics } from '../metrics/steering-metrics.ts';
import type { SiteLine } from '../site/line-table.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import type { Steering } from '../learning/create-steering.ts';

/** What the server sees of a line at one of its addresses. */
export type AddressState = {
  readonly address: string;
  readonly reply: LineReply;
  /** Why a page of the portal would not accept it; empty if it would. */
  readonly faults: readonly ReplyFault[];
  /** The fault of the page that a visitor enters there, when the server last asked for it. */
  readonly pageFault: PageFault | undefined;
};

/** What the server itself sees of a line. */
export type LineState = {
  readonly host: string;
  readonly role: LineRole;
  /** Down if no address is valid; degraded if some addresses are not valid, or if its page has a fault. */
  readonly condition: Condition;
  /** Since when it has had this state, as far as this server knows, in ms since 1970. */
  readonly since: number;
  /** When it was last seen up after it had been seen down. */
  readonly recoveredAt: number | undefined;
  readonly checkedAt: number;
  /** The condition that enough checks in a row have seen, see `Confirmation`. Undefined until there was one. */
  readonly settled: Condition | undefined;
  /** How many checks in a row have seen `condition`. */
  readonly streak: number;
  /** One for each port, in the order of the site folder. */
  readonly addresses: readonly AddressState[];
};

type Condition = 'up' | 'degraded' | 'down';

/** How sure the server must be before a line's new condition becomes an incident, or ends one. */
export type Confirmation = {
  /** A line whose condition has changed is asked this often, until it is settled. */
  readonly everySeconds: number;
  /** So many checks in a row that see a fault settle it. */
  readonly bad: number;
  /** So many in a row that see none settle that the line is up. */
  readonly good: number;
};

/** A backup is a fallback host: pages have it built in, and it is never left out. */
export type LineRole = 'line' | 'backup';

/** Sends a line a request, as a page of this origin would. */
export type AskLine = (
  address: string,
  options: { readonly path: string; readonly origin: string | undefined; readonly signal: AbortSignal },
) => Promise<LineReply>;

export type LineWatchDeps = {
  readonly site: () => Pick<PublishedSite, 'lines' | 'config'>;
  readonly askLine: AskLine;
  /** Ends the probes that are under way. */
  readonly signal: AbortSignal;
  readonly steering: Pick<Steering, 'setDown'>;
  readonly metrics: Pick<SteeringMetrics, 'countProbe' | 'setLineState' | 'forgetLine'>;
  readonly random: () => number;
  readonly now: () => number;
  readonly confirmation: () => Confirmation;
  /** The server waits for a request no longer than this, whatever happens to it. */
  readonly deadlineMs?: number;
};

export type LineWatch = {
  /** Probes every line and every backup once. Call it again and again; it never rejects. */
  readonly probeLines: () => Promise<void>;
  /** Asks the lines again whose new condition is not settled, each when it is due. Call it about once a second; it never rejects. */
  readonly recheckLines: () => Promise<void>;
  /** What was seen of each line, by its id. */
  readonly states: () => ReadonlyMap<string, LineState>;
};

const DAY_MS = 86_400_000;
/** How many addresses are asked at once. */
const LANES = 64;
/** Longer than a request's own limit, so that it only ends requests that ignore theirs. */
const DEADLINE_MS = SPEED_CHECK_TIMEOUT_MS + 1_000;

type WatchedLine = { readonly line: SiteLine; readonly role: LineRole };

/** Watches the lines as a visitor's page would see them, from the server's own network. */
export function createLineWatch(deps: LineWatchDeps): LineWatch {
  const { site, signal, steering, metrics, random, now } = deps;
  const states = new Map<string, LineState>();
  const limit = createLimit(LANES);
  /** When the last check of each line started. */
  const askedAt = new Map<string, number>();
  const asking = new Set<string>();
  let rounds = 0;
  // Each running probe adds a listener.
  setMaxListeners(LANES, signal);

  return {
    probeLines: async () => {
      const watched = listWatched();
      forgetOthers(watched);
      rounds += 1;
      // In a new order each time, so that the same two lines are not always asked at the same moment.
      await Promise.all(shuffle(watched, random).map((each) => check(each, { asksTwice: true })));
    },
    recheckLines: async () => {
      const dueBefore = now() - deps.confirmation().everySeconds * 1_000;
      const due = listWatched().filter(({ line: { id } }) => {
        const state = states.get(id);
        return (
          state !== undefined && state.settled !== state.condition && (askedAt.get(id) ?? 0) <= dueBefore
        );
      });
      await Promise.all(due.map((each) => check(each, { asksTwice: false })));
    },
    states: () => states,
  };

  function listWatched(): readonly WatchedLine[] {
    const { lines, backups } = site().lines;
    return [
      ...lines.map((line) => ({ line, role: 'line' as const })),
      ...backups.map((line) => ({ line, role: 'backup' as const })),
    ];
  }

  async function check(watched: WatchedLine, { asksTwice }: { asksTwice: boolean }): Promise<void> {
    const { line } = watched;
    if (asking.has(line.id)) return;
    asking.add(line.id);
    askedAt.set(line.id, now());
    try {
      await askAddresses(watched, asksTwice);
    } finally {
      asking.delete(line.id);
    }
  }

  async function askAddresses(watched: WatchedLine, asksTwice: boolean): Promise<void> {
    const { line } = watched;
    const { config } = site();
    const { ports } = config.lines;
    const expected = { ...config.lines, portal: publicOriginOf(config) };
    const today = Math.floor(now() / DAY_MS);
    const listed = listLineAddresses(line, ports, today);
    const last = states.get(line.id);
    const addresses = await Promise.all(
      listed.map((address, index) => {
        const lastPageFault = last?.addresses.find(({ address: other }) =>
          isSamePort(other, address),
        )?.pageFault;
        // Each round asks for the page at another port, and also at each port where it was missing.
        const asksPage = rounds % listed.length === index || lastPageFault !== undefined;
        return limit(() => checkAddress(line, { address, asksPage, asksTwice, expected }));
      }),
    );
    if (signal.aborted) return;
    note(watched, addresses, last);
  }

  async function checkAddress(
    { host }: SiteLine,
    {
      address,
      asksPage,
      asksTwice,
      expected,
    }: { address: string; asksPage: boolean; asksTwice: boolean; expected: Expectation },
  ): Promise<AddressState> {
    const askFor = (path: string): Promise<LineReply> => ask(address, path, expected.portal);
    const judge = (given: LineReply): readonly ReplyFault[] => judgeReply(address, given, expected).faults;
    let reply = await askFor(SPEED_CHECK_PATH);
    // One failure may be an accident, so the server asks again.
    if (asksTwice && judge(reply).length > 0 && !signal.aborted) reply = await askFor(SPEED_CHECK_PATH);
    const faults = judge(reply);
    if (!signal.aborted) metrics.countProbe(host, faults.length === 0);
    let pageFault: PageFault | undefined;
    if (asksPage && faults.length === 0 && !signal.aborted) {
      pageFault = findPageFault(await askFor(LANDING_PATH));
      if (pageFault !== undefined && !signal.aborted) pageFault = findPageFault(await askFor(LANDING_PATH));
    }
    return { address, reply, faults, pageFault };
  }

  /** Settles within the deadline, even if the request never ends. */
  async function ask(address: string, path: string, origin: string | undefined): Promise<LineReply> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<LineReply>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'timeout' }), deps.deadlineMs ?? DEADLINE_MS);
    });
    try {
      return await Promise.race([deps.askLine(address, { path, origin, signal }), deadline]);
    } catch {
      return { kind: 'unreachable', code: 'UNKNOWN' };
    } finally {
      clearTimeout(timer);
    }
  }

  function note(
    { line: { id, host }, role }: WatchedLine,
    addresses: readonly AddressState[],
    last: LineState | undefined,
  ): void {
    const condition = findCondition(addresses);
    const at = now();
    const streak = last?.condition === condition ? last.streak + 1 : 1;
    const { bad, good } = deps.confirmation();
    // A line that is up when the server first asks was not down before, as far as anybody knows.
    const isSettled =
      streak >= (condition === 'up' ? good : bad) || (last === undefined && condition === 'up');
    const hasRecovered = last?.condition === 'down' && condition !== 'down';
    states.set(id, {
      host,
      role,
      condition,
      since: last?.condition === condition ? last.since : at,
      recoveredAt: hasRecovered ? at : last?.recoveredAt,
      checkedAt: at,
      settled: isSettled ? condition : last?.settled,
      streak,
      addresses,
    });
    metrics.setLineState(host, role, {
      isUp: condition !== 'down',
      hasPage: addresses.every(({ pageFault }) => pageFault === undefined),
    });
    const isNews = last === undefined || (last.condition === 'down') !== (condition === 'down');
    if (role === 'line' && isNews) tellSteering();
  }

  function tellSteering(): void {
    const down = [...states].filter(([, { role, condition }]) => role === 'line' && condition === 'down');
    steering.setDown(new Set(down.map(([id]) => id)));
  }

  function forgetOthers(lines: readonly WatchedLine[]): void {
    const roles = new Map(lines.map(({ line, role }) => [line.id, role]));
    for (const [id, { host, role }] of states) {
      if (roles.get(id) === role) continue;
      states.delete(id);
      askedAt.delete(id);
      metrics.forgetLine(host, role);
    }
  }
}

function findCondition(addresses: readonly AddressState[]): Condition {
  if (addresses.every(({ faults }) => faults.length > 0)) return 'down';
  const isWhole = addresses.every(({ faults, pageFault }) => faults.length === 0 && pageFault === undefined);
  return isWhole ? 'up' : 'degraded';
}

/** The day's name changes at midnight, the port does not. */
function isSamePort(one: string, other: string): boolean {
  return new URL(one).port === new URL(other).port;
}

/** Runs at most so many jobs at once, the others in their order. */
function createLimit(limit: number): <T>(job: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (job) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await job();
    } finally {
      // The next waiting job takes the place.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
