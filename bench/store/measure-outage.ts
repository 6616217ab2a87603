import { setTimeout as wait } from 'node:timers/promises';
import { type Visitors, sendVisits } from '../../e2e/support/send-visits.ts';
import { startPostgres } from '../../src/server/testing/start-postgres.ts';
import { startRelay } from '../../src/server/testing/start-relay.ts';
import type { Claim } from '../claim.ts';
import { startPortal } from '../start-servers.ts';
import { median, quantile } from '../statistics.ts';

const RUNS = 5;
const VISITS_PER_SECOND = 100;
const PORTALS = 2;
/** The portals start, and their code gets warm. */
const REST_SECONDS = 20;
const QUIET_SECONDS = 60;
const AWAY_SECONDS = 60;
/** After the standby has taken over: the portals find it, and read everything anew. */
const AFTER_SECONDS = 20;
const MAX_RATIO = 1.5;
/** If fewer of the visits were made, the machine was too busy to measure anything. */
const MIN_MADE = 0.95;

type Run = {
  readonly visits: number;
  readonly failures: readonly string[];
  /** The 99.9th percentiles of a visit. */
  readonly quietMs: number;
  readonly awayMs: number;
};

/**
 * Two portals and 100 visits a second: PostgreSQL stops for a minute, then a synchronous standby takes its place. Does a visit fail, or
 * take longer than in a quiet minute?
 */
export async function measureOutage(): Promise<readonly Claim[]> {
  const runs: Run[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measureRun());
  const visits = runs.reduce((sum, run) => sum + run.visits, 0);
  const due = RUNS * VISITS_PER_SECOND * (QUIET_SECONDS + AWAY_SECONDS + AFTER_SECONDS);
  const failures = runs.flatMap((run) => run.failures);
  const ratio = median(runs.map(({ quietMs, awayMs }) => awayMs / quietMs));
  const times = runs.map(({ quietMs, awayMs }) => `${quietMs.toFixed(0)} and ${awayMs.toFixed(0)} ms`);
  return [
    {
      what: `visits made, of ${due.toLocaleString('en')} at ${VISITS_PER_SECOND} a second`,
      measured: visits.toLocaleString('en'),
      bound: { text: `≥ ${MIN_MADE * 100} %`, isMet: visits >= MIN_MADE * due },
    },
    {
      what: `PostgreSQL stopped for ${AWAY_SECONDS} s, then a standby promoted, ${PORTALS} portals: failed requests`,
      measured: [failures.length, ...new Set(failures)].join('; '),
      bound: { text: 'none', isMet: failures.length === 0 },
    },
    {
      what: `a visit meanwhile and ${AFTER_SECONDS} s after, 99.9th percentile, compared with a quiet minute; the median of ${RUNS} runs (${times.join('; ')})`,
      measured: `${ratio.toFixed(2)} times`,
      bound: { text: `≤ ${MAX_RATIO} times`, isMet: ratio <= MAX_RATIO },
    },
  ];
}

async function measureRun(): Promise<Run> {
  const endings: (() => unknown)[] = [];
  try {
    const primary = await startPostgres();
    endings.push(primary.close);
    const url = new URL(await primary.createDatabase());
    const standby = await primary.startStandby();
    endings.push(standby.close);
    // The address that leads to whichever server is in charge.
    const relay = await startRelay(primary.port, 0);
    endings.push(relay.close);
    url.port = String(relay.port);
    const visitors: Visitors[] = [];
    for (let portal = 0; portal < PORTALS; portal += 1) {
      const env = { WAYPOST_DATABASE_URL: url.href, WAYPOST_EDIT: 'on', PREVIEW_PORT: '0' };
      const { port, close } = await startPortal(undefined, { env });
      endings.push(close);
      const load = { visitors: VISITS_PER_SECOND / PORTALS, everyMs: 1_000 };
      const sent = sendVisits(`http://127.0.0.1:${port}`, load);
      visitors.push(sent);
      endings.push(sent.stop);
    }
    await wait(REST_SECONDS * 1_000);
    const quiet = await takeVisits(visitors, () => wait(QUIET_SECONDS * 1_000));
    const away = await takeVisits(visitors, async () => {
      await primary.kill();
      await wait(AWAY_SECONDS * 1_000);
      await standby.promote();
      relay.leadTo(standby.port);
      await wait(AFTER_SECONDS * 1_000);
    });
    return {
      visits: quiet.length + away.length,
      failures: visitors.flatMap(({ tally }) => tally.failures),
      quietMs: quantile(quiet, 0.999),
      awayMs: quantile(away, 0.999),
    };
  } finally {
    for (const end of endings.toReversed()) await end();
  }
}

/** How long the visits took that ended meanwhile, in ms. */
async function takeVisits(
  visitors: readonly Visitors[],
  meanwhile: () => Promise<void>,
): Promise<readonly number[]> {
  const before = visitors.map(({ tally }) => tally.durations.length);
  await meanwhile();
  return visitors.flatMap(({ tally }, index) => tally.durations.slice(before[index]));
}
