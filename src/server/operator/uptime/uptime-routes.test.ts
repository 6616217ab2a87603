import { expect, test } from 'vitest';
import { type ConsoleUptime, NO_UPTIME, type UptimeSums } from '../../../contract/uptime.ts';
import { createTestConsole } from '../../testing/test-console.ts';
import type { OperatorDeps } from '../create-operator.ts';

const SUMS: UptimeSums = { ...NO_UPTIME, served: 4, leftOut: 1, known: 2, good: 15_000, visits: 8, gotIn: 6 };

async function openConsole(store: Partial<OperatorDeps['uptime']['store']> = {}) {
  const uptime = {
    store: {
      readSums: async () => new Map(),
      readStretches: async () => [],
      readPoints: async () => [],
      readTable: async () => [],
      readIncidents: async () => [],
      ...store,
    },
  };
  return createTestConsole({ uptime });
}

test('lists the site, its lines, its backups, and lines that it has no more, with what is known of each', async () => {
  let now = 0;
  const { read, portal } = await openConsole({
    readSums: async () => new Map([['gone.example', SUMS]]),
    readIncidents: async () => [
      {
        id: 'one',
        kind: 'line-down',
        severity: 'high',
        subject: 'gone.example',
        lines: ['gone.example'],
        startedAt: now - 60_000,
        endedAt: now,
        noticedAt: now - 50_000,
        takenAt: now - 20_000,
      },
    ],
  });
  now = portal.clock.now;
  const { all, by, incidents } = await read<ConsoleUptime>('/api/console/history?days=30&line=gone.example');
  expect([all[0]?.role, all[1]?.role, all.at(-1)?.line, by]).toEqual(['site', 'line', 'gone.example', 'day']);
  expect(all[1]).toMatchObject({ sums: NO_UPTIME, incidents: { count: 0, longestMs: null } });
  expect(all.at(-1)?.incidents).toMatchObject({ count: 1, totalMs: 60_000, takenAfterMs: 30_000 });
  expect([all[0]?.incidents.count, incidents.length]).toEqual([1, 1]);
});

test('a line has a bar for each day of a month, and for each twelve of a year', async () => {
  const met = { served: 4, leftOut: 1, known: 2, good: 15_000 };
  const asked: number[] = [];
  const { read } = await openConsole({
    readStretches: async ({ days }) => {
      asked.push(days);
      return [{ line: '', stretch: 6, ...met }];
    },
  });
  const read30 = await read<ConsoleUptime>('/api/console/history?days=30');
  const [site, line] = read30.all.map(({ strip }) => strip);
  expect([site?.length, site?.[6], site?.[5], line?.[6]]).toEqual([30, 56.25, null, null]);
  const lengths: (number | undefined)[] = [];
  for (const days of [7, 90, 365]) {
    const { all, stripDays } = await read<ConsoleUptime>(`/api/console/history?days=${days}`);
    lengths.push(all[0]?.strip.length, stripDays);
  }
  expect([asked, lengths]).toEqual([
    [1, 1, 3, 12],
    [7, 1, 30, 3, 31, 12],
  ]);
});

test('a line over http has its incidents, which name hosts without a scheme', async () => {
  const { read } = await openConsole({
    readSums: async () => new Map([['http://gone.example:9900', SUMS]]),
    readIncidents: async () => [
      {
        id: 'one',
        kind: 'line-down',
        severity: 'high',
        subject: 'gone.example:9900',
        lines: ['gone.example:9900'],
        startedAt: 0,
        endedAt: null,
        noticedAt: 0,
        takenAt: null,
      },
    ],
  });
  const line = encodeURIComponent('http://gone.example:9900');
  const { all, incidents } = await read<ConsoleUptime>(`/api/console/history?days=30&line=${line}`);
  expect([all.at(-1)?.line, all.at(-1)?.incidents.count]).toEqual(['http://gone.example:9900', 1]);
  expect(incidents.map(({ id }) => id)).toEqual(['one']);
});

test('a table has a row for each line and time, and says nothing where nothing is known', async () => {
  const at = Date.UTC(2026, 10, 16);
  let asked = 0;
  const { ask } = await openConsole({
    readTable: async ({ first }) => {
      asked += 1;
      const isFirst = asked === 1 && first > 0;
      return isFirst
        ? [
            { at, line: '', sums: SUMS },
            { at, line: 'line1.example', sums: NO_UPTIME },
          ]
        : [];
    },
  });
  const { text, status } = await ask('/api/console/history.csv?days=90');
  expect([status, asked]).toEqual([200, 8]);
  expect(text.trim().split('\r\n')).toEqual([
    'time,line,visitors_percent,probe_percent,served_minutes,left_out_minutes,known_minutes,visits,got_in,probed_minutes',
    '2026-11-16T00:00:00.000Z,,56.25,,4,1,2,8,6,0',
    '2026-11-16T00:00:00.000Z,line1.example,,,0,0,0,0,0,0',
  ]);
});

test('refuses a period that it does not have', async () => {
  const { ask } = await openConsole();
  for (const path of ['history', 'history.csv', 'history-incidents.csv']) {
    const { status, text } = await ask(`/api/console/${path}?days=8`);
    expect([status, text]).toEqual([400, expect.stringContaining('7, 30, 90, 365 days')]);
  }
});
