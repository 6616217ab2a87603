import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PASSWORD, addPeople, signIn } from '../../e2e/support/sign-in-people.ts';
import { CONSOLE_PATHS, PEOPLE_PATHS } from '../contract/paths.ts';
import type { RunningServer } from './main.ts';
import { makeDataFolder } from './testing/open-test-database.ts';
import { PATIENCE } from './testing/patience.ts';
import { type TestPostgres, startPostgres } from './testing/start-postgres.ts';
import { startTestServer } from './testing/start-test-server.ts';

let postgres: TestPostgres;
let one: RunningServer;
let two: RunningServer;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(async () => {
  await one?.close();
  await two?.close();
  await postgres.close();
});

const look = async ({ opsUrl }: RunningServer, cookie: string) =>
  (await fetch(`${opsUrl}${CONSOLE_PATHS.overview}`, { headers: { cookie } })).status;

const change = async ({ opsUrl }: RunningServer, cookie: string, path: string, body: object) => {
  const headers = { cookie, Origin: new URL(opsUrl).origin, 'Content-Type': 'application/json' };
  const answer = await fetch(`${opsUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as unknown };
};

const enter = async ({ opsUrl }: RunningServer, name: string): Promise<string> =>
  (await signIn(opsUrl, name)) ?? expect.fail(`${name} cannot sign in`);

const guess = async ({ opsUrl }: RunningServer, name: string) => {
  const answer = await fetch(`${opsUrl}${CONSOLE_PATHS.login}`, {
    method: 'POST',
    headers: { Origin: new URL(opsUrl).origin },
    body: new URLSearchParams({ name, password: `not ${PASSWORD}`, code: '000000' }),
  });
  return answer.status;
};

test('people, sessions and wrong tries are those of all portals, and people sign in while PostgreSQL is away', async () => {
  const dir = await makeDataFolder();
  const url = await postgres.createDatabase();
  const start = (name: string) => startTestServer({ dataDir: join(dir, name), database: { url } });
  // Before the portals start, because a try to sign in before a portal knows somebody would count as a wrong one.
  await addPeople({ dataDir: dir, url }, { mei: 'owner', li: 'editor', otto: 'editor', anna: 'viewer' });
  one = await start('one');
  two = await start('two');

  const mei = await enter(one, 'mei');
  // At once, although nobody has told the other portal yet.
  expect(await look(two, mei)).toBe(200);
  const li = await enter(two, 'li');
  expect(await look(one, li)).toBe(200);

  expect(await change(one, mei, PEOPLE_PATHS.role, { name: 'li', role: 'viewer' })).toMatchObject({
    status: 200,
  });
  await vi.waitFor(async () => expect(await look(two, li)).toBe(401), PATIENCE);
  expect(await change(two, mei, PEOPLE_PATHS.remove, { name: 'li' })).toMatchObject({ status: 200 });
  await vi.waitFor(async () => {
    const answer = await fetch(`${one.opsUrl}${PEOPLE_PATHS.people}`, { headers: { cookie: mei } });
    expect(await answer.json()).toMatchObject({
      people: [{ name: 'anna' }, { name: 'mei', sessions: 1 }, { name: 'otto' }],
    });
  }, PATIENCE);

  await postgres.kill();
  const otto = await enter(one, 'otto');
  expect(await look(one, otto)).toBe(200);
  expect(await look(two, mei)).toBe(200);
  expect(await change(one, mei, PEOPLE_PATHS.invite, { name: 'zoe', role: 'viewer' })).toMatchObject({
    status: 503,
    body: { error: { code: 'store-away' } },
  });
  await postgres.start();
  await vi.waitFor(async () => expect(await look(two, otto)).toBe(200), PATIENCE);

  // The address has ten tries on both portals together.
  for (let count = 0; count < 5; count += 1)
    expect([await guess(one, 'anna'), await guess(two, 'anna')]).toEqual([401, 401]);
  expect([await guess(one, 'anna'), await guess(two, 'anna')]).toEqual([429, 429]);
});
