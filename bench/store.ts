import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPostgres } from '../src/server/testing/start-postgres.ts';
import type { Bench, Claim } from './claim.ts';
import { measureOutage } from './store/measure-outage.ts';
import { measurePublishing } from './store/measure-publishing.ts';
import { measureSegments } from './store/measure-segments.ts';

const MAX_LIST_MS = 300;
const MAX_LOOK_MS = 1_000;
const MAX_WRITE_MS = 500;

/** The parts of this bench, by the names that `--only` chooses from. */
const PARTS: Readonly<Record<string, (engine: Engine, minutes: number) => Promise<readonly Claim[]>>> = {
  publishing: async ({ url }) => (url === undefined ? [] : measurePublishing(url)),
  sessions: measureSessions,
  visits: measureVisits,
  segments: measureSegments,
  outage: async ({ url }) => (url === undefined ? [] : measureOutage()),
};

/** An empty database. */
type Engine = {
  readonly name: string;
  /** An empty folder. */
  readonly dataDir: string;
  /** The address of PostgreSQL. Without it the database is SQLite, in the folder. */
  readonly url: string | undefined;
};

/** How fast things are found again when there are many of them. */
export const store: Bench = {
  title: 'the database, SQLite and PostgreSQL on this machine',
  async run({ only = '', minutes = 1 }) {
    const claims: Claim[] = [];
    for (const [name, measure] of Object.entries(PARTS)) {
      if (!name.includes(only)) continue;
      for (const isShared of [false, true]) {
        claims.push(...(await withEngine(isShared, (engine) => measure(engine, minutes))));
      }
    }
    return claims;
  },
};

async function withEngine<T>(isShared: boolean, use: (engine: Engine) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-bench-store-'));
  const postgres = isShared ? await startPostgres() : undefined;
  try {
    const name = isShared ? 'PostgreSQL' : 'SQLite';
    return await use({ name, dataDir, url: await postgres?.createDatabase() });
  } finally {
    await postgres?.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureSessions(engine: Engine): Promise<readonly Claim[]> {
  const { lists, pages, groups } = await run<'lists' | 'pages' | 'groups'>('find-sessions', engine);
  const sessions = `${engine.name}, 100,000 sessions`;
  return [
    claimLongest(`${sessions}: a list, with and without filters`, lists, MAX_LIST_MS),
    claimLongest(`${sessions}: a page after 90,000 of them`, pages, MAX_LIST_MS),
    claimLongest(`${sessions}: the groups of their errors`, groups, MAX_LIST_MS),
  ];
}

async function measureVisits(engine: Engine): Promise<readonly Claim[]> {
  const { name } = engine;
  const { points, sums, writes } = await run<'points' | 'sums' | 'writes'>('find-visits', engine);
  return [
    claimLongest(`${name}, 10 million hourly rows: the points of 400 days`, points, MAX_LOOK_MS),
    claimLongest(`${name}, 10 million hourly rows: the sums of 400 days`, sums, MAX_LOOK_MS),
    claimLongest(`${name}: a write meanwhile`, writes, MAX_WRITE_MS),
  ];
}

/** Runs a program of this bench, which prints how many ms each try of each thing took. */
async function run<Name extends string>(
  program: string,
  { dataDir, url }: Engine,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const path = fileURLToPath(new URL(`store/${program}.mjs`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    path,
    dataDir,
    ...(url === undefined ? [] : [url]),
  ]);
  return JSON.parse(stdout) as Record<Name, number[]>; // See the program.
}

function claimLongest(what: string, times: readonly number[], mostMs: number): Claim {
  const longest = Math.max(...times);
  return {
    what: `${what}, the longest of ${times.length}`,
    measured: `${longest.toFixed(0)} ms`,
    bound: { text: `≤ ${mostMs} ms`, isMet: longest <= mostMs },
  };
}
