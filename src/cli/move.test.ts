import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Database, Row } from '../server/store/database.ts';
import { createSegmentsTable } from '../server/recordings/recording-rows.ts';
import { openDatabase, openRecordingsDatabase } from '../server/store/open-database.ts';
import { lockDataFolder } from '../server/store/sqlite/lock-data-folder.ts';
import { type TestPostgres, startPostgres } from '../server/testing/start-postgres.ts';
import { moveDatabase } from './move.ts';

const log = pino({ level: 'silent' });
let postgres: TestPostgres;
let dataDir: string;
let url: string;
let printed: string[];

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waypost-move-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  url = await postgres.createDatabase();
  printed = [];
});

const moveAll = (): Promise<void> => moveDatabase(dataDir, url, (line) => printed.push(line));

/** Does something with a database, and closes it. */
async function use<T>(
  place: { readonly url?: string },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ dataDir, ...place, log });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const note = (database: Database, at: number, detail: string | null): Promise<number> =>
  database.change(
    `insert into audit (brand, at, id, done_by, action, detail, is_uncertain)
     values ($brand, $1, $2, 'mei', 'published', $3, 0)`,
    [at, String(at), detail],
  );

const readAudit = (database: Database): Promise<readonly Row[]> =>
  database.read('select * from audit where brand = $brand order by at');

test('takes everything to PostgreSQL, and says what to do next', async () => {
  await use({}, async (database) => {
    for (let at = 1; at <= 450; at += 1) await note(database, at, at % 2 ? null : `第 ${at} 版 “quoted” \\`);
  });
  await moveAll();
  expect(await use({ url }, readAudit)).toEqual(await use({}, readAudit));
  expect(printed).toContain('audit: 450 rows, compared');
  expect(printed.at(-1)).toContain('WAYPOST_DATABASE_URL');
});

test('takes the recordings along, and what a site has of files', async () => {
  const recordings = await use({}, async (database) => {
    await database.change(
      "insert into files (brand, hash, size, put_at, bytes) values ($brand, 'h', 3, 1, $1)",
      [Uint8Array.of(0, 1, 255)],
    );
    const opened = openRecordingsDatabase({ dataDir, log }, database);
    await createSegmentsTable(opened, '2026-11-18');
    await opened.change(
      `insert into recorded_sessions (brand, id, day, first_at, last_at, messages, bytes, segments, is_error, is_stuck, is_slow)
       values ($brand, 's', '2026-11-18', 1, 2, 1, 3, 1, 0, 0, 0)`,
    );
    await opened.change("insert into recorded_segments_20261118 values ($brand, 's', 'v', 1, $1)", [
      Uint8Array.of(7, 8),
    ]);
    const rows = await opened.read('select * from recorded_sessions');
    await opened.close();
    return rows;
  });
  await moveAll();
  await use({ url }, async (database) => {
    expect(await database.read('select * from recorded_sessions')).toEqual(recordings);
    const [segment] = await database.read<{ packed: Uint8Array }>(
      'select packed from recorded_segments_20261118',
    );
    expect([...(segment?.packed ?? [])]).toEqual([7, 8]);
    const [file] = await database.read<{ bytes: Uint8Array }>('select bytes from files');
    expect([...(file?.bytes ?? [])]).toEqual([0, 1, 255]);
  });
});

test('files of megabytes go one after the other', async () => {
  const bytes = new Uint8Array(3_000_000).fill(7);
  await use({}, async (database) => {
    for (const hash of ['a', 'b', 'c'])
      await database.change(
        'insert into files (brand, hash, size, put_at, bytes) values ($brand, $1, 3000000, 1, $2)',
        [hash, bytes],
      );
  });
  await moveAll();
  const sizes = await use({ url }, (database) =>
    database.read('select length(bytes) as size from files order by hash'),
  );
  expect(sizes).toEqual([{ size: 3_000_000 }, { size: 3_000_000 }, { size: 3_000_000 }]);
});

test('says so if the data folder has nothing of this brand', async () => {
  await use({}, (database) => database.change("insert into secrets values ('another', 's')"));
  await expect(moveAll()).rejects.toThrow('the data folder has nothing of this brand');
});

test('moves nothing while the portal runs', async () => {
  await use({}, (database) => note(database, 1, 'ours'));
  const lock = await lockDataFolder(dataDir);
  await expect(moveAll()).rejects.toThrow(/uses/);
  lock.release();
  await moveAll();
});

test('moves nothing into a place that is not empty', async () => {
  await use({}, (database) => note(database, 1, 'ours'));
  await use({ url }, (database) => note(database, 2, 'theirs'));
  await expect(moveAll()).rejects.toThrow(/the table "audit" of the other database has rows of this brand/);
  expect(await use({ url }, readAudit)).toMatchObject([{ detail: 'theirs' }]);
});

test('leaves nothing behind if it fails, so that it can be tried again', async () => {
  await use({}, async (database) => {
    for (let at = 1; at <= 450; at += 1) await note(database, at, 'well');
    // SQLite takes a text where a number should be.
    await database.change("update audit set is_uncertain = 'maybe' where at = 450");
  });
  await expect(moveAll()).rejects.toThrow(/maybe/);
  expect(await use({ url }, readAudit)).toEqual([]);
  await use({}, (database) => database.change('update audit set is_uncertain = 0 where at = 450'));
  await moveAll();
  expect(await use({ url }, readAudit)).toHaveLength(450);
});

test('a folder without a database is named', async () => {
  await expect(moveAll()).rejects.toThrow(`${dataDir} has no database`);
});
