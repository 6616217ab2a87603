import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Redis, openRedis } from '../redis/open-redis.ts';
import { type TestRedis, startRedis } from '../testing/start-redis.ts';
import { EMPTY_BOOK, type IncidentBook } from './incident-book.ts';
import { type IncidentStore, createFileIncidentStore } from './incident-store.ts';
import { createRedisIncidentStore } from './redis-incident-store.ts';

const log = pino({ level: 'silent' });
let server: TestRedis;
let redis: Redis;
let dir: string;
let clock: number;

// `npm test` installs Redis; `npm run check` makes do without.
describe.runIf(existsSync('/usr/bin/redis-server'))('portals that share a Redis', () => {
  beforeAll(async () => {
    server = await startRedis();
    redis = await openRedis({ url: server.url, log });
  });
  afterAll(async () => {
    redis.close();
    await server.close();
  });
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'waypost-book-'));
    clock = 0;
    await redis.ask((client) => client.flushAll());
    return () => rm(dir, { recursive: true });
  });

  const openFile = (name: string): IncidentStore =>
    createFileIncidentStore({ dataDir: join(dir, name), log });
  const openStore = (name: string, shared = redis): IncidentStore =>
    createRedisIncidentStore({
      redis: shared,
      prefix: 'waypost:{test}',
      file: openFile(name),
      log,
      now: () => clock,
    });
  /** Calls `lead` as a keeper with this book does, and returns the ids of the incidents that it goes on with. */
  const lead = async (store: IncidentStore, own = EMPTY_BOOK) => {
    const { isLeading, adopt, takes } = await store.lead();
    return { isLeading, ids: (adopt?.(own) ?? own).incidents.map(({ id }) => id), takes };
  };
  const expireLead = () => redis.ask((client) => client.del('waypost:{test}:incidents:leader'));

  test('one leads, and another one goes on with its book when it is gone', async () => {
    const [first, second] = [openStore('first'), openStore('second')];
    expect(await lead(first)).toMatchObject({ isLeading: true });
    expect(await first.save(createBook('a'))).toBe(true);
    expect(await lead(second)).toMatchObject({ isLeading: false, ids: ['a'] });
    await expireLead();
    expect(await lead(second)).toMatchObject({ isLeading: true, ids: ['a'] });
    // The first one hung for a while, and is not gone.
    expect(await first.save(createBook('b'))).toBe(false);
    expect(await lead(first, createBook('b'))).toMatchObject({ isLeading: false, ids: ['a'] });
    expect(await first.save(createBook('b'))).toBe(false);
  });

  test('what is no take stops nobody, and is dropped', async () => {
    const store = openStore('first');
    const take = { id: 'a', by: 'mei' };
    const texts = ['{', 'null', '{"id":1}', JSON.stringify(take)];
    await redis.ask((client) => client.rPush('waypost:{test}:incidents:takes', texts));
    expect(await lead(store)).toMatchObject({ isLeading: true, takes: [take] });
    expect(await store.save(createBook('a'))).toBe(true);
    expect(await redis.ask((client) => client.lLen('waypost:{test}:incidents:takes'))).toBe(0);
  });

  test('Redis has lost everything: the one that led writes its book again, and only if it is gone another one begins', async () => {
    const [first, second] = [openStore('first'), openStore('second')];
    await lead(first);
    await first.save(createBook('a'));
    await lead(second);
    await redis.ask((client) => client.flushAll());
    expect(await lead(second)).toMatchObject({ isLeading: false });
    expect(await lead(first, createBook('a', 'b'))).toMatchObject({ isLeading: true, ids: ['a', 'b'] });
    await first.save(createBook('a', 'b'));
    expect(await lead(second)).toMatchObject({ isLeading: false, ids: ['a', 'b'] });

    await redis.ask((client) => client.flushAll());
    expect(await lead(second)).toMatchObject({ isLeading: false });
    clock += 10_000;
    expect(await lead(second, createBook('a'))).toMatchObject({ isLeading: true, ids: ['a'] });
  });

  test('a portal that is killed before it has written what others handed over leaves it to the next one', async () => {
    await openFile('alone').save(createBook('alone'));
    const [first, second, alone] = [openStore('first'), openStore('second'), openStore('alone')];
    await lead(first);
    await first.save(createBook('a'));
    await lead(alone);
    await alone.passOn({ id: 'a', by: 'li.wei' });
    const handedOver = { isLeading: true, ids: ['a', 'alone'], takes: [{ id: 'a', by: 'li.wei' }] };
    expect(await lead(first, createBook('a'))).toEqual(handedOver);
    await expireLead();
    expect(await lead(second)).toEqual(handedOver);
    await second.save(createBook('a', 'alone'));
    expect(await lead(second, createBook('a', 'alone'))).toEqual({ ...handedOver, takes: [] });
  });

  test('what was written alone stays in the file until Redis has it', async () => {
    await openFile('first').save(createBook('alone'));
    expect(await lead(openStore('first'))).toMatchObject({ isLeading: true, ids: ['alone'] });
    await expireLead();
    // Killed and started again.
    const again = openStore('first');
    expect(await lead(again)).toMatchObject({ isLeading: true, ids: ['alone'] });
    await again.save(createBook('alone'));
    expect(await lead(openFile('first'))).toMatchObject({ ids: [] });
  });

  test('a portal that cannot hand over what it wrote alone stays alone until it can', async () => {
    const first = openStore('first');
    await lead(first);
    await openFile('alone').save(createBook('alone'));
    let asks = 0;
    const flaky: Redis = {
      ...redis,
      // It asks who leads, and then hands over.
      ask: (question) => ((asks += 1) === 2 ? Promise.reject(new Error('away')) : redis.ask(question)),
    };
    const alone = openStore('alone', flaky);
    expect(await lead(alone)).toMatchObject({ isLeading: true, ids: ['alone'] });
    expect(await lead(alone, createBook('alone'))).toMatchObject({ isLeading: false });
    expect(await lead(first)).toMatchObject({ isLeading: true, ids: ['alone'] });
    expect(await lead(openFile('alone'))).toMatchObject({ ids: [] });
  });

  test('while Redis is away a portal goes on with its file, and one that follows waits until the other one is surely gone', async () => {
    const [first, second] = [openStore('first'), openStore('second')];
    await lead(first);
    await lead(second);
    await server.kill();
    expect(await lead(first)).toMatchObject({ isLeading: true });
    expect(await first.save(createBook('a'))).toBe(true);
    expect(await lead(openFile('first'))).toMatchObject({ ids: ['a'] });
    expect(await lead(second)).toMatchObject({ isLeading: false });
    clock += 10_000;
    expect(await lead(second)).toMatchObject({ isLeading: true });
    await server.start();
  });
});

function createBook(...ids: readonly string[]): IncidentBook {
  return {
    incidents: ids.map((id, startedAt) => ({
      id,
      cause: `line/${id}`,
      kind: 'line-down',
      severity: 'high',
      subject: id,
      affected: [],
      detail: { kind: 'text', text: '' },
      visitors: 0,
      startedAt,
      endedAt: null,
      takenBy: null,
      timeline: [],
      told: {},
      messages: 0,
    })),
    outbox: [],
  };
}
