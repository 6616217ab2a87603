import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type Incident, partsOf } from '../../contract/incidents.ts';
import { NO_UPTIME } from '../../contract/uptime.ts';
import { createTestIncident } from '../messages/describe-message.ts';
import { createCounts, openTally } from '../learning/counts.ts';
import type { LineState } from '../lines/line-state.ts';
import { createLineTable } from '../site/create-line-table.ts';
import { openTestDatabase } from '../testing/open-test-database.ts';
import { createMinuteBook } from './create-minute-book.ts';
import { type UptimeDeps, openUptime } from './open-uptime.ts';

const START = Date.UTC(2026, 10, 16, 12);
const DAY = Math.floor(START / 86_400_000);

async function openPortal(site: ReturnType<UptimeDeps['site']>) {
  const database = await openTestDatabase();
  const clock = { now: START };
  const incidents: Incident[] = [];
  const states = new Map<string, LineState>();
  const leading = { current: true };
  const book = createMinuteBook();
  const uptime = openUptime({
    database: { ...database, lead: async () => (leading.current ? database.lead() : undefined) },
    site: () => site,
    lineWatch: { states: () => states, cutOff: () => undefined },
    incidents: { list: () => incidents },
    book,
    log: pino({ level: 'silent' }),
    now: () => clock.now,
  });
  const [line] = site.lines.lines;
  const id = line?.id ?? '';
  return {
    uptime,
    incidents,
    leading,
    setDown: (isDown: boolean) => states.set(id, { condition: isDown ? 'down' : 'up' } as LineState), // All that is looked at.
    visit: (met: number, gotIn: number) => {
      const counts = createCounts();
      Object.assign(counts.site, { hostnameCalls: 1, met, gotIn });
      Object.assign(openTally(counts, id), { met, gotIn });
      book.addWindow(counts, clock.now + 30_000);
    },
    pass: async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.now += 60_000;
        await uptime.follow();
      }
    },
    read: async () => {
      const sums = await uptime.store.readSums({ by: 'day', first: DAY, last: DAY });
      return sums.get('line1.example');
    },
  };
}

function createSite() {
  const hosts = { hosts: [{ host: 'line1.example' }], fallback: [] };
  const lines = createLineTable(hosts as unknown as Parameters<typeof createLineTable>[0]); // All that is read.
  return { lines, config: { maintenance: [] } } as unknown as ReturnType<UptimeDeps['site']>; // All that is looked at.
}

test('writes what visitors and the server saw of a line, each minute once', async () => {
  const portal = await openPortal(createSite());
  portal.setDown(false);
  portal.visit(4, 3);
  await portal.pass(1);
  portal.setDown(true);
  portal.visit(0, 0);
  await portal.pass(1);
  portal.setDown(false);
  await portal.pass(3);
  const minutes = { probed: 4, probedUp: 3 };
  expect(await portal.read()).toEqual({
    ...NO_UPTIME,
    ...minutes,
    served: 2,
    leftOut: 1,
    known: 1,
    good: 7_500,
    visits: 4,
    gotIn: 3,
  });
});

test('a portal that follows another one writes nothing, and goes on when it leads', async () => {
  const portal = await openPortal(createSite());
  portal.leading.current = false;
  portal.setDown(false);
  portal.visit(1, 1);
  await portal.pass(5);
  expect(await portal.read()).toBeUndefined();
  portal.leading.current = true;
  await portal.pass(1);
  expect(await portal.read()).toMatchObject({ known: 1, probed: 5 });
});

test('writes the last whole minute before it ends, and no minute twice', async () => {
  const portal = await openPortal(createSite());
  portal.setDown(false);
  for (let minute = 0; minute < 3; minute += 1) {
    portal.visit(2, 2);
    await portal.pass(1);
  }
  expect(await portal.read()).toMatchObject({ known: 2, probed: 2 });
  await portal.uptime.close();
  expect(await portal.read()).toMatchObject({ known: 3, probed: 3, visits: 6 });
  await portal.uptime.close();
  await portal.pass(1);
  expect(await portal.read()).toMatchObject({ known: 3, probed: 3, visits: 6 });
});

test('keeps what is left of incidents, with who took them and when', async () => {
  const portal = await openPortal(createSite());
  const incident = { ...createTestIncident(START), id: 'one', cause: 'line/a', subject: 'line1.example' };
  const opened = { at: START + 1_000, kind: 'opened' as const };
  portal.incidents.push({ ...incident, timeline: [opened] });
  await portal.pass(1);
  const taken = { at: START + 90_000, kind: 'taken' as const, by: 'ada' };
  portal.incidents[0] = { ...incident, endedAt: START + 120_000, timeline: [opened, taken] };
  await portal.pass(1);
  const names = { en: 'line1.example is down for everyone', 'zh-CN': 'line1.example 对所有访客中断' };
  const what = { id: 'one', kind: 'line-down', severity: 'low', subject: 'line1.example', names };
  expect(await portal.uptime.store.readIncidents(0)).toEqual([
    {
      ...what,
      lines: ['line1.example'],
      startedAt: START,
      endedAt: START + 120_000,
      noticedAt: START + 1_000,
      takenAt: START + 90_000,
    },
  ]);
  // It turned out to be part of another one.
  portal.incidents[0] = { ...incident, parts: [] };
  await portal.pass(1);
  expect(await portal.uptime.store.readIncidents(0)).toEqual([]);
});

test('keeps the name of an incident about several lines', async () => {
  const portal = await openPortal(createSite());
  const incident = { ...createTestIncident(START), cause: 'line/a', subject: 'line1.example' };
  const parts = ['line1.example', 'line2.example'].flatMap((subject) => partsOf({ ...incident, subject }));
  portal.incidents.push({ ...incident, parts, lineCount: 12 });
  await portal.pass(1);
  const [kept] = await portal.uptime.store.readIncidents(0);
  expect(kept?.names?.en).toBe('2 of 12 lines are down for everyone');
});
