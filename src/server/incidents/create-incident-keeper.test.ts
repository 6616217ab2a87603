import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRandom } from '../../engine/testing/create-random.ts';
import { tenthOf } from '../../engine/testing/tenth-of.ts';
import { type Database, DeposedError, StoreAwayError, StoreFullError } from '../store/database.ts';
import { openDatabase } from '../store/open-database.ts';
import { PATIENCE } from '../testing/patience.ts';
import { type TestWorld, createTestKeeper, createTestWorld, sightLine } from '../testing/test-incidents.ts';
import { createIncidentStore } from './create-incident-store.ts';
import type { IncidentKeeperDeps } from './create-incident-keeper.ts';

const SECOND_MS = 1_000;
let dataDir: string;
let database: Database;
let world: TestWorld;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waypost-incidents-'));
  database = await openDatabase({ dataDir, log: pino({ level: 'silent' }) });
  world = createTestWorld();
});

afterEach(async () => {
  vi.useRealTimers();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const createKeeper = (more: Partial<IncidentKeeperDeps> = {}) => createTestKeeper(world, database, more);

const typesOf = () => world.taken.map((each) => each.split(' ', 2).join(' '));

test('a line that goes down and comes back is told once, and its end is told once, on every channel', async () => {
  const { run, list } = createKeeper();
  world.wrong = ['a'];
  await run(300);
  world.wrong = [];
  await run(300);
  expect(typesOf()).toEqual(['night opened', 'office opened', 'night resolved', 'office resolved']);
  expect(list()).toMatchObject([{ subject: 'a.example', startedAt: 1_001_000, endedAt: 1_301_000 }]);
  expect(list()[0]?.timeline.map(({ kind, by }) => `${kind} ${by ?? ''}`.trim())).toEqual([
    'opened',
    'told night',
    'told office',
    'closed',
    'told night',
    'told office',
  ]);
});

test('a restart forgets nothing, and tells nothing twice', async () => {
  world.wrong = ['a'];
  const first = createKeeper();
  await first.run(2);
  await first.close();
  const second = createKeeper();
  await second.run(30);
  expect(second.list()).toEqual(first.list());
  world.wrong = [];
  await second.run(62);
  expect(typesOf()).toEqual(['night opened', 'office opened', 'night resolved', 'office resolved']);
});

test('a person who takes an incident is named, and stays so after a restart', async () => {
  world.wrong = ['a'];
  const { run, take, list, close } = createKeeper();
  await run(1);
  const id = list()[0]?.id ?? '';
  expect(await take({ id: 'unknown', by: 'li.wei' })).toBe(false);
  expect(await take({ id, by: 'li.wei' })).toBe(true);
  await close();
  const again = createKeeper();
  await again.run(1);
  expect(again.list()[0]).toMatchObject({ takenBy: 'li.wei' });
});

describe('a channel that fails', () => {
  test('is tried again with longer and longer pauses for an hour, holds up no other, and is told by the others', async () => {
    world.broken = new Set(['night']);
    const tries: number[] = [];
    const { run, list, channels } = createKeeper({
      onMessage: (channel) => void (channel === 'night' && tries.push(world.clock)),
    });
    world.wrong = ['a'];
    await run(3_700);
    const pauses = tries.slice(1).map((at, index) => (at - (tries[index] ?? 0)) / SECOND_MS);
    expect(pauses.slice(0, 8)).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    expect((tries.at(-1) ?? 0) - 1_001_000).toBeLessThanOrEqual(3_600_000);
    expect(typesOf()).toEqual(['office opened', 'office opened']);
    expect(list().map(({ kind }) => kind)).toEqual(['line-degraded', 'channel-failing']);
    expect(channels()).toMatchObject([
      { name: 'night', fault: { kind: 'text', text: 'refused' }, waiting: 0 },
      { name: 'office', fault: null, waiting: 0 },
    ]);
    expect(list()[0]?.timeline.map(({ kind }) => kind)).toContain('not-told');
  });

  test('gets what it missed, in its order, when it is back', async () => {
    world.broken = new Set(['night']);
    const { run } = createKeeper();
    world.wrong = ['a'];
    await run(10);
    world.wrong = [];
    await run(62);
    world.broken = new Set();
    await run(300);
    expect(typesOf().filter((type) => type.startsWith('night'))).toEqual(['night opened', 'night resolved']);
  });

  test('still fails after a restart, as far as anybody knows, until it takes a message', async () => {
    world.broken = new Set(['night']);
    world.wrong = ['a'];
    const before = createKeeper();
    await before.run(100);
    await before.close();
    const { run, list } = createKeeper();
    await run(200);
    expect(list().map(({ kind, endedAt }) => [kind, endedAt])).toContainEqual(['channel-failing', null]);
    expect(typesOf()).toEqual(['office opened', 'office opened']);
    world.broken = new Set();
    await run(300);
    expect(typesOf().slice(2)).toEqual(['night opened', 'office resolved']);
  });
});

test('a portal that leads again does not know better how the channels are than the one that led meanwhile', async () => {
  const leading = { current: true };
  const inner = createIncidentStore(database);
  const store = { ...inner, lead: async () => (leading.current ? inner.lead() : undefined) };
  const one = createTestKeeper(world, database, { store });
  onTestFinished(one.watch());
  world.broken = new Set(['night']);
  world.wrong = ['a'];
  await one.run(100);
  leading.current = false;
  await one.run(1);
  world.broken = new Set();
  const other = createKeeper();
  await other.run(500);
  const listKinds = () => one.listOpen().map(({ kind }) => kind);
  await vi.waitFor(() => expect(listKinds()).toEqual(['line-degraded']), PATIENCE);
  leading.current = true;
  await one.run(100);
  expect(listKinds()).toEqual(['line-degraded']);
});

test('a message that waits for its next try is sent although the clock was set back by a day', async () => {
  const { run } = createKeeper();
  world.wrong = ['a'];
  world.broken = new Set(['night']);
  await run(2);
  world.broken = new Set();
  world.clock -= 86_400_000;
  await run(1);
  expect(typesOf()).toEqual(['office opened', 'night opened']);
});

test('a test of a channel that never answers is given up after 15 seconds', async () => {
  vi.useFakeTimers();
  const keeper = createKeeper({ send: () => new Promise(() => undefined) });
  const tested = keeper.test('night').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await tested).toMatchObject({ fault: { kind: 'channel-late', seconds: 15 } });
});

test('a database that takes no change stops no message for longer than 10 seconds', async () => {
  const store = {
    ...createIncidentStore(database),
    write: async () => {
      throw new StoreFullError('the disk is full');
    },
  };
  const { run, list } = createKeeper({ store });
  world.wrong = ['a'];
  await run(9);
  expect(typesOf()).toEqual([]);
  await run(2);
  expect(typesOf()).toEqual(['night opened', 'office opened']);
  await run(30);
  expect(typesOf()).toHaveLength(2);
  expect(list()).toHaveLength(1);
});

test('an incident that is not in the database yet is no unknown one', async () => {
  const store = {
    ...createIncidentStore(database),
    write: async () => {
      throw new StoreFullError('the disk is full');
    },
  };
  const { run, take, list } = createKeeper({ store });
  world.wrong = ['a'];
  await run(1);
  await expect(take({ id: list()[0]?.id ?? '', by: 'li.wei' })).rejects.toThrow(StoreAwayError);
});

test('a portal that finds out while it writes that another one leads sends nothing', async () => {
  const store = {
    ...createIncidentStore(database),
    write: async () => {
      throw new DeposedError('another portal leads by now');
    },
  };
  const { run } = createKeeper({ store });
  world.wrong = ['a'];
  await run(15);
  expect(world.taken).toEqual([]);
});

test('a second incident with the same cause and the same beginning has an id of its own', async () => {
  const { run, list } = createKeeper({
    observe: () => world.wrong.map((line) => sightLine(line, 600_000)),
  });
  world.wrong = ['a'];
  await run(1);
  world.wrong = [];
  await run(700);
  world.wrong = ['a'];
  await run(1);
  expect(list().map(({ id }) => id)).toEqual(['line/a@1 2', 'line/a@1']);
});

test('the history of the database went back: what is still wrong is opened and told again, under the same ids', async () => {
  const { run, list, watch } = createKeeper();
  onTestFinished(watch());
  world.wrong = ['a'];
  await run(1);
  await vi.waitFor(() => expect(database.state().isUp).toBe(true), PATIENCE);
  const told = [...world.taken];
  const [incident] = list();
  await database.change('delete from incidents');
  await database.change("update topics set number = 0, tag = 'restored'");
  await vi.waitFor(() => expect(list()).toEqual([]), PATIENCE);
  await run(1);
  expect(list()).toMatchObject([{ id: incident?.id, startedAt: world.clock }]);
  expect(world.taken).toEqual([...told, ...told]);
});

test('what ended 90 days ago is forgotten, and what lasts is not', async () => {
  const { run, list } = createKeeper();
  world.wrong = ['a', 'b'];
  await run(1);
  world.wrong = ['b'];
  await run(62);
  world.clock += 90 * 86_400_000;
  await run(1);
  expect(list().map(({ subject }) => subject)).toEqual(['b.example']);
});

describe('a portal that is killed at any moment', () => {
  const KILLS = tenthOf(200);

  test(`loses no message, and repeats one only with the same id: ${KILLS} kills`, async () => {
    const random = createRandom(11);
    const lines: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Each effect is a moment to die: before a message leaves, after it was taken, before and after writing.
      let effectsLeft = Math.floor(random() * 12);
      let die = (): void => undefined;
      const died = new Promise<void>((resolve) => (die = resolve));
      const isDead = (): boolean => {
        effectsLeft -= 1;
        if (effectsLeft < 0) die();
        return effectsLeft < 0;
      };
      const never = new Promise<never>(() => undefined);
      const store = createIncidentStore({
        ...database,
        transaction: async (work) => {
          if (isDead()) return never;
          const result = await database.transaction(work);
          return isDead() ? never : result;
        },
      });
      const victim = createKeeper({
        store,
        send: async ({ name }, { id, type }) => {
          if (isDead()) return never;
          world.taken.push(`${name} ${type} ${id}`);
          return isDead() ? never : { status: 200, words: '' };
        },
      });
      lines.push(`line${kill}`);
      world.wrong = lines;
      await Promise.race([victim.run(3), died]);
    }
    const survivor = createKeeper();
    await survivor.run(5 * KILLS);
    for (const channel of ['night', 'office']) {
      const ids = new Set(world.taken.filter((each) => each.startsWith(`${channel} opened`)));
      expect(ids.size).toBe(KILLS);
    }
  });
});
