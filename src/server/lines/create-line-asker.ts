import { setMaxListeners } from 'node:events';
import type { PageFault, ReplyFault } from '../../contract/line/line-fault.ts';
import type { LineReply } from '../../contract/line/line-reply.ts';
import { SPEED_CHECK_TIMEOUT_MS } from '../../contract/limits.ts';
import { DAY_MS } from '../../contract/time-units.ts';
import { LANDING_PATH, SPEED_CHECK_PATH } from '../../contract/paths.ts';
import { publicOriginOf } from '../../contract/site/site-config.ts';
import { listLineAddresses } from '../../engine/line/build-line.ts';
import { createAskApplication } from '../../engine/line/create-ask-application.ts';
import { createAskStay } from '../../engine/line/create-ask-stay.ts';
import { type Expectation, findPageFault, judgeReply } from '../../engine/line/judge-reply.ts';
import type { SteeringMetrics } from '../metrics/create-steering-metrics.ts';
import { createLimit } from '../../contract/create-limit.ts';
import type { SiteLine } from '../site/create-line-table.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import { type LineHealth, checkHealth } from './check-health.ts';
import { type AddressState, portOf } from './line-state.ts';
import { DeadlineError, withDeadline } from '../process/with-deadline.ts';

/** Sends a line a request, as a page of this origin would. */
export type AskLine = (
  address: string,
  options: {
    readonly path: string;
    readonly origin: string | undefined;
    readonly signal: AbortSignal;
    readonly timeoutMs?: number;
    /** Reads this number of bytes of the body, too. */
    readonly maxBodyBytes?: number;
  },
) => Promise<LineReply>;

export type LineAskerDeps = {
  readonly site: () => Pick<PublishedSite, 'config'>;
  readonly askLine: AskLine;
  /** Ends the requests that are under way. */
  readonly signal: AbortSignal;
  readonly metrics: Pick<SteeringMetrics, 'countProbe'>;
  readonly now: () => number;
  /** The server waits for a request no longer than this, also if the request never ends. */
  readonly deadlineMs?: number;
};

export type LineAsker = {
  /** Sends the speed check to every address of a line, and asks some of them for the page. It never rejects. */
  readonly askAddresses: (line: SiteLine, round: AddressRound) => Promise<readonly AddressState[]>;
  /**
   * Prepares to ask the application of a line, where the speed check is passed: elsewhere the line is down in any case.
   * Undefined if there is no such address, or if the site asks no applications.
   */
  readonly prepareHealthCheck: (
    addresses: readonly AddressState[],
  ) => ((turn: number) => Promise<LineHealth>) | undefined;
};

type AddressRound = {
  /** Each round asks for the page at another port. */
  readonly round: number;
  /** Asks an address that fails a second time: one failure may be an accident. */
  readonly asksTwice: boolean;
  /** What was found the last time. */
  readonly last: readonly AddressState[];
};

/** How many addresses are asked at once. */
const LANES = 64;
/** One round in this many asks for the files that keep visitors in: every ten minutes. */
const STAY_ROUNDS = 20;
/** Longer than a request's own limit, so that it only ends requests that ignore theirs. */
const GRACE_MS = 1_000;

type Question = Pick<Parameters<AskLine>[1], 'path' | 'timeoutMs' | 'maxBodyBytes'> & {
  readonly origin?: string | undefined;
};

/** Asks lines over the network, and judges what they answer as a visitor's page would. */
export function createLineAsker(deps: LineAskerDeps): LineAsker {
  const { site, signal, metrics, now } = deps;
  const limit = createLimit(LANES);
  const askStay = createAskStay(ask);
  // Each running request adds a listener.
  setMaxListeners(LANES, signal);

  return {
    askAddresses: (line, { round, asksTwice, last }) => {
      const { config } = site();
      const expected = { ...config.lines, portal: publicOriginOf(config) };
      const today = Math.floor(now() / DAY_MS);
      const listed = listLineAddresses(line, config.lines.ports, today);
      return Promise.all(
        listed.map((address, index) => {
          const { pageFault: lastPageFault, stay } =
            last.find(({ address: other }) => isSamePort(other, address)) ?? {};
          // The page is also asked for at each port where it was missing.
          const asksPage = round % listed.length === index || lastPageFault !== undefined;
          // All ports have the same files, so one is asked for them, and rarely.
          const asksStay = index === 0 && round % STAY_ROUNDS === 0;
          return limit(async () => {
            const state = await askAddress(line, { address, asksPage, asksTwice, expected });
            const isAsked = asksStay && state.faults.length === 0 && !signal.aborted;
            return { ...state, stay: isAsked ? await askStay(address) : stay };
          });
        }),
      );
    },
    prepareHealthCheck: (addresses) => {
      const askApplication = createAskApplication(site().config.lines.health, ask);
      const [first, ...more] = addresses.flatMap(({ address, faults }) =>
        faults.length === 0 ? [address] : [],
      );
      if (askApplication === undefined || first === undefined) return undefined;
      return async (turn) => {
        const health = await checkHealth([first, ...more], {
          turn,
          ask: (address) => limit(() => askApplication(address)),
        });
        return { ...health, checkedAt: now() };
      };
    },
  };

  async function askAddress(
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
    const { timeoutMs = SPEED_CHECK_TIMEOUT_MS } = question;
    try {
      const reply = deps.askLine(address, { origin: undefined, ...question, signal });
      return await withDeadline(reply, deps.deadlineMs ?? timeoutMs + GRACE_MS, `${address} does not answer`);
    } catch (error) {
      return error instanceof DeadlineError ? { kind: 'timeout' } : { kind: 'unreachable', code: 'UNKNOWN' };
    }
  }
}

/** The day's name changes at midnight, the port does not. */
function isSamePort(one: string, other: string): boolean {
  return portOf(one) === portOf(other);
}
