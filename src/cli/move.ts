import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createSegmentsTable, nameSegments } from '../server/recordings/recording-rows.ts';
import type { Database } from '../server/store/database.ts';
import { moveRows } from '../server/store/move-rows.ts';
import {
  findDatabaseFile,
  findRecordingsFile,
  openDatabase,
  openRecordingsDatabase,
} from '../server/store/open-database.ts';
import { lockDataFolder } from '../server/store/sqlite/lock-data-folder.ts';
import { type Command, CommandError, UsageError, createDataOption } from './command.ts';
import { readDatabasePlace } from './read-database-place.ts';

/** `waypost move`: takes what a portal has kept in its data folder to PostgreSQL. */
export const move: Command = {
  help: `Usage: waypost move --to URL [--data DIR]

Copies the database of a data folder into an empty PostgreSQL database, and compares both. Stop the portal first. The data folder
stays as it is.

  --to URL       the PostgreSQL database, such as postgres://user:password@host:5432/waypost
  --data DIR     the portal's data folder (default: WAYPOST_DATA, or ./data)

Example: waypost move --to postgres://waypost:PASSWORD@db.example:5432/waypost --data /var/lib/waypost/8080`,
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: { data: createDataOption(process.env), to: { type: 'string' } },
    });
    if (values.to === undefined)
      throw new UsageError('give the database with --to, such as postgres://user:password@host:5432/waypost');
    await moveDatabase(values.data, values.to, console.log);
    return 0;
  },
};

/** Copies a data folder's database into another one. */
export async function moveDatabase(
  dataDir: string,
  url: string,
  print: (line: string) => void,
): Promise<void> {
  if (!existsSync(findDatabaseFile(dataDir))) {
    throw new CommandError({
      code: 'data-folder',
      message: `${dataDir} has no database: write the data folder that the portal was started with`,
    });
  }
  // A portal that runs would go on writing to it.
  const lock = await lockDataFolder(dataDir);
  try {
    await copyDatabase(dataDir, url, print);
  } finally {
    lock.release();
  }
  print(
    `Everything is in PostgreSQL. Start the portal with WAYPOST_DATABASE_URL set to it, and keep ${findDatabaseFile(dataDir)} until you have seen that all is well.`,
  );
}

async function copyDatabase(dataDir: string, url: string, print: (line: string) => void): Promise<void> {
  const { brand } = readDatabasePlace(dataDir, process.env);
  const { url: target } = readDatabasePlace(dataDir, { WAYPOST_DATABASE_URL: url });
  const place = { dataDir, brand, log: pino({ level: 'error' }, process.stderr) };
  const from = await openDatabase(place);
  const recordings = openRecordingsDatabase(place, from);
  try {
    const to = await openDatabase({ ...place, url: target });
    try {
      const sources = existsSync(findRecordingsFile(dataDir)) ? [from, recordings] : [from];
      if (sources.includes(recordings)) await createSegmentsTables(recordings, to);
      await moveRows({
        from: sources,
        to,
        onMoved: ({ table, rows }) => print(`${table}: ${rows} rows, compared`),
      });
    } finally {
      await to.close();
    }
  } finally {
    await recordings.close();
    await from.close();
  }
}

/** Segments have a table for each day, which no migration makes. */
async function createSegmentsTables(from: Database, to: Database): Promise<void> {
  const rows = await from.read<{ name: string }>(
    "select name from sqlite_master where type = 'table' and name like $1",
    [nameSegments('%')],
  );
  for (const { name } of rows) await createSegmentsTable(to, name.slice(nameSegments('').length));
}
