import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeSiteFolder } from '../../e2e/support/make-site-folder.ts';
import type { SessionList } from '../contract/recordings.ts';
import type { RunningServer } from './main.ts';
import { startTestServer } from './testing/start-test-server.ts';
import { createRecord, createSegment, idOf } from './testing/intake-messages.ts';
import { PATIENCE } from './testing/patience.ts';
import { startPostgres } from './testing/start-postgres.ts';

const TOKEN = 'a-token-of-16-characters';
const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

const closing: (() => unknown)[] = [];
let dir: string;
let one: RunningServer;
let other: RunningServer;

/** Two portals on one PostgreSQL. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-recordings-'));
  const postgres = await startPostgres();
  const database = { url: await postgres.createDatabase() };
  const site = await makeSiteFolder({ site: { monitoring: { intakeUrl: 'self' } } });
  const start = async (name: string): Promise<RunningServer> => {
    const server = await startTestServer({
      siteDir: site.dir,
      dataDir: join(dir, name),
      database,
      opsToken: TOKEN,
    });
    closing.unshift(server.close);
    return server;
  };
  closing.push(postgres.close, site.remove, () => rm(dir, { recursive: true, force: true }));
  one = await start('one');
  other = await start('other');
}, 60_000);

afterAll(async () => {
  for (const close of closing) await close();
});

async function post({ url }: RunningServer, message: object): Promise<Response> {
  return fetch(`${url}/api/intake`, { method: 'POST', body: JSON.stringify(message) });
}

async function list({ opsUrl }: RunningServer): Promise<SessionList> {
  return (await (await fetch(`${opsUrl}/api/console/sessions`, { headers: HEADERS })).json()) as SessionList;
}

async function erase({ opsUrl }: RunningServer, session: string): Promise<Response> {
  return fetch(`${opsUrl}/api/console/sessions/erase`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ session }),
  });
}

test('any portal takes a message, plays a replay, and erases a session for all', async () => {
  const told = readUpdates(await fetch(`${other.opsUrl}/api/console/events`, { headers: HEADERS }));
  expect((await post(one, createRecord())).status).toBe(204);
  expect((await post(other, createSegment())).status).toBe(204);
  for (const portal of [one, other]) {
    await vi.waitFor(async () => {
      const { sessions, kept } = await list(portal);
      expect(sessions).toMatchObject([{ id: idOf(1), views: [{ segments: { kept: 1 } }] }]);
      expect(kept).toMatchObject({ isOn: true, sessions: 1, fault: null });
    }, PATIENCE);
    const events = await fetch(`${portal.opsUrl}/api/console/segments/${idOf(1)}/${idOf(2)}`, {
      headers: HEADERS,
    });
    expect(await events.json()).toMatchObject({ events: [{ data: { width: 390 } }] });
  }
  // A console that is open on another portal is told, and asks for the list again.
  await vi.waitFor(() => expect(told.count).toBeGreaterThan(1), PATIENCE);
  expect(existsSync(join(dir, 'one/recordings.db'))).toBe(false);
  expect((await erase(one, idOf(1))).status).toBe(200);
  expect((await list(other)).sessions).toEqual([]);
  // The page of the session is open, and sends to the other portal.
  let number = 1;
  await vi.waitFor(async () => {
    number += 1;
    expect((await post(other, createSegment({ number }))).status).toBe(403);
  }, PATIENCE);
  expect((await list(one)).sessions).toEqual([]);
});

/** Counts the overviews that a feed of the console sends. */
function readUpdates({ body }: Response): { count: number } {
  const told = { count: 0 };
  const read = async (): Promise<void> => {
    for await (const chunk of body ?? []) {
      told.count +=
        Buffer.from(chunk as Uint8Array)
          .toString()
          .split('event: overview').length - 1;
    }
  };
  read().catch(() => undefined); // The server ends it.
  return told;
}
