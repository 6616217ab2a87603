import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeEngine } from '../../testing/database-suite.ts';
import { openSqlite, type SqliteEngine } from './open-sqlite.ts';
import { startSqliteThread } from './start-sqlite-thread.ts';

async function createFile(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-sqlite-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return join(dir, 'waypost.db');
}

async function open(file?: string): Promise<SqliteEngine> {
  const engine = openSqlite(file ?? (await createFile()));
  onTestFinished(engine.close);
  return engine;
}

async function fill(engine: SqliteEngine): Promise<void> {
  await engine.transaction(async ({ change }) => {
    await change('create table letters (letter text)');
    await change("insert into letters values ('a')");
  });
}

async function fillLetters(engine: SqliteEngine, count: number): Promise<void> {
  for (let letter = 0; letter < count; letter += 1) await engine.change("insert into letters values ('c')");
}

describeEngine('SQLite', open);

test('only the user of the portal can read the file', async () => {
  const file = await createFile();
  const engine = await open(file);
  await engine.check();
  await fill(engine);
  for (const path of [file, `${file}-wal`]) expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('two processes may write: the second one waits for the first', async () => {
  const file = await createFile();
  const [portal, command] = [await open(file), await open(file)];
  await fill(portal);
  await Promise.all(
    [portal, command, portal, command].map((engine) =>
      engine.transaction(async ({ change }) => void (await change("insert into letters values ('b')"))),
    ),
  );
  expect(await command.read('select count(*) as count from letters')).toEqual([{ count: 5 }]);
});

test('what was kept is there after the portal was closed', async () => {
  const file = await createFile();
  const before = openSqlite(file);
  await fill(before);
  await before.close();
  expect(await (await open(file)).read('select * from letters')).toEqual([{ letter: 'a' }]);
});

test('a copy is whole, although the portal goes on writing', async () => {
  const engine = await open();
  await fill(engine);
  const copy = await createFile();
  const writing = engine.transaction(async ({ change }) => {
    await change("insert into letters values ('b')");
    await engine.copyTo(copy);
  });
  await writing;
  expect(await (await open(copy)).read('select * from letters')).toEqual([{ letter: 'a' }]);
});

test('the room of what was removed goes back to the disk, and others write meanwhile', async () => {
  const file = await createFile();
  const engine = await open(file);
  const sizeOf = async (): Promise<number> => (await stat(file)).size;
  await fill(engine);
  await engine.change('create table large (bytes blob)');
  for (let row = 0; row < 20; row += 1) await engine.change('insert into large values (zeroblob(1000000))');
  // What is kept lies behind what is removed.
  await engine.change("insert into letters values ('b')");
  await engine.change('delete from large');
  const [before] = await Promise.all([sizeOf(), engine.shrink(), fillLetters(engine, 100)]);
  expect(before).toBeGreaterThan(15_000_000);
  await engine.shrink();
  expect(await sizeOf()).toBeLessThan(200_000);
  expect(await engine.read('select count(*) as letters from letters')).toEqual([{ letters: 102 }]);
});

test('statements with lists of all lengths, again and again, do not fill the memory', async () => {
  const engine = await open();
  await engine.change('create table pairs (name integer primary key, amount integer)');
  const before = process.memoryUsage.rss();
  for (let number = 0; number < 2_500; number += 1) {
    const rows = Array.from({ length: 200 + (number % 250) }, (_, row) => `(${row}, 1)`);
    await engine.transaction(({ change }) => change(`replace into pairs values ${rows.join(', ')}`));
  }
  expect((process.memoryUsage.rss() - before) / 1e6).toBeLessThan(80);
});

test('what two erasures at once have deleted is nowhere in the file', async () => {
  const file = await createFile();
  const engine = await open(file);
  await engine.change('create table large (id integer, text text)');
  for (const id of [1, 2])
    await engine.change('insert into large values ($1, $2)', [id, `secret ${id} `.repeat(10_000)]);
  await Promise.all(
    [1, 2].map((id) => engine.erase(({ change }) => change('delete from large where id = $1', [id]))),
  );
  const left = Buffer.concat([await readFile(file), await readFile(`${file}-wal`)]).toString('latin1');
  expect([left.includes('secret 1'), left.includes('secret 2')]).toEqual([false, false]);
});

test('names a damaged file, and says how to restore it', async () => {
  const file = await createFile();
  await writeFile(file, 'this is not a database, although it has its name'.repeat(100));
  await expect((await open(file)).read('select 1 as one')).rejects.toThrow(
    `${file} is damaged (file is not a database): stop the portal, move the data folder away, and make a new one from a backup with "waypost restore"`,
  );
});

test('a folder that cannot be written is away, and not a mistake of ours', async () => {
  const file = await createFile();
  await writeFile(join(dirname(file), 'folder'), '');
  const engine = await open(join(dirname(file), 'folder', 'waypost.db'));
  await expect(engine.check()).rejects.toMatchObject({
    code: 'store-away',
    message: expect.stringContaining('cannot be made'),
  });
});

test('a file that cannot be opened now can be opened later', async () => {
  const file = await createFile();
  const engine = await open(join(file, 'waypost.db'));
  await expect(engine.read('select 1 as one')).rejects.toMatchObject({ code: 'store-away' });
  await mkdir(file);
  expect(await engine.read('select 1 as one')).toEqual([{ one: 1 }]);
});

test('nobody waits longer than the limit for a call, and the next call is answered', async () => {
  const thread = startSqliteThread({ file: await createFile(), isReader: false });
  onTestFinished(thread.close);
  await thread.run('select 1');
  const long =
    'with recursive count(x) as (select 1 union all select x + 1 from count where x < 300000) select max(x) from count';
  await expect(thread.run(long, [], 1)).rejects.toMatchObject({ code: 'store-away' });
  expect(await thread.run('select 2 as two')).toMatchObject({ rows: [{ two: 2 }] });
});

test('a call that comes while 1,000 wait is refused', async () => {
  const thread = startSqliteThread({ file: await createFile(), isReader: false });
  onTestFinished(thread.close);
  const calls = Array.from({ length: 1_001 }, () => thread.run('select 1'));
  const ends = await Promise.allSettled(calls);
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(ends.at(-1)).toMatchObject({ reason: { code: 'store-away' } });
});
