import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Redis, openRedis } from '../redis/open-redis.ts';
import { type TestRedis, startRedis } from '../testing/start-redis.ts';
import { createRedisBoard } from './redis-board.ts';
import type { ReplicaBoard } from './replica-board.ts';

let server: TestRedis;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = await openRedis({ url: server.url, log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  redis.close();
  await server.close();
});

function join(name: string, prefix: string, goneAfterMs?: number): ReplicaBoard {
  return createRedisBoard({
    redis,
    prefix,
    describeSelf: () => ({ name, startedAt: 1, siteVersion: 3, isStoreUp: true }),
    ...(goneAfterMs === undefined ? {} : { goneAfterMs }),
  });
}

const namesOf = (board: ReplicaBoard): readonly string[] => board.replicas().map(({ name }) => name);

test('replicas see each other, themselves first, until one takes leave', async () => {
  const [one, two] = [join('one', 'waypost:{a}'), join('two', 'waypost:{a}')];
  await one.look();
  await two.look();
  await one.look();
  expect([namesOf(one), namesOf(two)]).toEqual([
    ['one', 'two'],
    ['two', 'one'],
  ]);
  expect(one.replicas()[1]).toEqual({
    name: 'two',
    startedAt: 1,
    siteVersion: 3,
    isStoreUp: true,
    isThis: false,
  });
  await two.close();
  await one.look();
  expect(namesOf(one)).toEqual(['one']);
});

test('a replica that is not heard of is gone, and other sites are nobody’s replicas', async () => {
  const [one, brief] = [join('one', 'waypost:{b}'), join('brief', 'waypost:{b}', 50)];
  await join('stranger', 'waypost:{c}').look();
  await brief.look();
  await one.look();
  await vi.waitFor(async () => {
    await one.look();
    expect(namesOf(one)).toEqual(['one']);
  });
});

test('while Redis is away a replica knows of itself alone', async () => {
  const [one, two] = [join('one', 'waypost:{d}'), join('two', 'waypost:{d}')];
  await two.look();
  await one.look();
  expect(namesOf(one)).toEqual(['one', 'two']);
  await server.kill();
  await one.look();
  expect(namesOf(one)).toEqual(['one']);
  await server.start();
});
