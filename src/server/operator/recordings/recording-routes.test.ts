import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionRecord } from '../../../contract/intake-message.ts';
import type { ErrorGroup, SessionList, SessionSummary } from '../../../contract/recordings.ts';
import { type RecordingKeeper, keepRecordings } from '../../recordings/keep-recordings.ts';
import { type Database, StoreAwayError } from '../../store/database.ts';
import { openDatabase, openRecordingsDatabase } from '../../store/open-database.ts';
import { VISITOR, createRecord, createSegment, idOf, packMessage } from '../../testing/intake-messages.ts';
import { type TestConsole, createTestConsole } from '../../testing/test-console.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const TOKEN = 'a-token-of-the-listener';
const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
const LIST = '/api/console/sessions';

let dir: string;
let databases: readonly Database[];
let isAway = false;
let clock = { now: NOON };
let keeper: RecordingKeeper;
let console: TestConsole;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-recording-routes-'));
  const log = pino({ level: 'silent' });
  const main = await openDatabase({ dataDir: dir, log });
  const database = openRecordingsDatabase({ dataDir: dir, log }, main);
  databases = [database, main];
  const limits = () => ({ keepDays: 30, keepBytes: 1e9 });
  keeper = keepRecordings({
    database: {
      ...database,
      erase: (work) => (isAway ? Promise.reject(new StoreAwayError('away')) : database.erase(work)),
    },
    limits,
    log,
    now: () => clock.now,
  });
  console = await createTestConsole({
    token: TOKEN,
    recordings: {
      keeper: {
        ...keeper,
        readEvents: (...view) => (isAway ? failAsAway() : keeper.readEvents(...view)),
      },
      state: () => ({ isOn: true, ...keeper.state() }),
    },
  });
  clock = console.portal.clock;
  const error = { at: NOON, message: 'it broke', stack: 'Error: it broke\n    at run (/app.js:1:2)' };
  const entered = { at: NOON + 5_001, index: 1, host: 'line1.example', time: 38 };
  keep(1, { errors: [error, error], device: 'mobile' });
  keep(2, { failedLines: 4, sessionStartedAt: NOON - 1 }, 'Firefox 133');
  keep(3, { vitals: { LCP: 2_501 }, errors: [error], sessionStartedAt: NOON - 2 });
  keep(4, { enteredLines: [entered], reachedLines: 3, failedLines: 1, sessionStartedAt: NOON - 3 });
  keep(5, { language: 'zh-TW', sessionStartedAt: NOON - 14_000_000 });
  for (const number of [2, 1]) {
    const events = [{ type: 3, timestamp: number }];
    keeper.take(packMessage(createSegment({ session: idOf(3), view: idOf(2), number, events })), VISITOR);
  }
  await keeper.flush();
  await keeper.refresh();
});
afterAll(async () => {
  for (const database of databases) await database.close();
  await rm(dir, { recursive: true, force: true });
});

function keep(session: number, changes: Partial<SessionRecord>, browser = 'Chrome 131'): void {
  const message = packMessage(createRecord({ session: idOf(session), ...changes }));
  keeper.take(
    message,
    session === 5 ? { country: 'SG', network: 'SG/AS1', browser } : { ...VISITOR, browser },
  );
}

// eslint-disable-next-line require-yield -- It fails at its first segment.
async function* failAsAway(): AsyncGenerator<string> {
  throw new StoreAwayError('away');
}

async function get<T>(path: string): Promise<T> {
  const { status, text } = await console.ask(path, { headers: HEADERS });
  expect([status, text]).toEqual([200, expect.anything()]);
  return JSON.parse(text) as T;
}

const listed = async (query: string): Promise<readonly number[]> =>
  (await get<SessionList>(`${LIST}${query}`)).sessions.map(({ id }) => Number.parseInt(id, 16));

describe('the list', () => {
  test('has the newest first, and how many there are', async () => {
    expect(await listed('')).toEqual([1, 2, 3, 4, 5]);
    const { kept, next } = await get<SessionList>(LIST);
    expect(kept).toMatchObject({ isOn: true, sessions: 5, fault: null });
    expect(next).toBeUndefined();
  });

  test.each([
    ['?error=true', [1, 3]],
    ['?stuck=true', [2]],
    ['?slow=true', [3, 4]],
    ['?device=mobile', [1]],
    ['?language=zh-TW', [5]],
    ['?country=sg', [5]],
    ['?network=SG/AS1', [5]],
    ['?line=line1.example', [4]],
    ['?day=2026-01-05', [1, 2, 3, 4, 5]],
    ['?day=2026-01-04', []],
    ['?error=true&device=pc', [3]],
    [`?after=${NOON - 2}-${idOf(3)}`, [4, 5]],
  ])('with the filter %s', async (query, sessions) => {
    expect(await listed(query)).toEqual(sessions);
  });

  test.each(['?day=today', '?device=tv', '?other=1', '?after=x', '?error=1', '?country=Singapore'])(
    'refuses the filter %s by its name',
    async (query) => {
      const { status, text } = await console.ask(LIST + query, { headers: HEADERS });
      expect([status, text]).toEqual([400, expect.stringContaining('filter-invalid')]);
      expect(text).toContain(query.slice(1, query.indexOf('=')));
    },
  );

  test('goes on where it ended, 50 at a time, without losing those of the same ms', async () => {
    const sessions = 120;
    for (let session = 0; session < sessions; session += 1) {
      keep(1_000 + session, { language: 'vi', sessionStartedAt: NOON - 1_000 - Math.floor(session / 60) });
    }
    const seen: string[] = [];
    let next: string | undefined;
    let pages = 0;
    do {
      const page: SessionList = await get(`${LIST}?language=vi${next === undefined ? '' : `&after=${next}`}`);
      seen.push(...page.sessions.map(({ id }) => id));
      next = page.next;
      pages += 1;
    } while (next !== undefined);
    expect([pages, seen.length, new Set(seen).size]).toEqual([3, sessions, sessions]);
  });
});

describe('a session', () => {
  test('is found by its id', async () => {
    expect(await get<SessionSummary>(`${LIST}/${idOf(4)}`)).toMatchObject({ id: idOf(4), device: 'pc' });
  });

  test.each([idOf(99), 'x', '..%2f..%2fpeople.json', 'A'.repeat(32)])('is not found by %s', async (id) => {
    for (const path of [`${LIST}/${id}`, `/api/console/segments/${id}/${idOf(2)}`]) {
      const { status, text } = await console.ask(path, { headers: HEADERS });
      expect([status, text]).toEqual([404, expect.stringContaining('unknown-session')]);
    }
  });

  test('has events in order, and the audit log names once who watches it', async () => {
    const path = `/api/console/segments/${idOf(3)}/${idOf(2)}`;
    const events = [
      { type: 3, timestamp: 1 },
      { type: 3, timestamp: 2 },
    ];
    expect(await get(path)).toEqual({ events });
    expect(await get(path)).toEqual({ events });
    const entries = await console.people.audit.read({ limit: 10 });
    expect(entries).toMatchObject([{ action: 'session-watched', to: idOf(3), by: 'WAYPOST_OPS_TOKEN' }]);
    clock.now += 3_600_000;
    await get(path);
    expect(await console.people.audit.read({ limit: 10 })).toHaveLength(2);
  });

  test('whose events cannot be read says so', async () => {
    isAway = true;
    const answer = console.ask(`/api/console/segments/${idOf(3)}/${idOf(2)}`, { headers: HEADERS });
    const { status, text } = await answer.finally(() => (isAway = false));
    expect([status, text]).toEqual([503, expect.stringContaining('store-away')]);
  });

  test('has no events if it has no replay', async () => {
    expect(await get(`/api/console/segments/${idOf(1)}/${idOf(2)}`)).toEqual({ events: [] });
  });
});

test('answers are compressed for clients that accept it', async () => {
  const answer = await console.ask(`/api/console/segments/${idOf(3)}/${idOf(2)}`, {
    headers: { ...HEADERS, 'accept-encoding': 'gzip' },
  });
  expect(answer.headers['content-encoding']).toBe('gzip');
});

test('errors are grouped by message and place, with a session to watch', async () => {
  expect(await get<readonly ErrorGroup[]>('/api/console/page-errors')).toEqual([
    {
      message: 'it broke',
      place: 'at run (/app.js:1:2)',
      times: 3,
      sessions: 2,
      firstAt: NOON,
      lastAt: NOON,
      browsers: ['Chrome 131'],
      session: idOf(3),
    },
  ]);
});

describe('erasing', () => {
  const erase = (body: string) => console.ask(`${LIST}/erase`, { method: 'POST', headers: HEADERS, body });

  test('removes a session, and the audit log says who did it', async () => {
    expect((await erase(JSON.stringify({ session: idOf(1) }))).status).toBe(200);
    expect(await listed('?device=mobile')).toEqual([]);
    const [entry] = await console.people.audit.read({ limit: 1 });
    expect(entry).toMatchObject({ action: 'recordings-erased', to: idOf(1) });
  });

  test('that fails is in the audit log, too', async () => {
    isAway = true;
    expect((await erase(JSON.stringify({ session: idOf(2) }))).status).toBe(503);
    isAway = false;
    const [entry] = await console.people.audit.read({ limit: 1 });
    expect(entry).toMatchObject({ action: 'recordings-erased', to: idOf(2), isUncertain: true });
  });

  test('removes all before a day', async () => {
    expect((await erase('{"before":"2026-01-06"}')).status).toBe(200);
    expect(await listed('')).toEqual([]);
    const [entry] = await console.people.audit.read({ limit: 1 });
    expect(entry).toMatchObject({ action: 'recordings-erased', to: 'before 2026-01-06' });
  });

  test.each([
    ['', 'the body is no JSON'],
    ['{}', 'session is missing: write \\"session\\": \\"…\\"'],
    ['{"session":"../x"}', 'session must be the id of a session'],
    ['{"before":"2026"}', 'before must be a day such as 2026-11-16'],
    ['{"before":"2026-13-01","session":"x"}', 'session must be the id of a session'],
    ['null', 'must be { \\"session\\": \\"…\\" } with the id of a session, or'],
  ])('refuses the body %j, and says what to write', async (body, reason) => {
    const { status, text } = await erase(body);
    expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
  });
});
