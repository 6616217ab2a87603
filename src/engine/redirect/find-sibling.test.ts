import { expect, test } from 'vitest';
import type { MeasurementReport } from '../../contract/api/measurement-report.ts';
import { createReport } from '../portal/create-report.ts';
import { MARKER } from '../testing/create-fake-network.ts';
import { createFakeWorld } from '../testing/create-fake-world.ts';
import { type FoundSibling, type Siblings, findSibling } from './find-sibling.ts';

const OWN = 'https://www20000.own.example:9900';
const RULES = {
  marker: MARKER,
  markerHeader: 'server',
  ports: [9900],
  fallback: ['backup.example'],
  mayKeep: true,
};
const KEPT: Siblings = { hosts: [{ host: 'a.example' }, { host: 'b.example' }], rules: RULES };
const FRESH = { 'Waypost-Stay': JSON.stringify(RULES), 'Waypost-Ticket': 'ticket' };
const DOWN = { isDown: true };
const HANGS = { isHanging: true };

/** A visitor whose own line is down, two siblings in the browser, and a portal that does not answer. */
function createLoss({ kept = KEPT, own = OWN }: { kept?: Siblings | null; own?: string } = {}) {
  const world = createFakeWorld();
  const { network, clock } = world;
  network.lines.set('own.example', DOWN);
  network.portal.set('/api/hostnames', DOWN);
  const reports: MeasurementReport[] = [];
  const report = createReport({
    now: world.now,
    sendBeacon: (_path, body) => reports.push(JSON.parse(body) as MeasurementReport),
  });
  const abort = new AbortController();
  const settings = {
    ...world,
    own,
    kept: kept ?? undefined,
    fetchPortal: world.fetch,
    report,
    today: 20_000,
  };
  let found: FoundSibling | undefined;
  const start = (): void => {
    void findSibling({ ...settings, signal: abort.signal }).then((result) => (found = result));
  };
  return {
    ...world,
    network,
    clock,
    abort,
    report,
    reports,
    /** What was found this long after the start. */
    after: async (ms: number): Promise<string | undefined> => {
      start();
      await clock.advance(ms);
      return found?.kind === 'found' ? found.line.address : found?.kind;
    },
    now: () => (found?.kind === 'found' ? found.line.address : found?.kind),
  };
}

const A = 'https://www20000.a.example:9900';
const B = 'https://www20000.b.example:9900';

test('finds the first sibling that proves itself, once the own line has failed', async () => {
  const { network, after } = createLoss();
  network.lines.set('a.example', { delayMs: 300 }).set('b.example', { delayMs: 200 });
  expect(await after(200)).toBe(B);
});

test('moves nobody whose own line answers validly, however late', async () => {
  const { network, after, clock, now } = createLoss();
  network.lines.set('own.example', { delayMs: 2_000 });
  expect(await after(1_999)).toBeUndefined();
  await clock.advance(1);
  expect(now()).toBe('none');
});

test('waits two seconds after the sibling for an own line that is silent', async () => {
  const { network, after, clock, now } = createLoss();
  network.lines.set('own.example', HANGS).set('a.example', { delayMs: 100 }).set('b.example', DOWN);
  expect(await after(2_099)).toBeUndefined();
  await clock.advance(1);
  expect(now()).toBe(A);
});

test.each([
  ['has another marker', { headers: { server: 'somebody' } }],
  ['answers with an error', { status: 500 }],
  ['lets no page read its answer', { isUnreadable: true }],
  ['is down', DOWN],
])('finds nobody if every other line %s', async (_, answer) => {
  const { network, after } = createLoss();
  for (const host of ['a.example', 'b.example', 'backup.example']) network.lines.set(host, answer);
  expect(await after(0)).toBe('none');
});

test('gives up when the five seconds of the fallback hosts are over, too', async () => {
  const { network, after, clock, now } = createLoss();
  for (const host of ['own', 'a', 'b', 'backup']) network.lines.set(`${host}.example`, HANGS);
  network.portal.set('/api/hostnames', HANGS);
  expect(await after(6_499)).toBeUndefined();
  await clock.advance(1);
  expect(now()).toBe('none');
  await clock.advance(10_000);
  expect([network.openRequests(), clock.openTimers()]).toEqual([0, 0]);
});

test('lets the fallback hosts join after 1.5 s, or when every sibling has failed', async () => {
  const slow = createLoss();
  slow.network.lines.set('a.example', HANGS).set('b.example', HANGS);
  expect(await slow.after(1_499)).toBeUndefined();
  await slow.clock.advance(1);
  expect(slow.now()).toBe('https://www20000.backup.example:9900');
  const dead = createLoss();
  dead.network.lines.set('a.example', DOWN).set('b.example', DOWN);
  expect(await dead.after(0)).toBe('https://www20000.backup.example:9900');
});

test('leads nobody from https to http, and from http to either', async () => {
  const kept = { hosts: [{ host: 'http://a.example' }], rules: { ...RULES, fallback: [] } };
  const secure = createLoss({ kept });
  expect(await secure.after(0)).toBe('none');
  expect(secure.network.sent('a.example')).toHaveLength(0);
  const plain = createLoss({ kept, own: OWN.replace('https', 'http') });
  expect(await plain.after(0)).toBe('http://www20000.a.example:9900');
});

test('asks the portal before it moves anybody, for two seconds', async () => {
  const { network, after, clock, now } = createLoss();
  network.portal.set('/api/hostnames', HANGS);
  expect(await after(1_999)).toBeUndefined();
  await clock.advance(1);
  expect(now()).toBeDefined();
});

test.each([
  ['restricted', { status: 451 }],
  ['maintenance', { status: 503, headers: { 'Waypost-Closed': 'maintenance' } }],
])('moves nobody if the portal says %s', async (kind, answer) => {
  const { network, after } = createLoss();
  network.portal.set('/api/hostnames', { ...answer, delayMs: 1_900 });
  expect(await after(1_900)).toBe(kind);
});

test('asks the portal for siblings where the browser keeps none', async () => {
  const { network, after } = createLoss({ kept: null });
  network.portal.set('/api/hostnames', { body: ['c.example'], headers: FRESH, delayMs: 100 });
  expect(await after(100)).toBe('https://www20000.c.example:9900');
});

test('finds nobody where the browser keeps none and the portal is away', async () => {
  expect(await createLoss({ kept: null }).after(0)).toBe('none');
});

test('reports the lost line and the sibling with a fresh ticket', async () => {
  const { network, after, report, reports } = createLoss();
  network.portal.set('/api/hostnames', { body: ['c.example', 'a.example'], headers: FRESH, delayMs: 10 });
  network.lines.set('a.example', { delayMs: 60 }).set('b.example', DOWN).set('c.example', { delayMs: 500 });
  expect(await after(100)).toBe(A);
  report.enter('a.example', OWN);
  report.send();
  expect(reports).toEqual([
    {
      ticket: 'ticket',
      results: [
        { index: 3, outcome: 'unreachable', time: 99_999 },
        { index: 1, outcome: 'valid', time: 60 },
        { index: 0, outcome: 'open', time: 90 },
      ],
      entered: 1,
      left: 3,
    },
  ]);
});

test('ends every request when the own line has answered meanwhile', async () => {
  const { network, after, abort, clock, now } = createLoss();
  for (const host of ['own', 'a', 'b', 'backup']) network.lines.set(`${host}.example`, HANGS);
  await after(500);
  abort.abort();
  await clock.settle();
  expect([now(), network.openRequests(), clock.openTimers()]).toEqual(['none', 0, 0]);
});
