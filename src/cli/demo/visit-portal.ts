import { REAL_USER_ADDR_HEADER, REAL_USER_ID_HEADER, TICKET_HEADER } from '../../contract/api/headers.ts';
import { type HostEntry, readHostList } from '../../contract/api/host-entry.ts';
import { FAILED_TIME_MS, SPEED_CHECK_TIMEOUT_MS } from '../../contract/limits.ts';
import { DAY_MS } from '../../contract/time-units.ts';
import type { MeasurementReport } from '../../contract/api/measurement-report.ts';
import { CALLER_PATH, EVENTS_PATH, HOSTNAMES_PATH, MEASUREMENTS_PATH } from '../../contract/paths.ts';
import type { VisitEvents } from '../../contract/visit-events.ts';
import { VISIT_STEPS } from '../../contract/visitors.ts';
import { buildLine } from '../../engine/line/build-line.ts';
import { judgeReply } from '../../engine/line/judge-reply.ts';
import type { requestLine } from '../../line/request-line.ts';
import type { Passage } from './passage.ts';

export type VisitDeps = {
  readonly portalUrl: string;
  readonly marker: string;
  readonly markerHeader: string;
  readonly ports: readonly number[];
  /** The visitor's IP address. The portal trusts the demo to name it. */
  readonly address: string;
  readonly passageTo: (host: string) => Passage;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly askLine: (address: string) => ReturnType<typeof requestLine>;
  readonly random: () => number;
  readonly now: () => number;
};

type Result = MeasurementReport['results'][number];

/** The part of visitors who enter no line. */
const LEAVING_PART = 0.04;

const PHONES_PART = 0.7;
const LANGUAGES = ['zh-CN', 'zh-TW', 'en'] as const;

/** Makes one visit with the calls of a page: caller's address, hostnames, probes, report, and what is counted of a visit. */
export async function visitPortal(deps: VisitDeps): Promise<void> {
  const { portalUrl, address, fetch, random } = deps;
  const headers = { 'X-Forwarded-For': address };
  const caller = await fetch(`${portalUrl}${CALLER_PATH}`, { headers });
  // The answer is our own portal's.
  const { get_ip, key_id } = (await caller.json()) as Record<string, string>;
  const hostnames = await fetch(`${portalUrl}${HOSTNAMES_PATH}`, {
    headers: { ...headers, [REAL_USER_ADDR_HEADER]: get_ip ?? '', [REAL_USER_ID_HEADER]: key_id ?? '' },
  });
  const ticket = hostnames.headers.get(TICKET_HEADER);
  const entries = readHostList(await hostnames.json());
  if (ticket === null) return;
  const results = await Promise.all(entries.map((entry, index) => measure(entry, index, deps)));
  const entered = random() < LEAVING_PART ? null : findFastest(results);
  const report: MeasurementReport = { ticket, results, entered };
  const send = (path: string, body: object): Promise<Response> =>
    fetch(`${portalUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await send(MEASUREMENTS_PATH, report);
  const hasRow = findFastest(results) !== null;
  const host = entered === null ? undefined : entries[entered]?.host;
  // A site that counts nothing refuses it.
  await send(EVENTS_PATH, describeVisit({ hasRow, host, random }));
}

/** What the page of such a visitor counts, so that the view of the visitors has those of the overview. */
function describeVisit({
  hasRow,
  host,
  random,
}: Pick<VisitDeps, 'random'> & {
  readonly hasRow: boolean;
  /** The line that was entered. */
  readonly host: string | undefined;
}): VisitEvents {
  return {
    device: random() < PHONES_PART ? 'mobile' : 'pc',
    language: LANGUAGES[Math.floor(random() * LANGUAGES.length)] ?? LANGUAGES[0],
    referrer: '',
    steps: VISIT_STEPS.slice(0, host !== undefined ? 4 : hasRow ? 3 : 2),
    events: host === undefined ? {} : { official_line: 1 },
    lines: host === undefined ? {} : { [host]: 1 },
  };
}

async function measure(entry: HostEntry, index: number, deps: VisitDeps): Promise<Result> {
  const { reach, extraMs } = deps.passageTo(entry.host);
  const today = Math.floor(deps.now() / DAY_MS);
  const line = buildLine(entry, { ports: deps.ports, random: deps.random, today });
  if (deps.random() >= reach || 'reason' in line) return fail(index, 'unreachable');
  const reply = await deps.askLine(line.address);
  const { cause } = judgeReply(line.address, reply, { ...deps, portal: undefined });
  if (cause !== undefined || reply.kind !== 'answer') return fail(index, cause ?? 'unreachable');
  const time = Math.round(reply.timeMs + extraMs);
  return time > SPEED_CHECK_TIMEOUT_MS ? fail(index, 'timeout') : { index, outcome: 'valid', time };
}

function fail(index: number, outcome: Exclude<Result['outcome'], 'valid'>): Result {
  return { index, outcome, time: FAILED_TIME_MS };
}

function findFastest(results: readonly Result[]): number | null {
  const valid = results.filter(({ outcome }) => outcome === 'valid').toSorted((a, b) => a.time - b.time);
  return valid[0]?.index ?? null;
}
