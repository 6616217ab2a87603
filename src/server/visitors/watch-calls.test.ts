import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRandom } from '../../engine/testing/create-random.ts';
import type { Cells } from './cells.ts';
import { CALL_NUMBERS, countCall } from './call-cells.ts';
import { watchCalls } from './watch-calls.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Tuesday, 20:00 UTC. */
const EVENING = Date.UTC(2027, 0, 12, 20);
const WEEK_HOURS = 168;
/** What each network has of 6,000 calls an hour. */
const NETWORKS = { 'SG/AS1': 0.5, 'SG/AS2': 0.3, 'GB/AS3': 0.15, 'GB/AS4': 0.05 };
const DOMAINS = ['go.example', 'new.example'];

type Day = {
  /** The part of the calls of other weeks that come. */
  readonly level?: number;
  readonly lost?: (domain: string, network: string) => boolean;
  /** Domains and networks are counted as other: there were too many names before. */
  readonly isUnnamed?: boolean;
};

/** A site with some weeks behind it. Most visitors come in the evening, fewest at night. */
function createSite({ weeks = 3, startAt = EVENING, seed = 1 } = {}) {
  const random = createRandom(seed);
  const hours = new Map<number, Map<string, number>>();
  let now = startAt;
  const start = startAt / HOUR_MS;
  const add = (hour: number, cells: Cells, times = 1) => {
    let known = hours.get(hour);
    if (known === undefined) hours.set(hour, (known = new Map()));
    for (const [cell, count] of cells) known.set(cell, (known.get(cell) ?? 0) + count * times);
  };
  const busy = (hour: number): number => 6_000 * (0.6 + 0.4 * Math.cos(((hour - 20) / 12) * Math.PI));
  for (let hour = start - weeks * WEEK_HOURS - 8; hour < start; hour += 1)
    eachKind((part, cells) => add(hour, cells, Math.round(busy(hour) * part)));
  const open = () =>
    watchCalls({
      calls: {
        readTimes: async ({ first, last }) =>
          new Map(
            [...hours]
              .filter(([hour]) => hour >= first && hour <= last)
              .map(([hour, cells]) => [hour, new Map(cells)]),
          ),
      },
      log: pino({ level: 'silent' }),
      now: () => now,
    });
  let watch = open();
  return {
    restart: () => void (watch = open()),
    pass: async (minutes: number, { level = 1, lost = () => false, isUnnamed = false }: Day = {}) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        eachKind((part, cells, domain, network) => {
          const expected = lost(domain, network) ? 0 : (busy(now / HOUR_MS - 0.5) * part * level) / 60;
          const calls = Math.floor(expected) + Number(random() < expected % 1);
          for (const [cell, times] of cells) {
            const isOther = isUnnamed && CALL_NUMBERS.findMadeUp(cell) !== undefined;
            add(
              Math.floor(now / HOUR_MS),
              new Map([[isOther ? CALL_NUMBERS.asOther(cell) : cell, times]]),
              calls,
            );
          }
        });
        now += MINUTE_MS;
        await watch.look();
      }
    },
    skip: (ms: number) => void (now += ms),
    find: () => {
      const missing = watch.missing();
      return typeof missing === 'object' ? missing.places.map(({ name }) => name) : missing;
    },
    minutesSince: () => {
      const missing = watch.missing();
      return typeof missing === 'object' ? Math.round((now - missing.since) / MINUTE_MS) : undefined;
    },
  };

  function eachKind(visit: (part: number, cells: Cells, domain: string, network: string) => void): void {
    for (const [area, part] of Object.entries(NETWORKS))
      for (const domain of DOMAINS)
        visit(part / DOMAINS.length, countCall({ portal: 'portal-1', domain, area }), domain, area);
  }
}

test('nobody comes any more: it is missed after five minutes, and over when visitors come again', async () => {
  const { pass, find, minutesSince } = createSite();
  await pass(20);
  expect(find()).toBeUndefined();
  await pass(4, { lost: () => true });
  expect(find()).toBeUndefined();
  await pass(2, { lost: () => true });
  expect(find()).toEqual([]);
  expect(minutesSince()).toBe(6);
  await pass(4);
  expect(find()).toBeUndefined();
});

test.each([
  ['a network of 5 %', (_domain: string, network: string) => network === 'GB/AS4', ['GB/AS4']],
  ['a network of half of all', (_domain: string, network: string) => network === 'SG/AS1', ['SG/AS1']],
  ['a domain', (domain: string) => domain === 'new.example', ['new.example']],
])('%s is named', async (_what, lost, places) => {
  const { pass, find } = createSite();
  await pass(20);
  await pass(20, { lost });
  expect(find()).toEqual(places);
});

test.each([
  ['a holiday: half of the visitors from midnight on', { startAt: EVENING + 4 * HOUR_MS }, { level: 0.5 }],
  ['a campaign', {}, { level: 5 }],
  ['a night', { startAt: EVENING + 4 * HOUR_MS }, {}],
])('nobody is missed in %s', async (_what, settings, day) => {
  const { pass, find } = createSite(settings);
  await pass(20);
  for (let hour = 0; hour < 12; hour += 1) {
    await pass(60, day);
    expect(find()).toBeUndefined();
  }
});

test('nobody is missed by a name on a day whose names somebody has used up, but that all are missing is seen', async () => {
  const { pass, find } = createSite();
  await pass(20);
  await pass(20, { isUnnamed: true });
  expect(find()).toBeUndefined();
  await pass(10, { isUnnamed: true, lost: () => true });
  expect(find()).toEqual([]);
});

test('the store has only two weeks: it is silent', async () => {
  const { pass, find } = createSite({ weeks: 2 });
  await pass(20);
  await pass(30, { lost: () => true });
  expect(find()).toBeUndefined();
});

test('a portal that was off has seen nothing, and does not know', async () => {
  const { pass, find, skip } = createSite();
  expect(find()).toBe('unknown');
  await pass(20);
  skip(20 * MINUTE_MS);
  expect(find()).toBe('unknown');
  await pass(9);
  expect(find()).toBe('unknown');
  await pass(3);
  expect(find()).toBeUndefined();
});

test('a portal that is restarted after hours without a visitor does not say that nobody is missing', async () => {
  const { pass, find, restart } = createSite();
  await pass(20);
  await pass(5 * 60, { lost: () => true });
  expect(find()).toEqual([]);
  restart();
  await pass(60, { lost: () => true });
  expect(find()).toBe('unknown');
  await pass(60);
  expect(find()).toBeUndefined();
});

test('a portal that has seen the beginning knows the end at once, however long it was', async () => {
  const { pass, find } = createSite();
  await pass(20);
  await pass(5 * 60, { lost: () => true });
  await pass(5);
  expect(find()).toBeUndefined();
});

test('after a day nobody is expected any more: a domain was given up', async () => {
  const { pass, find } = createSite();
  const lost = (domain: string) => domain === 'new.example';
  await pass(20);
  await pass(23 * 60, { lost });
  expect(find()).toEqual(['new.example']);
  await pass(4 * 60, { lost });
  expect(find()).toBeUndefined();
});
