import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { describeEngine } from '../../testing/database-suite.ts';
import { PATIENCE } from '../../testing/patience.ts';
import { type TestPostgres, startPostgres } from '../../testing/start-postgres.ts';
import type { Engine } from '../database.ts';
import { openPostgres } from './open-postgres.ts';

let server: TestPostgres;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

async function open(url?: string): Promise<Engine> {
  const address = url ?? (await server.createDatabase());
  const engine = await openPostgres({ url: address, directUrl: address });
  onTestFinished(engine.close);
  return engine;
}

describeEngine('PostgreSQL', open);

test.each([
  ['a wrong password', (url: string) => url.replace('only-for-tests', 'wrong'), 'refuses the password'],
  ['a database that is not there', (url: string) => `${url}_2`, 'does not exist: make the database first'],
])('says in words what an operator has to change: %s', async (_, change, words) => {
  const url = change(await server.createDatabase());
  const failing = (await open(url)).check();
  await expect(failing).rejects.toMatchObject({ code: 'store', message: expect.stringContaining(words) });
  await expect(failing).rejects.not.toThrow(/only-for-tests|wrong@/);
});

test('says in words that a certificate is not there', async () => {
  const url = 'postgres://waypost@db.example/waypost?sslmode=verify-full&sslrootcert=/nowhere/ca.pem';
  await expect(openPostgres({ url, directUrl: url })).rejects.toMatchObject({
    code: 'store',
    message:
      'PostgreSQL at db.example/waypost: there is no file /nowhere/ca.pem: correct sslrootcert in its address',
  });
});

test('says in words that a user may not make tables', async () => {
  const url = await server.createDatabase();
  await server.run("create role visitor login password 'only-for-tests'");
  const engine = await open(url.replace('postgres:only', 'visitor:only'));
  await engine.check();
  await expect(
    engine.transaction(({ change }) => change('create table a (b integer)')),
  ).rejects.toMatchObject({
    code: 'store',
    message: expect.stringContaining('grant it "connect" on the database'),
  });
});

test('a transaction that hides the error of a statement is not said to be kept', async () => {
  const engine = await open();
  const hiding = engine.transaction(async ({ change }) => {
    await change('create table a (b integer)');
    await change('insert into nowhere values (1)').catch(() => undefined);
  });
  await expect(hiding).rejects.toThrow(/^nothing was kept/);
});

test('a database that takes no changes is away', async () => {
  const url = await server.createDatabase();
  await server.run(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
  const engine = await open(url);
  await expect(
    engine.transaction(({ change }) => change('create table a (b integer)')),
  ).rejects.toMatchObject({
    code: 'store-away',
  });
  expect(await engine.read('select 1 as one')).toEqual([{ one: 1 }]);
});

test('each call ends while the server hangs, and is answered when it is back', async () => {
  const engine = await open();
  await engine.transaction(async ({ change }) => void (await change('create table a (b integer)')));
  server.pause();
  try {
    const calls = [
      engine.read('select b from a'),
      engine.transaction(({ change }) => change('insert into a values (1)')),
    ];
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toMatchObject({ status: 'rejected', reason: { code: 'store-away' } });
    }
  } finally {
    server.resume();
  }
  await vi.waitFor(() => engine.read('select b from a'), PATIENCE);
  await engine.transaction(async ({ change }) => void (await change('insert into a values (2)')));
  expect(await engine.read('select b from a')).toContainEqual({ b: 2 });
});

test('an answer that is lost in the middle of a commit is told as such', async () => {
  const engine = await open();
  await engine.transaction(async ({ change }) => void (await change('create table a (b integer)')));
  const failing = engine.transaction(async ({ change }) => {
    await change('insert into a values (1)');
    server.pause();
  });
  await expect(failing.finally(server.resume)).rejects.toMatchObject({ code: 'store-uncertain' });
});

test('nothing that was kept is lost when the server is killed', async () => {
  const engine = await open();
  await engine.transaction(async ({ change }) => void (await change('create table a (b integer)')));
  await engine.transaction(async ({ change }) => void (await change('insert into a values (1)')));
  await server.kill();
  await expect(engine.read('select b from a')).rejects.toMatchObject({ code: 'store-away' });
  await server.start();
  expect(await engine.read('select b from a')).toEqual([{ b: 1 }]);
});
