import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findInvitation } from '../server/people/manage-people.ts';
import { readPeople } from '../server/people/people-rows.ts';
import { updatePeople } from '../server/people/open-people-store.ts';
import { readAudit } from '../server/testing/read-audit.ts';
import { noteCommand } from './note-command.ts';
import { inviteFirstOwner, operator } from './operator.ts';
import { readOptions } from './serve.ts';
import { useDatabase } from './use-database.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-operator-'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await rm(dir, { recursive: true });
});

/** What the command prints. */
async function run(...args: readonly string[]): Promise<string> {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(await operator.run([...args, '--data', dir])).toBe(0);
  return print.mock.calls.at(-1)?.join(' ') ?? '';
}

/** The only entry of the audit log. */
async function readOnlyEntry(): Promise<unknown> {
  const entries = await readAudit(dir);
  expect(entries).toHaveLength(1);
  return entries[0];
}

const keyIn = (text: string) => /\?key=([\w-]+)/.exec(text)?.[1] ?? '';
const read = () => useDatabase({ dataDir: dir }, (database) => readPeople(database.read));

test('add prints a link that is the invitation of that person', async () => {
  const printed = await run('add', 'li.wei', '--role', 'owner', '--console', 'https://console.example/');
  expect(printed).toContain('https://console.example/invitation?key=');
  expect(findInvitation(await read(), keyIn(printed), Date.now())).toMatchObject({
    name: 'li.wei',
    role: 'owner',
  });
  expect(await readOnlyEntry()).toMatchObject({
    by: 'command line',
    action: 'invited',
    to: 'li.wei',
    detail: 'owner',
  });
});

test('a database that is away is named, and nothing is printed as done', async () => {
  vi.stubEnv('WAYPOST_DATABASE_URL', 'postgres://waypost:secret@127.0.0.1:1/waypost');
  const adding = operator.run(['add', 'li.wei', '--role', 'owner', '--data', dir]);
  await expect(adding).rejects.toMatchObject({
    code: 'store-away',
    message: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1\/waypost is away/) as string,
  });
});

test('an audit log that cannot be written stops nobody, and the entry is told', async () => {
  await mkdir(join(dir, 'waypost.db'));
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await noteCommand(dir, { action: 'invited', to: 'li.wei' });
  expect(told.mock.calls.join('')).toMatch(/"to":"li\.wei".*audit entries could not be written/);
});

test('list names everybody, and what they may do', async () => {
  expect(await run('list')).toContain('There are no people yet');
  await run('add', 'li.wei', '--role', 'owner');
  await run('add', 'mei', '--role', 'viewer');
  expect(await run('list')).toBe('li.wei  owner   invited\nmei     viewer  invited');
});

test('reset makes a new link, and the old one is worth nothing', async () => {
  const first = keyIn(await run('add', 'li.wei', '--role', 'owner'));
  const second = keyIn(await run('reset', 'li.wei'));
  expect(findInvitation(await read(), first, Date.now())).toBeUndefined();
  expect(findInvitation(await read(), second, Date.now())?.name).toBe('li.wei');
});

test.each([
  [['add', 'li.wei'], '--role must be viewer, editor or owner'],
  [['add', 'li.wei', '--role', 'root'], 'got "root"'],
  [['add', '--role', 'owner'], 'give a name of 1 to 64 letters'],
  [['add', 'a\nb', '--role', 'owner'], 'give a name of 1 to 64 letters'],
  [['add', 'li', 'wei', '--role', 'owner'], 'write a name with spaces in quotes'],
  [['remove', 'li.wei'], 'write "add NAME", "list" or "reset NAME"'],
  [['reset', 'nobody'], 'There is no person with the name "nobody"'],
])('%j is refused with what to write instead', async (args, message) => {
  await expect(operator.run([...args, '--data', dir])).rejects.toThrow(message);
});

test('a person is added once', async () => {
  await run('add', 'li.wei', '--role', 'owner');
  await expect(operator.run(['add', 'Li.Wei', '--role', 'viewer', '--data', dir])).rejects.toMatchObject({
    code: 'people',
  });
});

test('the demo invites its owner at each start, until somebody can sign in', async () => {
  const place = { dataDir: dir };
  const [first, second] = [
    await inviteFirstOwner(place, 'operator'),
    await inviteFirstOwner(place, 'operator'),
  ];
  expect(findInvitation(await read(), keyIn(first ?? ''), Date.now())).toBeUndefined();
  expect(findInvitation(await read(), keyIn(second ?? ''), Date.now())?.role).toBe('owner');
  const signIn = { passwordHash: '', secret: '', lastStep: 0, recoveryCodes: [], prefixes: [] };
  await useDatabase(place, (database) =>
    updatePeople(database, (people) => ({
      next: { ...people, people: people.people.map((person) => ({ ...person, signIn })) },
      result: undefined,
    })),
  );
  expect(await inviteFirstOwner(place, 'operator')).toBeUndefined();
});

test.each([
  [{ WAYPOST_OPERATOR_HEADER: 'X-Webauth-User' }, 'set both, or none'],
  [{ WAYPOST_OPERATOR_PROXIES: '10.0.0.5' }, 'set both, or none'],
  [
    { WAYPOST_OPERATOR_HEADER: 'X User', WAYPOST_OPERATOR_PROXIES: '10.0.0.5' },
    'must be the name of a header',
  ],
  [{ WAYPOST_OPERATOR_HEADER: 'X-User', WAYPOST_OPERATOR_PROXIES: '10.0.0.0/33' }, 'got "10.0.0.0/33"'],
])('a proxy that signs people in is described whole: %j', (env, message) => {
  expect(() => readOptions([], env)).toThrow(message);
});

test('a proxy may have several addresses', () => {
  const env = {
    WAYPOST_OPERATOR_HEADER: 'X-Webauth-User',
    WAYPOST_OPERATOR_PROXIES: '10.0.0.0/24, fd00::/8',
  };
  expect(readOptions([], env).operatorProxy).toEqual({
    header: 'x-webauth-user',
    ranges: ['10.0.0.0/24', 'fd00::/8'],
  });
});
