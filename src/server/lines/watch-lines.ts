import { setMaxListeners } from 'node:events';
import type { PageFault, ReplyFault } from '../../contract/line/line-fault.ts';
import type { LineReply } from '../../contract/line/line-reply.ts';
import { SPEED_CHECK_TIMEOUT_MS } from '../../contract/limits.ts';
import { LANDING_PATH, SPEED_CHECK_PATH } from '../../contract/paths.ts';
import { publicOriginOf } from '../../contract/site/site-config.ts';
import { listLineAddresses } from '../../engine/line/build-line.ts';
import { createAskApplication } from '../../engine/line/judge-health.ts';
import { type Expectation, findPageFault, judgeReply } from '../../engine/line/judge-reply.ts';
import { shuffle } from '../../engine/effects/shuffle.ts';
import type { SteeringMetrics } from '../metrics/steering-metrics.ts';
import type { SiteLine } from '../site/line-table.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import type { Steering } from '../learning/create-steering.ts';
import type { SharedLineView } from '../redis/replica-list.ts';
import { agreeOnLine } from './agree-on-lines.ts';
import { type LineHealth, checkHealth } from './check-health.ts';

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
  /**
   * Down if no address is valid, or if its application is dead; degraded if some addresses are not valid, or if its page
   * has a fault. Where there are other replicas, a line is down if most of them see it down.
   */
  readonly condition: Condition;
  /** What this server sees, whatever the others say. */
  readonly seen: Condition;
  /** Undefined where its application is not asked, or not yet. */
  readonly health: LineHealth | undefined;
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
  options: {
    readonly path: string;
    readonly origin: string | undefined;
    readonly signal: AbortSignal;
    readonly timeoutMs?: number;
    /** Reads so much of the body, too. */
    readonly maxBodyBytes?: number;
  },
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
  /** Asks the applications that are due (`lines.health`). Call it about once a second; it never rejects. */
  readonly probeApplications: () => Promise<void>;
  /** Takes over what the other replicas see. Call it about once a second. */
  readonly setOthers: (views: readonly SharedLineView[]) => void;
  /** What this server sees, for the other replicas. Undefined until it has asked every line. */
  readonly view: () => SharedLineView | undefined;
  /** What was seen of each line, by its id. */
  readonly states: () => ReadonlyMap<string, LineState>;
};

const DAY_MS = 86_400_000;
/** How many addresses are asked at once. */
const LANES = 64;
/** Longer than a request's own limit, so that it only ends requests that ignore theirs. */
const GRACE_MS = 1_000;

type Question = Pick<Parameters<AskLine>[1], 'path' | 'timeoutMs' | 'maxBodyBytes'> & {
  readonly origin?: string | undefined;
};

/** What a check finds out: by the speed check, or by asking the application. */
type Findings = Pick<LineState, 'addresses' | 'health'>;

type Sighting = Pick<LineState, 'addresses' | 'health' | 'seen'>;

type WatchedLine = { readonly line: SiteLine; readonly role: LineRole };

/** Watches the lines as a visitor's page would see them, from the server's own network. */
export function createLineWatch(deps: LineWatchDeps): LineWatch {
  const { site, signal, steering, metrics, random, now } = deps;
  const states = new Map<string, LineState>();
  /** What this server itself has seen of each line. */
  const sightings = new Map<string, Sighting>();
  const limit = createLimit(LANES);
  /** When the last check of each line started. */
  const askedAt = new Map<string, number>();
  const asking = new Set<string>();
  const applicationAskedAt = new Map<string, number>();
  const askingApplication = new Set<string>();
  let others: readonly SharedLineView[] = [];
  let toldSteering = '';
  let rounds = 0;
  let healthRounds = 0;
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
          state !== undefined &&
          (state.settled !== state.condition || isDisputed(id, state)) &&
          (askedAt.get(id) ?? 0) <= dueBefore
        );
      });
      await Promise.all(due.map(recheck));
    },
    probeApplications: async () => {
      const { health } = site().config.lines;
      if (health === undefined) return;
      const dueBefore = now() - health.everySeconds * 1_000;
      const due = listWatched().filter(({ line: { id } }) => {
        return states.has(id) && (applicationAskedAt.get(id) ?? -Infinity) <= dueBefore;
      });
      if (due.length > 0) healthRounds += 1;
      await Promise.all(due.map(askApplication));
    },
    setOthers: (views) => {
      others = views;
      for (const [id, state] of states) reconsider(id, state);
      tellSteering();
    },
    view: () => (listWatched().every(({ line }) => states.has(line.id)) ? describeOwnView() : undefined),
    states: () => states,
  };

  function listWatched(): readonly WatchedLine[] {
    const { lines, backups } = site().lines;
    return [
      ...lines.map((line) => ({ line, role: 'line' as const })),
      ...backups.map((line) => ({ line, role: 'backup' as const })),
    ];
  }

  async function recheck(watched: WatchedLine): Promise<void> {
    await check(watched, { asksTwice: false });
    await askApplication(watched);
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
    const isAsked = site().config.lines.health !== undefined;
    note(watched, isAsked ? { addresses } : { addresses, health: undefined });
  }

  /** Asks the application where the speed check is passed: elsewhere the line is down in any case. */
  async function askApplication(watched: WatchedLine): Promise<void> {
    const { id } = watched.line;
    const askIt = createAskApplication(site().config.lines.health, ask);
    const [first, ...more] = (states.get(id)?.addresses ?? []).flatMap(({ address, faults }) =>
      faults.length === 0 ? [address] : [],
    );
    if (askingApplication.has(id)) return;
    if (askIt === undefined || first === undefined) return;
    askingApplication.add(id);
    applicationAskedAt.set(id, now());
    const health = await checkHealth([first, ...more], {
      turn: healthRounds,
      ask: (address) => limit(() => askIt(address)),
    }).finally(() => askingApplication.delete(id));
    if (!signal.aborted) note(watched, { health: { ...health, checkedAt: now() } });
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
    const askFor = (path: string): Promise<LineReply> => ask(address, { path, origin: expected.portal });
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
  async function ask(address: string, question: Question): Promise<LineReply> {
    let timer: NodeJS.Timeout | undefined;
    const { timeoutMs = SPEED_CHECK_TIMEOUT_MS } = question;
    const deadline = new Promise<LineReply>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'timeout' }), deps.deadlineMs ?? timeoutMs + GRACE_MS);
    });
    try {
      const options = { origin: undefined, ...question, signal };
      return await Promise.race([deps.askLine(address, options), deadline]);
    } catch {
      return { kind: 'unreachable', code: 'UNKNOWN' };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Notes what a check has found. What it has not asked stays as it was. */
  function note({ line: { id, host }, role }: WatchedLine, found: Partial<Findings>): void {
    const last = states.get(id);
    const { addresses = [], health } = { ...last, ...found };
    const seen = findCondition(addresses, health);
    sightings.set(id, { addresses, health, seen });
    const condition = agreeOnCondition(id, seen);
    const at = now();
    const streak = last?.condition === condition ? last.streak + 1 : 1;
    const { bad, good } = deps.confirmation();
    // A line that is up when the server first asks was not down before, as far as anybody knows.
    const isSettled =
      streak >= (condition === 'up' ? good : bad) || (last === undefined && condition === 'up');
    states.set(id, {
      ...describeChange(last, condition),
      host,
      role,
      seen,
      checkedAt: at,
      settled: isSettled ? condition : last?.settled,
      streak,
      addresses,
      health,
    });
    metrics.setLineState(host, role, {
      isUp: seen !== 'down',
      hasPage: addresses.every(({ pageFault }) => pageFault === undefined),
    });
    const isNews =
      last === undefined ||
      (last.condition === 'down') !== (condition === 'down') ||
      last.health?.isDead !== health?.isDead;
    if (role === 'line' && isNews) tellSteering();
  }

  /** Whether another replica sees a line down, and this one does not, or the other way round. */
  function isDisputed(id: string, { seen }: LineState): boolean {
    return others.some(({ down, isCutOff }) => !isCutOff && down.includes(id) !== (seen === 'down'));
  }

  /** The others have said something new of a line: its condition may change without a check. */
  function reconsider(id: string, state: LineState): void {
    const condition = agreeOnCondition(id, state.seen);
    if (condition === state.condition) return;
    states.set(id, { ...state, ...describeChange(state, condition), streak: 1 });
  }

  function describeChange(
    last: LineState | undefined,
    condition: Condition,
  ): Pick<LineState, 'condition' | 'since' | 'recoveredAt'> {
    const at = now();
    const hasRecovered = last?.condition === 'down' && condition !== 'down';
    return {
      condition,
      since: last?.condition === condition ? last.since : at,
      recoveredAt: hasRecovered ? at : last?.recoveredAt,
    };
  }

  function agreeOnCondition(id: string, seen: Condition): Condition {
    if (others.length === 0) return seen;
    const own = describeOwnView();
    const agreement = agreeOnLine(id, own, others);
    if (agreement === undefined) return seen;
    if (agreement.isDown) return 'down';
    if (seen !== 'down') return seen;
    // It is down from here only. If everything is, that says nothing about this line.
    return own.isCutOff ? 'up' : 'degraded';
  }

  function describeOwnView(): SharedLineView {
    const all = [...sightings];
    const down = all.filter(([, { seen }]) => seen === 'down');
    const dead = down.filter(([, { health }]) => health?.isDead === true);
    const isCutOff =
      sightings.size >= listWatched().length &&
      all.every(([, { addresses }]) => addresses.every(({ faults }) => faults.length > 0));
    return { isCutOff, down: down.map(([id]) => id), dead: dead.map(([id]) => id) };
  }

  function tellSteering(): void {
    const down = [...states].filter(([, { role, condition }]) => role === 'line' && condition === 'down');
    const own = describeOwnView();
    const dead = down.filter(([id]) => {
      return agreeOnLine(id, own, others)?.isDead ?? own.dead.includes(id);
    });
    const [downIds, deadIds] = [down, dead].map((found) => found.map(([id]) => id));
    const told = JSON.stringify([states.size, downIds, deadIds]);
    if (told === toldSteering) return;
    toldSteering = told;
    steering.setDown(new Set(downIds), new Set(deadIds));
  }

  function forgetOthers(lines: readonly WatchedLine[]): void {
    const roles = new Map(lines.map(({ line, role }) => [line.id, role]));
    for (const [id, { host, role }] of states) {
      if (roles.get(id) === role) continue;
      states.delete(id);
      sightings.delete(id);
      askedAt.delete(id);
      applicationAskedAt.delete(id);
      metrics.forgetLine(host, role);
    }
  }
}

function findCondition(addresses: readonly AddressState[], health: LineHealth | undefined): Condition {
  if (health?.isDead === true || addresses.every(({ faults }) => faults.length > 0)) return 'down';
  const isWhole = addresses.every(({ faults, pageFault }) => faults.length === 0 && pageFault === undefined);
  return isWhole && !health?.faults.length ? 'up' : 'degraded';
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
