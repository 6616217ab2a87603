import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AlertSettings } from '../../contract/site/alert-settings.ts';
import { createRandom } from '../../engine/testing/create-random.ts';
import { tenthOf } from '../../engine/testing/tenth-of.ts';
import { describeMessage } from '../messages/describe-message.ts';
import type { Sighting } from './follow-conditions.ts';
import { type IncidentStore, createFileIncidentStore } from './incident-store.ts';
import { type IncidentKeeperDeps, createIncidentKeeper } from './keep-incidents.ts';

const SECOND_MS = 1_000;
const log = pino({ level: 'silent' });
const SETTINGS: Pick<AlertSettings, 'channels' | 'rules'> = {
  channels: ['night', 'office'].map((name) => ({ name, kind: 'webhook', url: 'https://a.example' })),
  rules: [{ severity: 'low', lines: ['*'], to: ['night', 'office'], resolved: true }],
};

let dataDir: string;
let clock: number;
/** What is wrong now. */
let wrong: readonly string[];
/** What the channels have taken: channel, id and type. */
let taken: string[];
let broken: ReadonlySet<string>;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waypost-incidents-'));
  clock = 1_000_000;
  wrong = [];
  taken = [];
  broken = new Set();
});

afterEach(async () => {
  vi.useRealTimers();
  await rm(dataDir, { recursive: true, force: true });
});

function createKeeper(more: Partial<IncidentKeeperDeps> = {}) {
  const keeper = createIncidentKeeper({
    store: createFileIncidentStore({ dataDir, log }),
    observe: () => wrong.map(sightLine),
    settings: () => SETTINGS,
    calmMs: () => 60_000,
    isSilenced: () => false,
    describe: (incident, { type }, id) =>
      describeMessage(incident, { id, type, site: 'Lumo', language: 'en', now: clock }),
    send: async ({ name }, { id, type }) => {
      if (broken.has(name)) throw new Error('refused');
      taken.push(`${name} ${type} ${id}`);
    },
    onAdopt: () => undefined,
    onOpen: () => undefined,
    onMessage: () => undefined,
    log,
    now: () => clock,
    ...more,
  });
  return {
    ...keeper,
    /** Follows for some seconds. What is sent is done before the next look. */
    run: async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        clock += SECOND_MS;
        await keeper.follow();
        await keeper.settle();
      }
    },
  };
}

function sightLine(id: string): Sighting {
  return {
    cause: `line/${id}`,
    kind: 'line-down',
    severity: 'high',
    subject: `${id}.example`,
    affected: [],
    detail: { kind: 'line-faults', faults: [{ kind: 'timeout' }] },
    since: clock,
    visitors: 0,
    isSure: true,
  };
}

const typesOf = () => taken.map((each) => each.split(' ', 2).join(' '));

test('a line that goes down and comes back is told once, and its end is told once, on every channel', async () => {
  const { run, list } = createKeeper();
  wrong = ['a'];
  await run(300);
  wrong = [];
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
  wrong = ['a'];
  const first = createKeeper();
  await first.run(2);
  await first.close();
  const second = createKeeper();
  await second.run(30);
  expect(second.list()).toEqual(first.list());
  wrong = [];
  await second.run(62);
  expect(typesOf()).toEqual(['night opened', 'office opened', 'night resolved', 'office resolved']);
});

test('whoever takes an incident is named, and stays so after a restart', async () => {
  wrong = ['a'];
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
    broken = new Set(['night']);
    const tries: number[] = [];
    const { run, list, channels } = createKeeper({
      onMessage: (channel) => void (channel === 'night' && tries.push(clock)),
    });
    wrong = ['a'];
    await run(3_700);
    const pauses = tries.slice(1).map((at, index) => (at - (tries[index] ?? 0)) / SECOND_MS);
    expect(pauses.slice(0, 8)).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    expect((tries.at(-1) ?? 0) - 1_001_000).toBeLessThanOrEqual(3_600_000);
    expect(typesOf()).toEqual(['office opened', 'office opened']);
    expect(list().map(({ kind }) => kind)).toEqual(['line-down', 'channel-failing']);
    expect(channels()).toMatchObject([
      { name: 'night', fault: { kind: 'text', text: 'refused' }, waiting: 0 },
      { name: 'office', fault: null, waiting: 0 },
    ]);
    expect(list()[0]?.timeline.map(({ kind }) => kind)).toContain('not-told');
  });

  test('gets what it missed, in its order, when it is back', async () => {
    broken = new Set(['night']);
    const { run } = createKeeper();
    wrong = ['a'];
    await run(10);
    wrong = [];
    await run(62);
    broken = new Set();
    await run(300);
    expect(typesOf().filter((type) => type.startsWith('night'))).toEqual(['night opened', 'night resolved']);
  });
});

test('a message that waits for its next try is sent although the clock was set back by a day', async () => {
  const { run } = createKeeper();
  wrong = ['a'];
  broken = new Set(['night']);
  await run(2);
  broken = new Set();
  clock -= 86_400_000;
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

test('a data folder that cannot be written stops no message', async () => {
  const store: IncidentStore = {
    ...createFileIncidentStore({ dataDir, log }),
    save: async () => {
      throw new Error('ENOSPC');
    },
  };
  const { run } = createKeeper({ store });
  wrong = ['a'];
  await run(5);
  expect(typesOf()).toEqual(['night opened', 'office opened']);
});

test('a portal that finds out while it writes that another one leads sends nothing', async () => {
  const store: IncidentStore = { ...createFileIncidentStore({ dataDir, log }), save: async () => false };
  const { run } = createKeeper({ store });
  wrong = ['a'];
  await run(3);
  expect(taken).toEqual([]);
});

test('a file that cannot be read starts anew', async () => {
  await writeFile(join(dataDir, 'incidents.json'), '{"format":1,"incidents":[{]');
  const { run, list } = createKeeper();
  await run(1);
  expect(list()).toEqual([]);
});

test('what ended 90 days ago is forgotten, and what lasts is not', async () => {
  const { run, list } = createKeeper();
  wrong = ['a', 'b'];
  await run(1);
  wrong = ['b'];
  await run(62);
  clock += 90 * 86_400_000;
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
      let effectsLeft = Math.floor(random() * 8);
      let die = (): void => undefined;
      const died = new Promise<void>((resolve) => (die = resolve));
      const isDead = (): boolean => {
        effectsLeft -= 1;
        if (effectsLeft < 0) die();
        return effectsLeft < 0;
      };
      const file = createFileIncidentStore({ dataDir, log });
      const never = new Promise<never>(() => undefined);
      const store: IncidentStore = {
        ...file,
        save: async (book) => {
          if (isDead()) return never;
          const isKept = await file.save(book);
          return isDead() ? never : isKept;
        },
      };
      const victim = createKeeper({
        store,
        send: async ({ name }, { id, type }) => {
          if (isDead()) return never;
          taken.push(`${name} ${type} ${id}`);
          if (isDead()) return never;
        },
      });
      lines.push(`line${kill}`);
      wrong = lines;
      await Promise.race([victim.run(3), died]);
    }
    const survivor = createKeeper();
    await survivor.run(5 * KILLS);
    for (const channel of ['night', 'office']) {
      const ids = new Set(taken.filter((each) => each.startsWith(`${channel} opened`)));
      expect(ids.size).toBe(KILLS);
    }
  });
});
