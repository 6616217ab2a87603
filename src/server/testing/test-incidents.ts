import { pino } from 'pino';
import type { AlertSettings } from '../../contract/site/alert-settings.ts';
import { NO_GROUPS } from '../incidents/join-incidents.ts';
import type { Sighting } from '../incidents/follow-conditions.ts';
import { type IncidentStore, createIncidentStore } from '../incidents/create-incident-store.ts';
import {
  type IncidentKeeper,
  type IncidentKeeperDeps,
  createIncidentKeeper,
} from '../incidents/create-incident-keeper.ts';
import { describeMessage } from '../messages/describe-message.ts';
import type { Database } from '../store/database.ts';

/** What portals see, and what they send. Several keepers may share it. */
export type TestWorld = {
  /** Grows by a second with each look. */
  clock: number;
  /** The lines in trouble. */
  wrong: readonly string[];
  /** The channels that take nothing. */
  broken: ReadonlySet<string>;
  /** What the channels have taken: channel, type and id. */
  readonly taken: string[];
};

export type TestKeeper = IncidentKeeper & {
  /** Follows for some seconds. What is sent is done before the next look. */
  readonly run: (seconds: number) => Promise<void>;
};

const SETTINGS: Pick<AlertSettings, 'channels' | 'rules'> = {
  channels: ['night', 'office'].map((name) => ({ name, kind: 'webhook', url: 'https://a.example' })),
  rules: [{ severity: 'low', lines: ['*'], to: ['night', 'office'], resolved: true }],
};

export function createTestWorld(): TestWorld {
  return { clock: 1_000_000, wrong: [], broken: new Set(), taken: [] };
}

/** Keeps the incidents of a portal that tells two channels of every line in trouble. */
export function createTestKeeper(
  world: TestWorld,
  database: Database,
  {
    store = createIncidentStore(database),
    ...more
  }: Partial<IncidentKeeperDeps> & { store?: IncidentStore } = {},
): TestKeeper {
  const keeper = createIncidentKeeper({
    store,
    observe: () => [
      ...world.wrong.map((line) => sightLine(line, world.clock)),
      ...(database.state().isUp ? [] : [sightDatabase(world.clock)]),
    ],
    groupLines: () => NO_GROUPS,
    settings: () => SETTINGS,
    calmMs: () => 60_000,
    isSilenced: () => false,
    describe: (incident, { type }, id) =>
      describeMessage(incident, { id, type, site: 'Lumo', language: 'en', now: world.clock }),
    send: async ({ name }, { id, type }) => {
      if (world.broken.has(name)) throw new Error('refused');
      world.taken.push(`${name} ${type} ${id}`);
      return { status: 200, words: '' };
    },
    sign: (text) => text.replace(' ', '@'),
    onOpen: () => undefined,
    onMessage: () => undefined,
    log: pino({ level: 'silent' }),
    now: () => world.clock,
    ...more,
  });
  return {
    ...keeper,
    run: async (seconds) => {
      for (let second = 0; second < seconds; second += 1) {
        world.clock += 1_000;
        await keeper.follow();
        await keeper.settle();
      }
    },
  };
}

/** A line in trouble. It is not down: lines that go down together are one incident. */
export function sightLine(id: string, since: number): Sighting {
  return {
    cause: `line/${id}`,
    kind: 'line-degraded',
    severity: 'high',
    subject: `${id}.example`,
    affected: [],
    detail: { kind: 'line-faults', faults: [{ kind: 'timeout' }] },
    since,
    visitors: 0,
    isSure: true,
  };
}

function sightDatabase(since: number): Sighting {
  return {
    ...sightLine('', since),
    cause: 'store/database',
    kind: 'store-down',
    subject: 'the database',
    detail: { kind: 'store', store: 'database' },
  };
}
