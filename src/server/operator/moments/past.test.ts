import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConsoleLines } from '../../../contract/console.ts';
import type { ConsoleIncidents, Incident } from '../../../contract/incidents.ts';
import type { ConsoleMoments } from '../../../contract/moments.ts';
import { type KeepMomentsOptions, keepMoments } from '../../moments/keep-moments.ts';
import { takeSteps } from '../../process/create-step-watch.ts';
import type { Database } from '../../store/database.ts';
import type { DatabasePlace } from '../../store/open-database.ts';
import { makeDataFolder, openTestDatabase } from '../../testing/open-test-database.ts';
import { type TestPostgres, startPostgres } from '../../testing/start-postgres.ts';
import { type TestConsole, createTestConsole } from '../../testing/test-console.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const VIEWS = ['overview', 'lines', 'networks', 'incidents'] as const;

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

type Portal = TestConsole & {
  readonly logged: unknown[];
  readonly passMinutes: (minutes: number) => Promise<void>;
};

/** A portal whose clock stands at noon. */
async function openPortal(
  place: Partial<DatabasePlace> = {},
  {
    incidents = [],
    ...options
  }: { readonly incidents?: Incident[] } & Partial<Pick<KeepMomentsOptions, 'maxBytes'>> = {},
): Promise<Portal> {
  const logged: unknown[] = [];
  const opened: { console?: TestConsole } = {};
  const now = (): number => opened.console?.portal.clock.now ?? NOON;
  const moments = keepMoments({
    database: await openTestDatabase(place),
    steps: { run: (_step, work) => work(), runSteps: async (_step, steps) => takeSteps(steps) },
    log: pino({}, { write: (line) => logged.push(line) }),
    now,
    ...options,
  });
  const console = await createTestConsole({ moments, incidents: { list: () => incidents } });
  opened.console = console;
  return {
    ...console,
    logged,
    /** It looks whether a moment is due every five seconds. */
    passMinutes: async (minutes) => {
      const until = now() + minutes * MINUTE_MS;
      while (now() < until) {
        console.portal.clock.now += 5_000;
        await console.portal.measurements.foldWindows();
        await console.takeMoment();
      }
    },
  };
}

/** Visitors who try all lines in one network. The first line answers only if it is up. */
function visit({ portal }: Portal, visitors: number, isFirstUp = true): void {
  const { measurements, site, clock } = portal;
  const lineIds = site.lines.lines.map(({ id }) => id);
  for (let visitor = 0; visitor < visitors; visitor += 1) {
    measurements.countHandOut(lineIds);
    measurements.countReport({
      area: '/203.0',
      prefix: `198.51.${clock.now % 97}.${visitor}`,
      lineIds,
      results: lineIds.map((_, index) => ({
        index,
        outcome: index > 0 || isFirstUp ? 'valid' : 'timeout',
        time: 50 * (index + 1),
      })),
      entered: 1,
    });
  }
}

const readView = async (portal: Portal, view: string, at?: number): Promise<Record<string, unknown>> =>
  portal.read(`/api/console/${view}${at === undefined ? '' : `?at=${at}`}`);

describe.each(['SQLite', 'PostgreSQL'] as const)('what the console showed, in %s', (engine) => {
  const createPlace = async (): Promise<DatabasePlace> => ({
    dataDir: await makeDataFolder(),
    url: engine === 'SQLite' ? undefined : await postgres.createDatabase(),
  });

  test('is answered for a time that is past as it was answered then, on every portal', async () => {
    const place = await createPlace();
    const portal = await openPortal(place);
    const line = portal.portal.site.lines.lines[0]?.id ?? '';
    visit(portal, 30);
    await portal.passMinutes(3);
    visit(portal, 30, false);
    // 12:05, and 20 s for the counts of its last minute.
    await portal.passMinutes(2 + 20 / 60);
    const views = [...VIEWS, `lines/${line}`];
    const then = await Promise.all(views.map((view) => readView(portal, view)));
    await portal.passMinutes(10);
    visit(portal, 30);
    await portal.passMinutes(1);

    const other = await openPortal(place);
    const at = NOON + 5 * MINUTE_MS;
    const past = await Promise.all(views.map((view) => readView(other, view, at + 299_999)));
    const { version: _version, ...overview } = then[0] ?? {};
    expect(past[0]).toMatchObject(overview);
    // What can be done now is left out, and of the states of a line only the last hour is kept.
    const { states } = (then[4]?.['line'] ?? {}) as { states?: unknown };
    expect(past.slice(1)).toEqual([
      ...then.slice(1, 3),
      { ...then[3], channels: [], onCall: [] },
      { ...then[4], states },
    ]);
    expect(past[1]).toMatchObject({
      lines: [{ tried: 60, reached: 30 }, { tried: 60 }, {}, {}, {}, {}, {}, {}],
    });
    expect(await readView(other, 'lines', at + 300_000)).not.toEqual(past[1]);
  });

  test('is known every five minutes, with what changed, and not invented for a time without a portal', async () => {
    const place = await createPlace();
    const portal = await openPortal(place);
    visit(portal, 30);
    await portal.passMinutes(11);
    portal.portal.clock.now += 62 * MINUTE_MS;
    for (let window = 0; window < 24; window += 1) {
      visit(portal, 5, false);
      await portal.passMinutes(0.25);
    }
    const { kept, changes } = await portal.read<ConsoleMoments>('/api/console/moments');
    const minutes = kept.map((stretch) => stretch.map((at) => (at - NOON) / MINUTE_MS));
    expect(minutes).toEqual([
      [0, 10],
      [75, 75],
    ]);
    const { host } = portal.portal.site.lines.lines[0] ?? {};
    const down = changes.filter((change) => change.kind === 'line' && change.status === 'down');
    expect(down).toMatchObject([{ host }]);
    expect(down[0]?.at).toBeGreaterThan(NOON + 73 * MINUTE_MS);
    const { id } = portal.portal.site.lines.lines[0] ?? {};
    for (const [view, minute, code] of [
      ['lines', 30, 'no-moment'],
      [`lines/${id}`, 30, 'no-moment'],
      ['lines/gone', 30, 'no-moment'],
      ['lines/gone', 10, 'unknown-line'],
    ] as const) {
      const { status, text } = await portal.ask(`/api/console/${view}?at=${NOON + minute * MINUTE_MS}`);
      expect([view, status, text]).toEqual([view, 404, expect.stringContaining(code)]);
    }
  });

  test('of a clock that was ahead does not stand for what happens then', async () => {
    const portal = await openPortal(await createPlace());
    const { clock } = portal.portal;
    clock.now += 60 * MINUTE_MS;
    await portal.passMinutes(1);
    clock.now = NOON;
    await portal.passMinutes(1);
    expect((await portal.read<ConsoleMoments>('/api/console/moments')).kept).toEqual([[NOON, NOON]]);
    await portal.passMinutes(58);
    visit(portal, 30);
    await portal.passMinutes(2);
    const at = NOON + 60 * MINUTE_MS;
    expect(await readView(portal, 'overview', at)).toMatchObject({ hour: { visitors: 30 } });
  });

  test('goes after seven days, and earlier if all of it takes too much room', async () => {
    const portal = await openPortal(await createPlace());
    await portal.passMinutes(6);
    portal.portal.clock.now = NOON + 7 * DAY_MS + 4 * MINUTE_MS;
    await portal.passMinutes(3);
    const read = async () => (await portal.read<ConsoleMoments>('/api/console/moments')).kept;
    const [five, week] = [NOON + 5 * MINUTE_MS, NOON + 7 * DAY_MS + 5 * MINUTE_MS];
    // The first one, of noon, is too old.
    expect(await read()).toEqual([[week, week]]);
    expect((await portal.ask(`/api/console/lines?at=${five}`)).status).toBe(404);
    const small = await openPortal(await createPlace(), { maxBytes: 100 });
    await small.passMinutes(1);
    expect((await small.read<ConsoleMoments>('/api/console/moments')).kept).toEqual([]);
  });
});

const INCIDENT: Incident = {
  id: 'a1',
  cause: 'line/a',
  kind: 'line-down',
  severity: 'high',
  subject: 'a.example',
  affected: [],
  detail: { kind: 'not-reached', by: 'visitors' },
  visitors: 3,
  startedAt: NOON + 60_000,
  endedAt: null,
  takenBy: null,
  timeline: [{ at: NOON + 61_000, kind: 'opened' }],
};

test('an incident that is over is open at the time when it was, and its messages are among the changes', async () => {
  const incidents: Incident[] = [];
  const portal = await openPortal({}, { incidents });
  await portal.passMinutes(1);
  incidents.push(INCIDENT);
  await portal.passMinutes(5);
  incidents[0] = {
    ...INCIDENT,
    visitors: 900,
    endedAt: NOON + 8 * MINUTE_MS,
    timeline: [
      ...INCIDENT.timeline,
      { at: NOON + 62_000, kind: 'told', by: 'pager' },
      { at: NOON + 8 * MINUTE_MS, kind: 'closed' },
    ],
  };
  await portal.passMinutes(20);
  const listAt = async (minutes: number) =>
    (await portal.read<ConsoleIncidents>(`/api/console/incidents?at=${NOON + minutes * MINUTE_MS}`))
      .incidents;
  expect(await listAt(0)).toEqual([]);
  expect(await listAt(5)).toMatchObject([{ id: 'a1', endedAt: null, visitors: 3 }]);
  for (const minutes of [10, 20])
    expect(await listAt(minutes)).toMatchObject([{ endedAt: NOON + 8 * MINUTE_MS, visitors: 900 }]);
  const { changes } = await portal.read<ConsoleMoments>('/api/console/moments');
  expect(changes.map((change) => [change.kind, 'channel' in change ? change.channel : ''])).toEqual([
    ['opened', ''],
    ['told', 'pager'],
    ['closed', ''],
  ]);
});

test('a portal that is restarted right after a moment compares the next one with what was kept', async () => {
  const place = { dataDir: await makeDataFolder() };
  const before = await openPortal(place);
  visit(before, 30);
  await before.passMinutes(0.5);
  const portal = await openPortal(place);
  // It does not know yet how the lines are, and the moment of noon is kept already.
  await portal.passMinutes(4);
  visit(portal, 30);
  await portal.passMinutes(2);
  const { kept, changes } = await portal.read<ConsoleMoments>('/api/console/moments');
  expect([kept, changes]).toEqual([[[NOON, NOON + 5 * MINUTE_MS]], []]);
});

test('hours that several people ask for at once are whole', async () => {
  const place = { dataDir: await makeDataFolder() };
  const portal = await openPortal(place);
  const { clock, measurements } = portal.portal;
  clock.now += 20_000;
  for (let moment = 0; moment < 60; moment += 1) {
    visit(portal, 3);
    clock.now += 5 * MINUTE_MS;
    await measurements.foldWindows();
    await portal.takeMoment();
  }
  const other = await openPortal(place);
  const hours = [1, 2, 3, 4, 5].map(async (hour) => {
    const at = NOON + hour * 60 * MINUTE_MS;
    const { lines } = await other.read<ConsoleLines>(`/api/console/lines?at=${at}`);
    return lines[0]?.reachedByMinute.filter((part) => part !== null).length;
  });
  // Visitors came every five minutes, but not in the minute that is not over.
  expect(await Promise.all(hours)).toEqual([11, 11, 11, 11, 11]);
});

test('a time that is none is refused', async () => {
  const portal = await openPortal();
  for (const at of ['', 'yesterday', '-5', '1e12', '9'.repeat(16)])
    expect((await portal.ask(`/api/console/overview?at=${at}`)).status).toBe(400);
});

test('a moment that cannot be read is left out, and the log says so', async () => {
  const place = { dataDir: await makeDataFolder() };
  const portal = await openPortal(place);
  await portal.passMinutes(1);
  const database: Database = await openTestDatabase(place);
  await database.change('update moments set answers = $1, minutes = $1 where brand = $brand', [
    Buffer.from('?'),
  ]);
  const other = await openPortal(place);
  expect((await other.ask(`/api/console/lines?at=${NOON}`)).status).toBe(404);
  expect(other.logged.join()).toContain('cannot be read');
});

test('a portal that does not lead any more keeps nothing', async () => {
  const database = await openTestDatabase();
  const moments = keepMoments({
    database: { ...database, lead: async () => 7 },
    steps: { run: (_step, work) => work(), runSteps: async (_step, steps) => takeSteps(steps) },
    log: pino({ level: 'silent' }),
    now: () => NOON,
  });
  const console = await createTestConsole({ moments });
  console.portal.clock.now = NOON + 20_000;
  await console.takeMoment();
  expect(await moments.list()).toEqual([]);
});
