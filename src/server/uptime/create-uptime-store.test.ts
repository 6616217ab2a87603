import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_UPTIME, type PastIncident } from '../../contract/uptime.ts';
import { createIncidentStore } from '../incidents/create-incident-store.ts';
import { openTestDatabase } from '../testing/open-test-database.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import { type SeenMinute, createUptimeStore } from './create-uptime-store.ts';
import { describeReport } from './describe-report.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 16, 12);
const MINUTE = NOON / 60_000;
const HOUR = NOON / 3_600_000;
const DAY = Math.floor(NOON / DAY_MS);
const GOOD = { ...NO_UPTIME, served: 1, known: 1, good: 10_000, visits: 4, gotIn: 4 };
const INCIDENT: PastIncident = {
  id: 'one',
  kind: 'line-down',
  severity: 'high',
  subject: 'line1.example',
  lines: ['line1.example'],
  startedAt: NOON,
  endedAt: null,
  noticedAt: NOON + 1_000,
  takenAt: null,
};

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

function see(minute: number, line = 'line1.example'): SeenMinute {
  return { minute, sums: new Map([[line, GOOD]]) };
}

describe.each(['SQLite', 'PostgreSQL'] as const)('the history in %s', (engine) => {
  async function open() {
    const place = engine === 'SQLite' ? {} : { url: await postgres.createDatabase() };
    const database = await openTestDatabase(place);
    const term = (await database.lead()) ?? 0;
    return { database, term, store: createUptimeStore(database) };
  }

  test('adds each minute once, by the hour and by the day', async () => {
    const { store, term } = await open();
    await store.write([see(MINUTE), see(MINUTE + 59), see(MINUTE + 60, '')], term);
    // Another portal, or this one after its answer was lost.
    await store.write([see(MINUTE + 59), see(MINUTE + 60), see(MINUTE + 61)], term);
    const days = await store.readSums({ by: 'day', first: DAY, last: DAY });
    const counts = ['', 'line1.example'].map((line) => [days.get(line)?.known, days.get(line)?.visits]);
    expect([days.size, ...counts]).toEqual([2, [1, 4], [3, 12]]);
    const hours = await store.readPoints({ by: 'hour', first: HOUR, last: HOUR + 1 }, 'line1.example');
    expect(hours).toEqual([
      {
        at: NOON,
        line: 'line1.example',
        sums: { ...GOOD, served: 2, known: 2, good: 20_000, visits: 8, gotIn: 8 },
      },
      { at: NOON + 3_600_000, line: 'line1.example', sums: GOOD },
    ]);
    expect(await store.readLast()).toBe(MINUTE + 61);
  });

  test('adds up stretches of days, of each line', async () => {
    const { store, term } = await open();
    const day = (days: number, line?: string) => see(MINUTE + days * 24 * 60, line);
    await store.write([day(0), day(2), day(3, ''), day(5)], term);
    expect(await store.readStretches({ first: DAY, last: DAY + 4, days: 3 })).toEqual([
      { line: '', stretch: 1, served: 1, leftOut: 0, known: 1, good: 10_000 },
      { line: 'line1.example', stretch: 0, served: 2, leftOut: 0, known: 2, good: 20_000 },
    ]);
  });

  test('refuses what a portal writes that leads no more', async () => {
    const { store, term } = await open();
    await expect(store.write([see(MINUTE)], term - 1)).rejects.toThrow('another portal leads by now');
    expect(await store.readLast()).toBe(0);
  });

  test('goes on after a clock was days ahead, and not after one that was set back by an hour', async () => {
    const { store, term } = await open();
    await store.write([see(MINUTE + 3 * 24 * 60)], term);
    await store.write([see(MINUTE)], term);
    expect(await store.readLast()).toBe(MINUTE);
    await store.write([see(MINUTE - 60)], term);
    expect(await store.readLast()).toBe(MINUTE);
  });

  test('keeps hours for 40 days, and days and incidents for 400', async () => {
    const { store, term } = await open();
    await store.write([see(MINUTE)], term);
    await store.writeIncidents({ kept: [{ ...INCIDENT, endedAt: NOON + 60_000 }], removed: [] }, term);
    const count = async () => [
      (await store.readSums({ by: 'hour', first: 0, last: HOUR })).size,
      (await store.readSums({ by: 'day', first: 0, last: DAY })).size,
      (await store.readIncidents(0)).length,
    ];
    await store.removeOld(NOON + 39 * DAY_MS);
    expect(await count()).toEqual([1, 1, 1]);
    await store.removeOld(NOON + 40 * DAY_MS);
    expect(await count()).toEqual([0, 1, 1]);
    await store.removeOld(NOON + 399 * DAY_MS);
    expect(await count()).toEqual([0, 1, 1]);
    await store.removeOld(NOON + 400 * DAY_MS);
    expect(await count()).toEqual([0, 0, 0]);
  });

  test('lets a report wait for its channel once, whoever asks', async () => {
    const { database, store, term } = await open();
    const period = { firstDay: DAY - 7, lastDay: DAY - 1, until: DAY * DAY_MS };
    const options = { id: 'report-1', site: 'Lumo', language: 'en', now: NOON, consoleUrl: '' } as const;
    const message = describeReport({ all: [], period }, options);
    const report = { channel: 'office', message, tries: 0, nextAt: NOON };
    const mark = { name: 'report/week/office', value: period.until };
    expect(await store.isTold(mark)).toBe(false);
    expect(await store.queueReport(report, mark, term)).toBe(true);
    expect(await store.queueReport(report, mark, term)).toBe(false);
    expect(await store.isTold(mark)).toBe(true);
    await expect(store.queueReport(report, { ...mark, name: 'other' }, term - 1)).rejects.toThrow('leads');
    expect((await createIncidentStore(database).read(0)).outbox).toEqual([report]);
  });

  test('tells a report although a clock was a year ahead, and none again after one that was set back by a month', async () => {
    const { store, term } = await open();
    const period = { firstDay: DAY - 7, lastDay: DAY - 1, until: DAY * DAY_MS };
    const options = { id: 'report-1', site: 'Lumo', language: 'en', now: NOON, consoleUrl: '' } as const;
    const message = describeReport({ all: [], period }, options);
    const tell = (id: string, value: number) =>
      store.queueReport(
        { channel: 'office', message: { ...message, id }, tries: 0, nextAt: NOON },
        { name: 'report/week/office', value },
        term,
      );
    expect(await tell('ahead', period.until + 364 * DAY_MS)).toBe(true);
    expect(await tell('now', period.until)).toBe(true);
    expect(await tell('back', period.until - 28 * DAY_MS)).toBe(false);
  });

  test('knows what became of an incident, and forgets one that was part of another', async () => {
    const { store, term } = await open();
    const other = { ...INCIDENT, id: 'other', startedAt: NOON + 5 };
    await store.writeIncidents({ kept: [INCIDENT, other], removed: [] }, term);
    const ended = { ...INCIDENT, endedAt: NOON + 90_000, takenAt: NOON + 30_000 };
    await store.writeIncidents({ kept: [ended], removed: ['other'] }, term);
    expect(await store.readIncidents(NOON)).toEqual([ended]);
    expect(await store.readIncidents(NOON + 90_000)).toEqual([]);
  });
});
