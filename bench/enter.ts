import { trustCertificate } from '../e2e/support/make-certificate.ts';
import type { Bench, Claim } from './claim.ts';
import { type Entry, measureClick, measureEntry, measureFirstRow } from './measure-entry.ts';
import { type BareChromium, openBareChromium } from './open-bare-chromium.ts';
import { openDistantWorld } from './open-distant-world.ts';
import type { DistantLine, DistantWorld } from './start-distant-world.ts';
import { bareUrlFor, linkUrlFor } from './start-usual-page.ts';
import { inMs, median, quantile } from './statistics.ts';

const RUNS = 15;
/** In the far world, where a visit takes seconds. */
const FAR_RUNS = 5;
/** A visit of the usual page takes over 6 s, so we make only a few. */
const USUAL_RUNS = 3;
const CLICKS = 50;
const MAX_CLICK_MS = 20;
/** After three clicks comes one on a page that has nothing but the link: its time is the browser's own. */
const BARE_CLICK_AFTER = 3;

const PORTAL_MS = 60;
const LINE_MS = 40;
/**
 * How many times as far everything is in the far world. In the near world, the browser and all servers share the two
 * processors of one machine, which costs a visit as much as two round trips. In the far world that does not matter, and
 * a step too many would show.
 */
const FAR = 8;
const FASTEST = 'line1.localhost';
/** The lines of a world of that many times the distances. */
const linesAt = (factor: number): readonly DistantLine[] => [
  { host: FASTEST, roundTripMs: LINE_MS * factor },
  { host: 'line2.localhost', roundTripMs: 90 * factor },
  { host: 'line3.localhost', roundTripMs: 160 * factor },
  { host: 'line4.localhost', roundTripMs: 40 * factor, fault: 'hang' },
];

/** One request on a new connection: TCP, TLS 1.3, the request. */
const COLD = 3;
/** What a visitor of `/r` waits for, each after the other, in round trips to the portal and to the line. */
const WAYS = [
  { name: 'calls', start: 'calls', prefetch: 'off', boundMs: (COLD + 2) * PORTAL_MS + 2 * COLD * LINE_MS },
  { name: 'inline', start: 'inline', prefetch: 'off', boundMs: COLD * PORTAL_MS + 2 * COLD * LINE_MS },
  {
    name: 'calls, fetched ahead',
    start: 'calls',
    prefetch: 'fastest',
    boundMs: (COLD + 2) * PORTAL_MS + COLD * LINE_MS,
  },
  {
    name: 'inline, fetched ahead',
    start: 'inline',
    prefetch: 'fastest',
    boundMs: COLD * PORTAL_MS + COLD * LINE_MS,
  },
] as const;
/** A page that goes to the line at once. What it takes beyond these round trips is the browser's, TLS's and the servers'. */
const BARE_MS = COLD * PORTAL_MS + COLD * LINE_MS;
/** Indexes of `WAYS`. */
const CALLS = 0;
const INLINE = 1;
const INLINE_AHEAD = 3;

type Measured = {
  /** Of `/r`, in the order of the ways. */
  readonly entries: readonly Entry[][];
  /** The same for `/`. */
  readonly firstRows: readonly number[][];
  readonly bare: readonly number[];
};

type MeasuredClicks = { readonly clicks: readonly Entry[]; readonly bareClicks: readonly Entry[] };

/** A world of that many times the distances, and how often it is visited each way. */
type Distance = { readonly factor: number; readonly runs: number };
const NEAR: Distance = { factor: 1, runs: RUNS };
const FAR_AWAY: Distance = { factor: FAR, runs: FAR_RUNS };

/** From opening a page until the first byte of a line, over https, with every way to start. */
export const enter: Bench = {
  title: `entering a line over https (round trips: portal ${PORTAL_MS} ms; lines 40, 90, 160 ms, one hanging), cold connections, medians of ${RUNS} visits in turn`,
  async run() {
    const near = await visit(NEAR, async (browser, world) => ({
      ...(await measure(browser, world, NEAR)),
      usual: await measureUsualPage(browser, world),
      ...(await measureClicks(browser, world)),
    }));
    const far = await visit(FAR_AWAY, (browser, world) => measure(browser, world, FAR_AWAY));
    return [
      ...describeEntries(near, NEAR),
      describeUsualPage(near),
      ...describeFirstRows(near),
      ...describeClicks(near),
      { what: `everything ${FAR} times as far`, measured: `medians of ${FAR_RUNS} visits` },
      ...describeEntries(far, FAR_AWAY),
      ...describeFirstRows(far),
    ];
  },
};

/** Opens a world and a browser, for as long as the visits take. */
async function visit<T>(
  { factor }: Distance,
  act: (browser: BareChromium, world: DistantWorld) => Promise<T>,
): Promise<T> {
  const world = await openDistantWorld({
    portalRoundTripMs: PORTAL_MS * factor,
    lines: linesAt(factor),
    isSecure: true,
    sites: WAYS.map(({ start, prefetch }) => ({ start, prefetch })),
  });
  const browser = await openBareChromium([trust(world)]);
  const measured = await act(browser, world);
  await browser.close();
  await world.close();
  return measured;
}

/** The certificate is the bench's own. Prefetches do not obey a setting of the page, so the whole browser must trust it. */
function trust({ certificate }: Pick<DistantWorld, 'certificate'>): string {
  return trustCertificate({ cert: certificate?.cert ?? '' });
}

async function measure(
  browser: BareChromium,
  { portalUrls, usualUrl, addresses }: DistantWorld,
  { runs }: Distance,
): Promise<Measured> {
  const bareUrl = bareUrlFor(usualUrl, addresses[0] ?? '');
  const entries: Entry[][] = WAYS.map(() => []);
  const firstRows: number[][] = WAYS.map(() => []);
  const bare: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const ways = [...portalUrls.entries()];
    for (const [way, url] of run % 2 === 0 ? ways : ways.toReversed()) {
      entries[way]?.push(await measureEntry(browser, `${url}/r`, FASTEST));
      if (WAYS[way]?.prefetch === 'off') firstRows[way]?.push(await measureFirstRow(browser, url));
    }
    bare.push((await measureEntry(browser, bareUrl, FASTEST)).ms);
  }
  return { entries, firstRows, bare };
}

async function measureUsualPage(
  browser: BareChromium,
  { usualUrl }: DistantWorld,
): Promise<readonly number[]> {
  const times: number[] = [];
  while (times.length < USUAL_RUNS) times.push((await measureEntry(browser, usualUrl, FASTEST)).ms);
  return times;
}

async function measureClicks(
  browser: BareChromium,
  { portalUrls, usualUrl, addresses }: DistantWorld,
): Promise<MeasuredClicks> {
  const clicks: Entry[] = [];
  const bareClicks: Entry[] = [];
  while (clicks.length < CLICKS) {
    clicks.push(await measureClick(browser, portalUrls[INLINE_AHEAD] ?? ''));
    if (clicks.length % BARE_CLICK_AFTER === 0)
      bareClicks.push(await measureClick(browser, linkUrlFor(usualUrl, addresses[0] ?? '')));
  }
  return { clicks, bareClicks };
}

function describeEntries({ entries, bare }: Measured, { factor }: Distance): readonly Claim[] {
  const bareMs = BARE_MS * factor;
  const costMs = median(bare) - bareMs;
  const claims = WAYS.map(({ name, boundMs: nearMs, prefetch }, way): Claim => {
    const boundMs = nearMs * factor;
    const visits = entries[way] ?? [];
    const fetched = visits.filter(({ isPrefetched }) => isPrefetched).length;
    const ratio = middle(visits) / boundMs;
    const ownRatio = (middle(visits) - costMs) / boundMs;
    const ahead = prefetch === 'off' ? '' : `; ${fetched} of ${visits.length} were fetched ahead`;
    return {
      what: `/r, ${name}: first byte of the line after`,
      measured: `${inMs(middle(visits))}, ${ratio.toFixed(2)} of its round trips (${boundMs} ms); ${ownRatio.toFixed(2)} without the ${inMs(costMs)} that a bare page takes beyond its own${ahead}`,
      bound: { text: '≤ 1.10', isMet: ratio <= 1.1 },
    };
  });
  const callsMs = middle(entries[CALLS]);
  const ahead = entries[INLINE_AHEAD]?.filter(({ isPrefetched }) => isPrefetched);
  return [
    {
      what: 'a bare page that goes to the line at once: first byte of the line after',
      measured: `${inMs(median(bare))}, ${inMs(costMs)} more than its round trips (${bareMs} ms)`,
    },
    ...claims,
    claimRatio('/r: inline ÷ calls', middle(entries[INLINE]) / callsMs, 0.82),
    claimRatio('/r: inline, where the winner was fetched ahead ÷ calls', middle(ahead) / callsMs, 0.62),
  ];
}

function describeUsualPage({ entries, usual }: Measured & { readonly usual: readonly number[] }): Claim {
  const ratio = median(usual) / middle(entries[CALLS]);
  return {
    what: `the usual page (waits for all probes, then 600 ms; ${usual.length} visits)`,
    measured: `${inMs(median(usual))}, ${ratio.toFixed(1)} times as long as /r with calls`,
    bound: { text: '≥ 8', isMet: ratio >= 8 },
  };
}

function describeFirstRows({ firstRows }: Measured): readonly Claim[] {
  const [calls, inline] = [CALLS, INLINE].map((way) => median(firstRows[way] ?? []));
  return [
    { what: '/, calls: a row shows its time after', measured: inMs(calls ?? Number.NaN) },
    { what: '/, inline: a row shows its time after', measured: inMs(inline ?? Number.NaN) },
    claimRatio('/: inline ÷ calls', (inline ?? Number.NaN) / (calls ?? Number.NaN), 0.7),
  ];
}

function describeClicks({ clicks, bareClicks }: MeasuredClicks): readonly Claim[] {
  const fetched = clicks.filter(({ isPrefetched }) => isPrefetched);
  const times = fetched.map(({ ms }) => ms);
  const quick = times.filter((ms) => ms <= MAX_CLICK_MS);
  return [
    {
      what: `/: clicks on the fastest row, 2 s after the loading state, that were served from the prefetch`,
      measured: `${fetched.length} of ${clicks.length}`,
      bound: { text: '≥ 48 of 50', isMet: fetched.length >= clicks.length * 0.96 },
    },
    {
      what: `… whose first byte came within ${MAX_CLICK_MS} ms of the click`,
      measured: `${quick.length} of ${clicks.length}; median ${inMs(median(times))}, 95th percentile ${inMs(quantile(times, 0.95))}`,
      bound: { text: '≥ 48 of 50', isMet: quick.length >= clicks.length * 0.96 },
    },
    {
      what: `… and on a page that has nothing but the link (${bareClicks.length} clicks)`,
      measured: `median ${inMs(middle(bareClicks.filter(({ isPrefetched }) => isPrefetched)))}`,
    },
  ];
}

function claimRatio(what: string, ratio: number, limit: number): Claim {
  return { what, measured: ratio.toFixed(2), bound: { text: `≤ ${limit}`, isMet: ratio <= limit } };
}

function middle(visits: readonly Entry[] | undefined): number {
  return median((visits ?? []).map(({ ms }) => ms));
}
