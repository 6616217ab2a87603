import { type Engine, StoreFaultError } from './database.ts';
import { audit } from './migrations/0001-audit.ts';

/**
 * One step from the tables of a release to those of the next. The release before must still run on them, so that portals can be
 * upgraded one at a time, and taken back.
 */
export type Migration = { readonly release: number; readonly statements: readonly string[] };

/** In the order in which they run. Their number is their place in this list, from 1. */
const MIGRATIONS: readonly Migration[] = [audit];
/** This release runs on the tables of the next one, but not on those after it. */
const NEWEST_RELEASE = (MIGRATIONS.at(-1)?.release ?? 0) + 1;

/** Makes the tables, or brings them up to date. Portals that start together do it one after the other. */
export async function migrate(
  { name, transactAlone }: Pick<Engine, 'name' | 'transactAlone'>,
  { migrations = MIGRATIONS, newestRelease = NEWEST_RELEASE, now = Date.now } = {},
): Promise<void> {
  await transactAlone(async (tx) => {
    await tx.change(
      'create table if not exists migrations (number integer primary key, release integer not null, at bigint not null)',
    );
    const done = await tx.query<{ number: number; release: number }>(
      'select number, release from migrations',
    );
    const release = Math.max(0, ...done.map((row) => row.release));
    if (release > newestRelease) {
      throw new StoreFaultError(
        `${name} was changed by a Waypost that is more than one release newer than this one: run that one`,
      );
    }
    const last = Math.max(0, ...done.map(({ number }) => number));
    for (const [index, migration] of migrations.entries()) {
      const number = index + 1;
      if (number <= last) continue;
      for (const statement of migration.statements) await tx.change(statement);
      await tx.change('insert into migrations (number, release, at) values ($1, $2, $3)', [
        number,
        migration.release,
        now(),
      ]);
    }
  });
}
