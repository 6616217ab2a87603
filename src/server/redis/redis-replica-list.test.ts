import { expect, test, vi } from 'vitest';
import { useRedis } from '../testing/use-redis.ts';
import { createRedisReplicaList } from './redis-replica-list.ts';
import type { ReplicaList } from './replica-list.ts';

const NOW = 1_800_000_000_000;
const { redis, takeAway, bringBack } = useRedis();

function join(
  name: string,
  prefix: string,
  times: { goneAfterMs?: number; forgetAfterMs?: number } = {},
): ReplicaList {
  return createRedisReplicaList({
    redis,
    prefix,
    describeSelf: () => ({
      name,
      startedAt: 1,
      siteVersion: 3,
      siteHash: 'abc',
      isStoreUp: true,
      lines: null,
      keepsRecordings: false,
    }),
    now: () => NOW,
    ...times,
  });
}

const namesOf = (list: ReplicaList): readonly string[] => list.replicas().map(({ name }) => name);

test('replicas see each other, themselves first, until one takes leave', async () => {
  const [one, two] = [join('one', 'waypost:{a}'), join('two', 'waypost:{a}')];
  await one.exchangeNotes();
  await two.exchangeNotes();
  await one.exchangeNotes();
  expect([namesOf(one), namesOf(two)]).toEqual([
    ['one', 'two'],
    ['two', 'one'],
  ]);
  expect(one.replicas()[1]).toEqual({
    name: 'two',
    startedAt: 1,
    siteVersion: 3,
    siteHash: 'abc',
    isStoreUp: true,
    lines: null,
    keepsRecordings: false,
    isThis: false,
    goneSince: undefined,
  });
  await two.close();
  await one.exchangeNotes();
  expect(namesOf(one)).toEqual(['one']);
});

test('a replica that died is shown as gone, since when it was last heard of, and then forgotten', async () => {
  const times = { goneAfterMs: 100, forgetAfterMs: 600 };
  const [one, dead] = [join('one', 'waypost:{b}', times), join('dead', 'waypost:{b}', times)];
  await dead.exchangeNotes();
  await vi.waitFor(async () => {
    await one.exchangeNotes();
    expect(one.replicas()[1]?.goneSince).toBeLessThanOrEqual(NOW - 100);
  });
  const since = one.replicas()[1]?.goneSince;
  expect(since).toBeGreaterThan(NOW - 600);
  await one.exchangeNotes();
  expect(one.replicas()[1]).toMatchObject({ name: 'dead', goneSince: since });
  await vi.waitFor(async () => {
    await one.exchangeNotes();
    expect(namesOf(one)).toEqual(['one']);
  });
});

test('a replica is gone after ten seconds of silence, and forgotten after an hour', async () => {
  const prefix = 'waypost:{hour}';
  const [one, two] = [join('one', prefix), join('two', prefix)];
  await two.exchangeNotes();
  const [id = ''] = await redis.ask((client) => client.sMembers(`${prefix}:replicas`));
  const ageBy = (ageMs: number) =>
    redis.ask((client) => client.pExpire(`${prefix}:replica:${id}`, 3_600_000 - ageMs));
  await ageBy(9_000);
  await one.exchangeNotes();
  expect(one.replicas()[1]?.goneSince).toBeUndefined();
  await ageBy(10_000);
  await one.exchangeNotes();
  expect(one.replicas()[1]?.goneSince).toBeDefined();
  await two.exchangeNotes();
  const leftMs = await redis.ask((client) => client.pTTL(`${prefix}:replica:${id}`));
  expect(leftMs).toBeGreaterThan(3_590_000);
  expect(leftMs).toBeLessThanOrEqual(3_600_000);
});

test('a replica that was gone for a while is there again', async () => {
  const times = { goneAfterMs: 50, forgetAfterMs: 60_000 };
  const [one, two] = [join('one', 'waypost:{e}', times), join('two', 'waypost:{e}', times)];
  await two.exchangeNotes();
  await vi.waitFor(async () => {
    await one.exchangeNotes();
    expect(one.replicas()[1]?.goneSince).toBeDefined();
  });
  await vi.waitFor(async () => {
    await two.exchangeNotes();
    await one.exchangeNotes();
    expect(one.replicas()[1]).toMatchObject({ name: 'two', goneSince: undefined });
  });
});

test('other sites are nobody’s replicas', async () => {
  const one = join('one', 'waypost:{b2}');
  await join('stranger', 'waypost:{c}').exchangeNotes();
  await one.exchangeNotes();
  expect(namesOf(one)).toEqual(['one']);
});

test.each(['not JSON', '{}', '{"name":7}', 'null'])(
  'a note such as %s hides no other replica',
  async (note) => {
    const prefix = `waypost:{malformed-${note.length}}`;
    const [one, two] = [join('one', prefix), join('two', prefix)];
    await two.exchangeNotes();
    await redis.ask((client) =>
      client.multi().set(`${prefix}:replica:x`, note).sAdd(`${prefix}:replicas`, 'x').exec(),
    );
    await one.exchangeNotes();
    expect(namesOf(one)).toEqual(['one', 'two']);
  },
);

test('while Redis is away a replica knows of itself alone', async () => {
  const [one, two] = [join('one', 'waypost:{d}'), join('two', 'waypost:{d}')];
  await two.exchangeNotes();
  await one.exchangeNotes();
  expect(namesOf(one)).toEqual(['one', 'two']);
  await takeAway();
  await one.exchangeNotes();
  expect(namesOf(one)).toEqual(['one']);
  await bringBack();
});
