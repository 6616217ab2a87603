import type { Bench, Claim } from './claim.ts';
import { measureRelay } from './measure-relay.ts';
import { type Steps, measureSteps, measureVisit } from './measure-visit.ts';
import { openChromium } from './open-chromium.ts';
import { openDistantWorld } from './open-distant-world.ts';
import type { DistantLine } from './start-distant-world.ts';
import { inMs, median, quantile } from './statistics.ts';

const RUNS = 30;
/** A visit of the usual page takes over 5 s, so we make only a few. */
const USUAL_RUNS = 5;
const MAX_MEDIAN_RATIO = 1.1;
const MAX_P95_RATIO = 1.25;
/** A link of a campaign takes no round trip more. */
const MAX_CAMPAIGN_RATIO = 1.02;

const PORTAL_MS = 60;
const FASTEST = 'line1.localhost';
const LINES: readonly DistantLine[] = [
  { host: FASTEST, roundTripMs: 40 },
  { host: 'line2.localhost', roundTripMs: 90 },
  { host: 'line3.localhost', roundTripMs: 160 },
  { host: 'line4.localhost', roundTripMs: 40, fault: 'hang' },
];

/** From opening `/r` until the browser asks the fastest line for its page, compared with the sum of the single steps. */
export const redirect: Bench = {
  title: `/r to the fastest of four lines (round trips: portal ${PORTAL_MS} ms; lines 40, 90, 160 ms, one hanging), ${RUNS} visits`,
  async run() {
    const world = await openDistantWorld({ portalRoundTripMs: PORTAL_MS, lines: LINES });
    const browser = await openChromium();
    const [fastestAddress = ''] = world.addresses;
    const [portalUrl = ''] = world.portalUrls;
    const steps: Steps[] = [];
    const visits: number[] = [];
    const clicks: number[] = [];
    const usual: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const tasks = [
        async () => steps.push(await measureSteps(browser, portalUrl, fastestAddress)),
        async () => visits.push(await measureVisit(browser, `${portalUrl}/r`, FASTEST)),
        async () => clicks.push(await measureVisit(browser, `${portalUrl}/c/bench`, FASTEST)),
      ];
      for (const task of run % 2 === 0 ? tasks : tasks.toReversed()) await task();
      if (run < USUAL_RUNS) usual.push(await measureVisit(browser, world.usualUrl, FASTEST));
    }
    await browser.close();
    await world.close();
    return [
      ...(await describeRelays()),
      ...describeVisits(steps, visits, usual),
      describeClicks(visits, clicks),
    ];
  },
};

async function describeRelays(): Promise<readonly Claim[]> {
  const claims: Claim[] = [];
  for (const roundTripMs of new Set([PORTAL_MS, ...LINES.map((line) => line.roundTripMs)])) {
    const { firstMs, nextMs } = await measureRelay(roundTripMs);
    claims.push({
      what: `relay of ${roundTripMs} ms`,
      measured: `first answer of a connection after ${inMs(firstMs)}, the next after ${inMs(nextMs)}`,
    });
  }
  return claims;
}

function describeVisits(
  steps: readonly Steps[],
  visits: readonly number[],
  usual: readonly number[],
): readonly Claim[] {
  const alone = (step: keyof Steps): number => median(steps.map((taken) => taken[step]));
  const parts = [alone('document'), alone('caller'), alone('hostnames'), alone('probe')];
  const boundMs = parts.reduce((sum, part) => sum + part, 0);
  const ratios = visits.map((visit) => visit / boundMs);
  const [middle, slow] = [median(ratios), quantile(ratios, 0.95)];
  return [
    {
      what: 'bound: document + caller + hostnames + cold probe, each alone',
      measured: `${parts.map(inMs).join(' + ')} = ${inMs(boundMs)}`,
    },
    {
      what: '/r asks for the destination after',
      measured: `${inMs(median(visits))} (95th percentile ${inMs(quantile(visits, 0.95))})`,
    },
    {
      what: 'of the bound, median',
      measured: middle.toFixed(3),
      bound: { text: `≤ ${MAX_MEDIAN_RATIO}`, isMet: middle <= MAX_MEDIAN_RATIO },
    },
    {
      what: 'of the bound, 95th percentile',
      measured: slow.toFixed(3),
      bound: { text: `≤ ${MAX_P95_RATIO}`, isMet: slow <= MAX_P95_RATIO },
    },
    {
      what: `the usual page (waits for all probes, then 600 ms; ${usual.length} visits)`,
      measured: `${inMs(median(usual))}, ${(median(usual) / median(visits)).toFixed(1)} times as long`,
    },
  ];
}

/** A link of a campaign beside `/r`, in the same run. */
function describeClicks(visits: readonly number[], clicks: readonly number[]): Claim {
  const ratio = median(clicks) / median(visits);
  return {
    what: `/c/CODE asks for the destination after ${inMs(median(clicks))}, compared with /r`,
    measured: ratio.toFixed(3),
    bound: { text: `≤ ${MAX_CAMPAIGN_RATIO}`, isMet: ratio <= MAX_CAMPAIGN_RATIO },
  };
}
