import { setTimeout as wait } from 'node:timers/promises';
import type { Claim } from '../claim.ts';
import { PUBLISHER_ENV, addPublisher, prepareVersion } from '../publish-version.ts';
import { startPortal } from '../start-servers.ts';
import { median } from '../statistics.ts';

const PUBLISHES = 100;
const LOOK_EVERY_MS = 5;
const SOON_MS = 1_000;
const MIN_SOON = 95;
const MAX_MS = 2_000;
type Portal = Awaited<ReturnType<typeof startPortal>>;

/** Two portals on one PostgreSQL: how long after "published" visitors of both get the new version. */
export async function measurePublishing(url: string): Promise<readonly Claim[]> {
  const env = { WAYPOST_DATABASE_URL: url, ...PUBLISHER_ENV };
  const portals = [await startPortal(undefined, { env }), await startPortal(undefined, { env })];
  try {
    await addPublisher(
      portals.map(({ opsUrl }) => opsUrl),
      env,
    );
    const times: number[] = [];
    for (let number = 0; number < PUBLISHES; number += 1) {
      times.push(await measureVersion(portals, number));
    }
    return describeTimes(times);
  } finally {
    for (const portal of portals) await portal.close();
  }
}

/** Publishes on one of the portals in turn. Returns the ms from the answer until both serve it. */
async function measureVersion(portals: readonly Portal[], number: number): Promise<number> {
  const portal = portals[number % portals.length];
  if (portal === undefined) throw new Error('there are no portals');
  const name = `Brand ${number}`;
  const publish = await prepareVersion(portal.opsUrl, name);
  const live = Promise.all(portals.map((each) => waitForPage(each, name)));
  await publish();
  const publishedAt = performance.now();
  return Math.max(0, Math.max(...(await live)) - publishedAt);
}

async function waitForPage({ port }: Portal, text: string): Promise<number> {
  for (;;) {
    const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    if (page.includes(text)) return performance.now();
    await wait(LOOK_EVERY_MS);
  }
}

function describeTimes(times: readonly number[]): readonly Claim[] {
  const soon = times.filter((ms) => ms <= SOON_MS).length;
  const longest = Math.max(...times);
  return [
    {
      what: `${PUBLISHES} versions published, two portals: on both of them within 1 s; the median`,
      measured: `${soon}; ${median(times).toFixed(0)} ms`,
      bound: { text: `≥ ${MIN_SOON}`, isMet: soon >= MIN_SOON },
    },
    {
      what: 'the one that took longest to be on both',
      measured: `${longest.toFixed(0)} ms`,
      bound: { text: `≤ ${MAX_MS} ms`, isMet: longest <= MAX_MS },
    },
  ];
}
