import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Database, StoreAwayError } from '../store/database.ts';
import { openDatabase } from '../store/open-database.ts';
import { type AuditLog, type AuditPlace, openAuditLog } from './open-audit-log.ts';

const NOVEMBER = Date.UTC(2026, 10, 16);

let database: Database;
let isAway: boolean;
let clock: number;
let logged: unknown[];
let audit: AuditLog;

beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-audit-'));
  database = await openDatabase({ dataDir, log: pino({ level: 'silent' }) });
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true });
  });
  isAway = false;
  clock = NOVEMBER;
  logged = [];
  audit = openPortal();
});

/** The audit log of one of several portals that share the database. */
function openPortal(): AuditLog {
  const log = { error: (entry: unknown) => logged.push(entry), warn: (entry: unknown) => logged.push(entry) };
  return openAuditLog({
    database: {
      read: database.read,
      change: database.change,
      transaction: (work) =>
        isAway ? Promise.reject(new StoreAwayError('the disk is full')) : database.transaction(work),
    },
    now: () => clock,
    log: log as never, // Only these two are used.
  });
}

async function readLines(): Promise<readonly { readonly by: string }[]> {
  const lines = (await text(audit.readLines())).trim();
  return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line) as { by: string });
}

test('an entry is read as it was written, and as a line of JSON', async () => {
  const entry = { by: 'mei\nowner', action: 'removed', to: '李伟', isUncertain: true } as const;
  audit.write({ ...entry, prefix: '203.0.113.0/24' });
  clock += 1;
  audit.write({ by: 'mei', action: 'signed-out' });
  await audit.flush();
  const [newest, oldest] = await audit.read({ limit: 9 });
  expect(oldest).toEqual({ ...entry, at: NOVEMBER, id: expect.any(String), prefix: '203.0.113.0/24' });
  expect(newest).toEqual({ at: NOVEMBER + 1, id: expect.any(String), by: 'mei', action: 'signed-out' });
  expect((await readLines()).map(({ by }) => by)).toEqual(['mei\nowner', 'mei']);
});

test('after a clock was ahead by 400 days, entries have the right time again', async () => {
  clock = NOVEMBER + 400 * 86_400_000;
  audit.write({ by: 'mei', action: 'signed-in' });
  clock = NOVEMBER;
  audit.write({ by: 'mei', action: 'signed-out' });
  await audit.flush();
  expect(await readLines()).toMatchObject([{ action: 'signed-out', at: NOVEMBER }, { action: 'signed-in' }]);
});

test('entries of the same millisecond stay in their order', async () => {
  const actions = ['signed-in', 'confirmed', 'invited', 'removed', 'signed-out'] as const;
  for (const action of actions) audit.write({ by: 'mei', action });
  await audit.flush();
  expect((await audit.read({ limit: 9 })).map(({ action }) => action)).toEqual(actions.toReversed());
});

test('an entry has nothing but what belongs into it', async () => {
  const caller = { prefix: '203.0.113.0/24', peerAddress: '203.0.113.9' };
  audit.write({ by: 'mei', action: 'signed-in', ...caller });
  await audit.flush();
  expect(JSON.stringify(await readLines())).not.toContain('203.0.113.9');
});

test('the newest are read first, page by page, of one person or of all, and no entry is missed or read twice', async () => {
  const others = openPortal();
  // Two portals note 1,100 things in 110 milliseconds: more than one page of what is read at once.
  for (let count = 0; count < 1_100; count += 1) {
    clock = NOVEMBER + Math.floor(count / 10);
    const portal = count % 2 === 0 ? audit : others;
    portal.write({
      by: count % 4 < 2 ? '李伟' : 'mei',
      to: '',
      action: 'role-changed',
      detail: String(count),
    });
    if (count % 500 === 499) await Promise.all([audit.flush(), others.flush()]);
  }
  await Promise.all([audit.flush(), others.flush()]);
  const seen: (string | undefined)[] = [];
  let before: AuditPlace | undefined;
  for (;;) {
    const page = await audit.read({ person: '李伟', before, limit: 100 });
    expect(page.every(({ by }) => by === '李伟')).toBe(true);
    seen.push(...page.map(({ detail }) => detail));
    before = page.at(-1);
    if (page.length < 100) break;
  }
  expect(seen).toHaveLength(550);
  expect(new Set(seen).size).toBe(550);
  const times = (await audit.read({ limit: 2_000 })).map(({ at }) => at);
  expect(times).toHaveLength(1_100);
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  expect(await readLines()).toHaveLength(1_100);
});

test('entries of 365 days are kept, and older ones removed', async () => {
  for (const days of [366, 365, 364]) {
    clock = NOVEMBER - days * 86_400_000;
    audit.write({ by: `${days} days ago`, action: 'signed-in' });
  }
  await audit.flush();
  clock = NOVEMBER;
  await audit.removeOld();
  expect((await readLines()).map(({ by }) => by)).toEqual(['365 days ago', '364 days ago']);
});

test('of failed sign-ins, 20 a minute are kept, and the log says how many are missing', async () => {
  for (let count = 0; count < 50; count += 1) audit.write({ by: 'unknown name', action: 'sign-in-failed' });
  audit.write({ by: 'mei', action: 'signed-in' });
  clock += 60_000;
  audit.write({ by: 'unknown name', action: 'sign-in-failed' });
  await audit.flush();
  expect(await audit.read({ limit: 100 })).toHaveLength(22);
  expect(logged).toEqual([{ count: 30 }]);
});

test('entries wait while the database is away, in their order, and are there once when it is back', async () => {
  isAway = true;
  for (const by of ['mei', 'li.wei', 'otto']) audit.write({ by, action: 'signed-in' });
  await expect(audit.writeWaiting()).rejects.toThrow('the disk is full');
  expect(logged).toHaveLength(1);
  isAway = false;
  await audit.writeWaiting();
  await audit.writeWaiting();
  expect((await audit.read({ limit: 9 })).map(({ by }) => by).toSorted()).toEqual(['li.wei', 'mei', 'otto']);
});

test('an entry whose answer was lost is sent again, and is there once', async () => {
  let isLost = true;
  const careless = openAuditLog({
    database: {
      read: database.read,
      change: database.change,
      transaction: async (work) => {
        const result = await database.transaction(work);
        if (!isLost) return result;
        isLost = false;
        throw new StoreAwayError('the answer is lost');
      },
    },
    now: () => clock,
    log: pino({ level: 'silent' }),
  });
  careless.write({ by: 'mei', action: 'signed-in' });
  await careless.writeWaiting().catch(() => undefined);
  await careless.writeWaiting();
  expect(await audit.read({ limit: 9 })).toHaveLength(1);
});

test('1,000 entries wait; the next ones, and those that wait at the end, are in the log of the process', async () => {
  isAway = true;
  for (let count = 0; count < 1_001; count += 1) audit.write({ by: `number ${count}`, action: 'signed-in' });
  await audit.flush();
  expect(logged).toContainEqual({ entry: expect.objectContaining({ by: 'number 1000' }) });
  expect(logged.at(-1)).toMatchObject({ entries: { length: 1_000, 0: { by: 'number 0' } } });
});
