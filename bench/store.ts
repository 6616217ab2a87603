import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPostgres } from '../src/server/testing/start-postgres.ts';
import type { Bench, Claim } from './claim.ts';

const MAX_LOOK_MS = 1_000;
const MAX_WRITE_MS = 500;

/** The parts of this bench, by the names that `--only` chooses from. */
const PARTS: Readonly<Record<string, (engine: Engine) => Promise<readonly Claim[]>>> = {
  visits: measureVisits,
};

/** An empty database: the folder of a portal's data, and the address of PostgreSQL if it is not SQLite in that folder. */
type Engine = { readonly name: string; readonly place: readonly string[] };

/** How fast things are found again when there are many of them. */
export const store: Bench = {
  title: 'the database, SQLite and PostgreSQL on this machine',
  async run({ only = '' }) {
    const claims: Claim[] = [];
    for (const [name, measure] of Object.entries(PARTS)) {
      if (!name.includes(only)) continue;
      for (const isShared of [false, true]) {
        claims.push(...(await withEngine(isShared, measure)));
      }
    }
    return claims;
  },
};

async function withEngine<T>(isShared: boolean, use: (engine: Engine) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-bench-store-'));
  const postgres = isShared ? await startPostgres() : undefined;
  try {
    const place = postgres === undefined ? [dataDir] : [dataDir, await postgres.createDatabase()];
    return await use({ name: isShared ? 'PostgreSQL' : 'SQLite', place });
  } finally {
    await postgres?.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureVisits({ name, place }: Engine): Promise<readonly Claim[]> {
  const { points, sums, writes } = await run<'points' | 'sums' | 'writes'>('find-visits', place);
  return [
    claimLongest(`${name}, 10 million hourly rows: the points of 400 days`, points, MAX_LOOK_MS),
    claimLongest(`${name}, 10 million hourly rows: the sums of 400 days`, sums, MAX_LOOK_MS),
    claimLongest(`${name}: a write meanwhile`, writes, MAX_WRITE_MS),
  ];
}

/** Runs a program of this bench, which prints how many ms each try of each thing took. */
async function run<Name extends string>(
  program: string,
  args: readonly string[],
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const path = fileURLToPath(new URL(`store/${program}.mjs`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args]);
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
