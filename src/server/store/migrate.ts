import { type Engine, StoreFaultError } from './database.ts';
import { store } from './migrations/0001-store.ts';
import { audit } from './migrations/0002-audit.ts';
import { people } from './migrations/0003-people.ts';
import { desk } from './migrations/0004-desk.ts';
import { incidents } from './migrations/0005-incidents.ts';
import { portals } from './migrations/0006-portals.ts';
import { visits } from './migrations/0007-visits.ts';
import { recordings } from './migrations/0008-recordings.ts';
import { learning } from './migrations/0009-learning.ts';
import { campaigns } from './migrations/0010-campaigns.ts';
import { uptime } from './migrations/0011-uptime.ts';
import { calls } from './migrations/0012-calls.ts';
import { moments } from './migrations/0013-moments.ts';

/**
 * One step from the tables of a release to those of the next. The release before must still run on them, so that portals can be
 * upgraded one at a time, and taken back.
 */
export type Migration = {
  /** It starts with its number. */
  readonly name: string;
  readonly release: number;
  readonly statements: readonly string[];
};

/** In the order in which they run. */
const MIGRATIONS: readonly Migration[] = [
  store,
  audit,
  people,
  desk,
  incidents,
  portals,
  visits,
  learning,
  campaigns,
  uptime,
  calls,
  moments,
];
/** On one machine recordings are a file of their own: they are large, soon over, and in no backup. */
export const RECORDING_MIGRATIONS: readonly Migration[] = [store, recordings];
/** Portals that share a database have all in one. */
export const SHARED_MIGRATIONS: readonly Migration[] = [...MIGRATIONS, recordings];
/** This release runs on the tables of the next one, but not on those after it. */
const NEWEST_RELEASE = (MIGRATIONS.at(-1)?.release ?? 0) + 1;

/** Makes the tables, or brings them up to date. Portals that start together do it one after the other. */
export async function migrate(
  { name, transactAlone }: Pick<Engine, 'name' | 'transactAlone'>,
  { migrations = MIGRATIONS, newestRelease = NEWEST_RELEASE, now = Date.now } = {},
): Promise<void> {
  await transactAlone(async (tx) => {
    await tx.change(
      'create table if not exists migrations (name text primary key, release integer not null, at bigint not null)',
    );
    const done = await tx.query<{ name: string; release: number }>('select name, release from migrations');
    const release = Math.max(0, ...done.map((row) => row.release));
    if (release > newestRelease) {
      throw new StoreFaultError(
        `${name} was changed by a Waypost that is more than one release newer than this one: run that one`,
      );
    }
    const names = new Set(done.map((row) => row.name));
    for (const migration of migrations) {
      if (names.has(migration.name)) continue;
      for (const statement of migration.statements) await tx.change(statement);
      await tx.change('insert into migrations (name, release, at) values ($1, $2, $3)', [
        migration.name,
        migration.release,
        now(),
      ]);
    }
  });
}
