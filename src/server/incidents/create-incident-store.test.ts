import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { KeptIncident } from '../messages/message.ts';
import type { Database } from '../store/database.ts';
import { openDatabase } from '../store/open-database.ts';
import { PATIENCE } from '../testing/patience.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import {
  type TestKeeper,
  type TestWorld,
  createTestKeeper,
  createTestWorld,
} from '../testing/test-incidents.ts';
import type { BookChanges } from './incident-book.ts';
import { readIncident } from './incident-rows.ts';
import { createIncidentStore } from './create-incident-store.ts';

const log = pino({ level: 'silent' });
const CHANNELS = ['night', 'office'];
const NOTHING: BookChanges = { incidents: [], forgotten: [], waiting: [], done: [] };
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

async function open(url?: string): Promise<Database> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-incidents-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const database = await openDatabase({ dataDir, url, log });
  onTestFinished(database.close);
  return database;
}

function createIncident(id: string, more: Partial<KeptIncident> = {}): KeptIncident {
  return {
    id,
    cause: `line/${id}`,
    kind: 'line-down',
    severity: 'high',
    subject: id,
    affected: ['GB'],
    detail: { kind: 'text', text: 'it is down' },
    visitors: 3,
    startedAt: 5,
    endedAt: null,
    takenBy: null,
    timeline: [{ at: 5, kind: 'opened' }],
    told: { pager: { stage: 'line-down high', at: 5, isOver: false } },
    messages: 1,
    ...more,
  };
}

describe.each(['SQLite', 'PostgreSQL'] as const)('incidents in %s', (engine) => {
  const openStore = async () => {
    const database = await open(engine === 'SQLite' ? undefined : await postgres.createDatabase());
    return { database, store: createIncidentStore(database) };
  };

  test('are read as they were written, and what has not changed is not read again', async () => {
    const { store } = await openStore();
    const incidents = Array.from({ length: 250 }, (_, index) =>
      createIncident(`i${index}`, { startedAt: index, endedAt: index % 2 ? index : null }),
    );
    await store.write({ ...NOTHING, incidents }, { since: 0, at: 0 });
    const found = await store.read(0);
    expect(found.incidents).toEqual(incidents);
    const [first = createIncident('')] = incidents;
    const changed = { ...first, endedAt: 9 };
    await store.write({ ...NOTHING, incidents: [changed], forgotten: ['i1'] }, { since: found.until, at: 0 });
    expect((await store.read(found.until)).incidents).toEqual([changed]);
    expect((await store.read(0)).incidents).toHaveLength(249);
  });

  test('keep what another portal has changed meanwhile', async () => {
    const { store } = await openStore();
    const incident = createIncident('a');
    await store.write({ ...NOTHING, incidents: [incident] }, { since: 0, at: 0 });
    const { until } = await store.read(0);
    expect(await store.take({ id: 'a', by: 'mei' }, 6)).toBe(true);
    expect(await store.take({ id: 'unknown', by: 'mei' }, 6)).toBe(false);
    const term = await store.lead();
    const worse = { ...incident, visitors: 7 };
    await store.write({ ...NOTHING, incidents: [worse] }, { since: until, at: 7, term });
    expect((await store.read(0)).incidents).toEqual([
      { ...worse, takenBy: 'mei', timeline: [...incident.timeline, { at: 6, kind: 'taken', by: 'mei' }] },
    ]);
  });

  test('a number of a change is never used twice, although the newest incident is to be forgotten', async () => {
    const { store } = await openStore();
    await store.write({ ...NOTHING, incidents: [createIncident('a')] }, { since: 0, at: 0 });
    const { until } = await store.read(0);
    await store.write({ ...NOTHING, forgotten: ['a'] }, { since: until, at: 0 });
    // Of a portal that has read nothing yet.
    await store.write({ ...NOTHING, incidents: [createIncident('b')] }, { since: 0, at: 0 });
    expect((await store.read(until)).incidents).toHaveLength(1);
  });
});

test.each([
  { kind: 'line-faults' },
  { kind: 'line-faults', faults: [null] },
  { kind: 'certificate-ends', at: 'soon' },
  { kind: 'visitors-stranded', percent: '7' },
  { kind: 'site-fault' },
])('a detail that cannot be said is read as the name of its kind: %j', (detail) => {
  const content = JSON.stringify({ detail, timeline: [{ at: 5, kind: 'opened', condition: { detail } }] });
  const row = { id: 'a', cause: 'line/a', started_at: 5, ended_at: null, changed: 1, content };
  const text = { kind: 'text', text: detail.kind };
  expect(readIncident(row)).toMatchObject({ detail: text, timeline: [{ condition: { detail: text } }] });
});

test('a detail of a kind that only a newer portal knows is kept as it is', () => {
  const detail = { kind: 'moon', phase: 'full' };
  const content = JSON.stringify({ detail, timeline: [] });
  const row = { id: 'a', cause: 'line/a', started_at: 5, ended_at: null, changed: 1, content };
  expect(readIncident(row).detail).toEqual(detail);
});

describe('two portals on one PostgreSQL', () => {
  let world: TestWorld;
  let databases: readonly Database[];
  let one: TestKeeper;
  let two: TestKeeper;

  beforeEach(async () => {
    world = createTestWorld();
    const url = await postgres.createDatabase();
    databases = [await open(url), await open(url)];
    const [first, second] = databases.map((database) => createTestKeeper(world, database));
    if (first === undefined || second === undefined) throw new Error('there are two');
    [one, two] = [first, second];
    for (const { watch } of [one, two]) onTestFinished(watch());
    await one.run(1);
    await two.run(1);
  });

  const typesOf = () => world.taken.map((each) => each.split(' ', 2).join(' '));
  const read = <R extends { id: string }>(sql: string) =>
    databases[1]?.read<R & Record<string, string | number | null>>(sql) ?? Promise.resolve([]);
  /** As if the network of the portal that leads were cut. */
  const cutLeader = () =>
    read("select pg_terminate_backend(pid)::text as id from pg_locks where locktype = 'advisory'");

  test('one tells, both show it and take it, and the other one goes on when the first is gone', async () => {
    world.wrong = ['a'];
    await two.run(1);
    expect(world.taken).toEqual([]);
    await one.run(1);
    expect(typesOf().toSorted()).toEqual(['night opened', 'office opened']);
    await vi.waitFor(() => expect(two.list()).toEqual(one.list()), PATIENCE);
    const id = two.list()[0]?.id ?? '';
    expect(await two.take({ id, by: 'mei' })).toBe(true);
    expect(two.list()).toMatchObject([{ takenBy: 'mei' }]);
    await vi.waitFor(() => expect(one.list()).toEqual(two.list()), PATIENCE);

    await cutLeader();
    world.wrong = [];
    await vi.waitFor(async () => {
      await two.run(5);
      expect(two.list()).toMatchObject([{ takenBy: 'mei', endedAt: expect.any(Number) as number }]);
    }, PATIENCE);
    expect(typesOf().toSorted()).toEqual([
      'night opened',
      'night resolved',
      'office opened',
      'office resolved',
    ]);
  });

  test('a leader that was frozen wakes up, and writes and sends nothing', async () => {
    const [database] = databases;
    if (database === undefined) throw new Error('there are two');
    // It still believes that it leads, as it did before.
    const term = await database.lead();
    const frozen = createTestKeeper(world, database, {
      store: { ...createIncidentStore(database), lead: async () => term },
    });
    world.wrong = ['a'];
    world.broken = new Set(['night']);
    await frozen.run(1);
    await cutLeader();
    await vi.waitFor(async () => {
      await two.run(1);
      expect(await databases[1]?.lead()).toBe(2);
    }, PATIENCE);
    const readAll = async () => [await read('select * from incidents'), await read('select * from messages')];
    const before = await readAll();
    const told = [...world.taken];
    // It has a connection again: without one it would tell alone.
    await vi.waitFor(() => expect(database.state().isUp).toBe(true), PATIENCE);
    // A message waits for its next try, and there is nothing to write.
    world.broken = new Set();
    await frozen.run(10);
    // Something is to be written.
    world.wrong = ['a', 'b'];
    await frozen.run(3);
    expect(world.taken).toEqual(told);
    expect(await readAll()).toEqual(before);
  });

  test('a message that a leader was about to send when it died is sent by the next one, under its id, after 20 seconds', async () => {
    const [database] = databases;
    if (database === undefined) throw new Error('there are two');
    const dying = createTestKeeper(world, database, { send: () => new Promise(() => undefined) });
    world.wrong = ['a'];
    await dying.follow();
    const messages = await vi.waitFor(async () => {
      const claimed = await read<{ id: string }>(
        'select id from messages where leased_by is not null order by number',
      );
      expect(claimed).toHaveLength(2);
      return claimed;
    }, PATIENCE);
    await cutLeader();
    await vi.waitFor(async () => {
      await two.run(1);
      expect(await databases[1]?.lead()).toBe(2);
    }, PATIENCE);
    await two.run(2);
    expect(world.taken).toEqual([]);
    // The database's own clock goes on: what has passed of the 20 s is not known exactly.
    await databases[1]?.change('update messages set leased_until = leased_until - 10000');
    await two.run(1);
    expect(world.taken).toEqual([]);
    await databases[1]?.change('update messages set leased_until = leased_until - 10000');
    await vi.waitFor(async () => {
      // Of two claims at once the database may refuse one. The next look claims it again.
      await two.run(1);
      expect(world.taken.toSorted()).toEqual(
        messages.map(({ id }, index) => `${CHANNELS[index]} opened ${id}`),
      );
    }, PATIENCE);
  });

  test('the database is killed while messages wait: each portal tells alone, under the same ids, and all of it is written when it is back', async () => {
    world.wrong = ['a'];
    world.broken = new Set(['night']);
    await one.run(1);
    await vi.waitFor(() => expect(two.channels()).toMatchObject([{ waiting: 1 }, { waiting: 0 }]), PATIENCE);
    await postgres.kill();
    await vi.waitFor(() => {
      for (const database of databases) expect(database.state().isUp).toBe(false);
    }, PATIENCE);
    world.broken = new Set();
    world.wrong = ['a', 'b'];
    await one.run(5);
    await two.run(9);
    expect(typesOf()).toEqual(['office opened']);
    const tellAlone = async ({ run }: TestKeeper): Promise<readonly string[]> => {
      const before = world.taken.length;
      await run(30);
      return world.taken.slice(before).toSorted();
    };
    const [ofOne, ofTwo] = [await tellAlone(one), await tellAlone(two)];
    // What waited, the line that went down meanwhile, and the database itself.
    expect(ofOne).toEqual([
      'night opened line/a@1-1-opened',
      'night opened line/b@1-1-opened',
      'night opened store/database@1-1-opened',
      'office opened line/b@1-2-opened',
      'office opened store/database@1-2-opened',
    ]);
    expect(ofTwo).toEqual(ofOne);

    await postgres.start();
    await vi.waitFor(async () => {
      for (const database of databases) expect(database.state().isUp).toBe(true);
      await one.run(1);
      await two.run(1);
      const written = await read<{ id: string }>('select id, cause from incidents order by id');
      expect(written.map(({ cause }) => cause)).toEqual(['line/a', 'line/b', 'store/database']);
      expect(await read('select id from messages')).toEqual([]);
    }, PATIENCE);
    const told = world.taken.length;
    await vi.waitFor(() => expect(two.list()).toEqual(one.list()), PATIENCE);
    expect(new Set(two.list().map(({ id }) => id)).size).toBe(3);
    await one.run(2);
    await two.run(2);
    expect(world.taken).toHaveLength(told);
  });
});
