import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeSiteFolder } from '../../e2e/support/make-site-folder.ts';
import type { SessionList } from '../contract/recordings.ts';
import type { RunningServer } from './main.ts';
import { startTestServer } from './testing/start-test-server.ts';
import { createRecord, createSegment, idOf } from './testing/intake-messages.ts';
import { PATIENCE } from './testing/patience.ts';
import { startPostgres } from './testing/start-postgres.ts';
import { startRedis } from './testing/start-redis.ts';

const closing: (() => unknown)[] = [];
let dir: string;
let keeper: RunningServer;
let other: RunningServer;

/** Two portals on one Redis and one PostgreSQL. The first one keeps the recordings. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-recordings-'));
  const redis = await startRedis();
  const postgres = await startPostgres();
  const database = { url: await postgres.createDatabase() };
  const site = await makeSiteFolder({ site: { monitoring: { intakeUrl: 'self' } } });
  const start = async (name: string, keepsRecordings: boolean): Promise<RunningServer> => {
    const server = await startTestServer({
      siteDir: site.dir,
      dataDir: join(dir, name),
      redisUrl: redis.url,
      database,
      keepsRecordings,
    });
    closing.unshift(server.close);
    return server;
  };
  closing.push(redis.close, postgres.close, site.remove, () => rm(dir, { recursive: true, force: true }));
  keeper = await start('keeper', true);
  other = await start('other', false);
}, 60_000);

afterAll(async () => {
  for (const close of closing) await close();
});

async function post({ url }: RunningServer, message: object): Promise<Response> {
  return fetch(`${url}/api/intake`, { method: 'POST', body: JSON.stringify(message) });
}

async function list({ opsUrl }: RunningServer): Promise<SessionList> {
  return (await (await fetch(`${opsUrl}/api/console/sessions`)).json()) as SessionList;
}

test.runIf(existsSync('/usr/bin/redis-server'))(
  'one portal keeps them, and the other says which',
  async () => {
    const events = await fetch(`${keeper.opsUrl}/api/console/events`);
    const told = readUpdates(events);
    expect((await post(keeper, createRecord())).status).toBe(204);
    const refused = await post(other, createSegment());
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await list(keeper)).toMatchObject({ sessions: [{ id: idOf(1) }], kept: { isThis: true } });
    const name = `${hostname()}:${process.pid}`;
    await vi.waitFor(async () => {
      expect(await list(other)).toMatchObject({ sessions: [], kept: { keeper: name, isThis: false } });
    }, PATIENCE);
    // A console that is open is told, and asks for the list again.
    await vi.waitFor(() => expect(told.count).toBeGreaterThan(1), PATIENCE);
    await vi.waitFor(async () => {
      const written = await readdir(join(dir, 'keeper/recordings'), { recursive: true });
      expect(written).toContainEqual(expect.stringContaining(`${idOf(1)}.rec`));
    }, PATIENCE);
    expect(existsSync(join(dir, 'other/recordings'))).toBe(false);
  },
);

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
