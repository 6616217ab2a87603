import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeSiteFolder } from '../../e2e/support/make-site-folder.ts';
import { type Visitors, sendVisits } from '../../e2e/support/send-visits.ts';
import type { ConsoleWhy } from '../contract/console.ts';
import { CONSOLE_PATHS, DESK_PATHS } from '../contract/paths.ts';
import { isSoak } from '../engine/testing/tenth-of.ts';
import type { RunningServer } from './main.ts';
import { PATIENCE } from './testing/patience.ts';
import { type TestPostgres, startPostgres } from './testing/start-postgres.ts';
import { type Relay, startRelay } from './testing/start-relay.ts';
import { LOOPBACK, startTestServer } from './testing/start-test-server.ts';

/** From each portal to the database and back. */
const ROUND_TRIPS_MS = isSoak() ? [10, 50, 120, 200, 300] : [10, 120, 300];
const CUT_OFF_MS = isSoak() ? 120_000 : 12_000;
const TOKEN = 'a-token-for-this-test';

let postgres: TestPostgres;
let portals: RunningServer[];
let relays: Relay[];
let visitors: Visitors[];
const endings: (() => unknown)[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  endings.push(postgres.close);
  const dir = await mkdtemp(join(tmpdir(), 'waypost-distant-'));
  endings.push(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  const site = await makeSiteFolder({
    site: { network: { trustedProxies: [`${LOOPBACK}/32`] }, limits: { apiPerMinute: 100_000 } },
  });
  endings.push(site.remove);
  const url = new URL(await postgres.createDatabase());
  relays = await Promise.all(ROUND_TRIPS_MS.map((roundTripMs) => startRelay(postgres.port, roundTripMs)));
  endings.push(() => relays.forEach(({ close }) => close()));
  portals = [];
  for (const [index, { port }] of relays.entries()) {
    url.port = String(port);
    const portal = await startTestServer({
      siteDir: site.dir,
      dataDir: join(dir, `data-${index}`),
      isEditing: true,
      database: { url: url.href },
      opsToken: TOKEN,
    });
    portals.push(portal);
    endings.push(portal.close);
  }
  visitors = portals.map((portal) => sendVisits(portal.url, { visitors: 1, pauseMs: 100 }));
}, PATIENCE.timeout);

afterAll(async () => {
  for (const end of endings.toReversed()) await end();
});

async function call<T>({ opsUrl }: RunningServer, path: string, body?: object): Promise<T> {
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
  const question = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return (await (await fetch(`${opsUrl}${path}`, { headers, ...question })).json()) as T;
}

/** What a portal believes of each line, to the last digit. */
async function readBeliefs(portal: RunningServer): Promise<unknown> {
  const { networks, lines } = await call<ConsoleWhy>(portal, CONSOLE_PATHS.why);
  const beliefs = lines.map(({ id, reach, loadFactor }) => `${id} ${reach} ${loadFactor}`);
  return { networks, beliefs: beliefs.toSorted() };
}

test('portals far from their database lose no visit when one is cut off from it, and agree again afterwards', async () => {
  const [first, ...others] = portals as [RunningServer, ...RunningServer[]];
  const [last] = portals.slice(-1) as [RunningServer];
  relays.at(-1)?.cut();
  // What is published meanwhile, the portal that is cut off cannot know.
  const edits = [{ path: ['theme', 'accent'], value: '#5ec28f' }];
  await call(first, DESK_PATHS.edit, { file: 'site.json', edits });
  expect(await call(first, DESK_PATHS.publish, { why: 'because', basedOn: 1 })).toMatchObject({ number: 2 });
  await wait(CUT_OFF_MS);
  expect(await (await fetch(last.url)).text()).not.toContain('#5ec28f');
  relays.at(-1)?.restore();

  for (const portal of [first, ...others])
    await vi.waitFor(
      async () => expect(await (await fetch(portal.url)).text()).toContain('#5ec28f'),
      PATIENCE,
    );
  for (const { stop } of visitors) await stop();
  expect(visitors.flatMap(({ tally }) => tally.failures)).toEqual([]);
  for (const { tally } of visitors) expect(tally.visits).toBeGreaterThan(10);
  await vi.waitFor(async () => {
    const [known, ...same] = await Promise.all(portals.map(readBeliefs));
    expect(same).toEqual(same.map(() => known));
  }, PATIENCE);
});
