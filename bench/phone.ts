import type { Bench, Claim } from './claim.ts';
import { type PhoneVisit, measurePhoneVisit } from './measure-phone-visit.ts';
import { openBareChromium } from './open-bare-chromium.ts';
import { openDistantWorld } from './open-distant-world.ts';
import type { DistantLine, DistantWorld } from './start-distant-world.ts';
import { inMs, median } from './statistics.ts';

const RUNS = 9;
const SLOWDOWN = 6;
const PORTAL_MS = 60;
const LINES: readonly DistantLine[] = [
  { host: 'line1.localhost', roundTripMs: 40 },
  { host: 'line2.localhost', roundTripMs: 90 },
  { host: 'line3.localhost', roundTripMs: 160 },
  { host: 'line4.localhost', roundTripMs: 250 },
];

const VALUES: readonly {
  readonly what: string;
  readonly value: keyof PhoneVisit;
  readonly maxMs?: number;
}[] = [
  { what: 'the first number is on screen', value: 'firstNumberMs' },
  { what: 'React has taken over', value: 'liveMs' },
  {
    what: 'retest works after the first number, one line answering and three hanging',
    value: 'retestMs',
    maxMs: 300,
  },
  { what: 'longest task of scripts before the first number', value: 'longestTaskMs', maxMs: 100 },
  // Without a bound: style, layout and paint of the whole page are the browser's own.
  { what: 'slowest frame before it, as the browser draws it', value: 'drawingMs' },
  { what: 'total blocking time', value: 'blockingMs', maxMs: 200 },
  { what: 'slowest number on screen after its answer', value: 'numberDelayMs', maxMs: 100 },
  { what: 'slowest tap on a row, until the page has handled it', value: 'tapMs', maxMs: 200 },
  {
    what: 'one tap on a row after the first paint, until it is drawn (INP)',
    value: 'tapDrawnMs',
    maxMs: 200,
  },
];

const HANGING_LINES = LINES.map((line, index): DistantLine =>
  index === 0 ? line : { ...line, fault: 'hang' },
);

/** The landing page on a phone with a slow processor. The bounds are for this checkout, not for the one beside it. */
export const phone: Bench = {
  title: `landing page on a phone, processor slowed ${SLOWDOWN} × (round trips: portal ${PORTAL_MS} ms; lines 40, 90, 160, 250 ms), medians of ${RUNS} visits in turn`,
  async run({ beside }) {
    const dirs = beside === undefined ? ['.'] : ['.', beside];
    const browser = await openBareChromium();
    const worlds = await Promise.all(dirs.map((dir) => openWorld(dir, LINES)));
    const hangingWorlds = await Promise.all(dirs.map((dir) => openWorld(dir, HANGING_LINES)));
    const visits = dirs.map((): PhoneVisit[] => []);
    for (let run = 0; run < RUNS; run += 1) {
      for (const turn of dirs.keys()) {
        const index = (run + turn) % dirs.length;
        const pages = { url: landingOf(worlds[index]), hangingUrl: landingOf(hangingWorlds[index]) };
        visits[index]?.push(await measurePhoneVisit(browser, pages, SLOWDOWN));
      }
    }
    await browser.close();
    for (const { close } of [...worlds, ...hangingWorlds]) await close();
    const [own = [], other] = visits;
    return VALUES.flatMap(({ what, value, maxMs }): readonly Claim[] => {
      const ms = median(own.map((visit) => visit[value]));
      const bound = maxMs === undefined ? {} : { bound: { text: `≤ ${maxMs} ms`, isMet: ms <= maxMs } };
      const claim: Claim = { what, measured: inMs(ms), ...bound };
      if (!other) return [claim];
      const otherMs = median(other.map((visit) => visit[value]));
      return [claim, { what: `  in ${beside}`, measured: inMs(otherMs) }];
    });
  },
};

function openWorld(dir: string, lines: readonly DistantLine[]): Promise<DistantWorld> {
  return openDistantWorld({ portalRoundTripMs: PORTAL_MS, lines }, dir);
}

function landingOf(world: Pick<DistantWorld, 'portalUrls'> | undefined): string {
  return `${world?.portalUrls[0]}/`;
}
