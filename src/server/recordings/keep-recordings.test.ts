import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { IntakeMessage, SessionRecord } from '../../contract/intake-message.ts';
import { StoreAwayError, StoreFullError, UncertainCommitError } from '../store/database.ts';
import type { DatabasePlace } from '../store/open-database.ts';
import { VISITOR, createRecord, createSegment, idOf, packMessage } from '../testing/intake-messages.ts';
import { measureHeldBytes } from '../testing/measure-held.ts';
import { makeDataFolder, openTestRecordings } from '../testing/open-test-database.ts';
import { PATIENCE } from '../testing/patience.ts';
import { type TestPostgres, startPostgres } from '../testing/start-postgres.ts';
import { type KeepRecordingsOptions, type RecordingKeeper, keepRecordings } from './keep-recordings.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const DAY_MS = 86_400_000;

let postgres: TestPostgres;
let clock: { now: number };
let limits: { keepDays: number; keepBytes: number };
let logged: unknown[];
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());
beforeEach(() => {
  clock = { now: NOON };
  limits = { keepDays: 30, keepBytes: 5_000_000_000 };
  logged = [];
});

/** One of several portals. What its database answers can be changed. */
async function open(options: Partial<KeepRecordingsOptions> = {}, place: Partial<DatabasePlace> = {}) {
  const database = { ...(await openTestRecordings(place)) };
  const keeper = keepRecordings({
    database: {
      ...database,
      transaction: (work) => database.transaction(work),
      erase: (work) => database.erase(work),
      lead: () => database.lead(),
    },
    limits: () => limits,
    log: pino({}, { write: (line) => logged.push(line) }),
    now: () => clock.now,
    ...options,
  });
  return { ...keeper, database };
}

function take(keeper: RecordingKeeper, ...messages: readonly IntakeMessage[]): readonly string[] {
  return messages.map((message) => keeper.take(packMessage(message), VISITOR));
}

async function listSessions(keeper: RecordingKeeper) {
  return (await keeper.list({}, undefined)).sessions;
}

const listIds = async (keeper: RecordingKeeper) => (await listSessions(keeper)).map(({ id }) => id);

async function readEvents(keeper: RecordingKeeper, session = idOf(1), view = idOf(2)): Promise<unknown> {
  const parts: string[] = [];
  for await (const part of keeper.readEvents(session, view)) parts.push(part);
  return JSON.parse(`[${parts.join(',')}]`);
}

async function readState(keeper: RecordingKeeper) {
  await keeper.refresh();
  return keeper.state();
}

const eventsOf = (number: number) => [{ type: 3, timestamp: number, text: `event ${number}` }];

describe.each(['SQLite', 'PostgreSQL'] as const)('recordings in %s', (engine) => {
  const createPlace = async (): Promise<DatabasePlace> => ({
    dataDir: await makeDataFolder(),
    url: engine === 'SQLite' ? undefined : await postgres.createDatabase(),
  });

  test('a session is listed at once, and after a restart', async () => {
    const place = await createPlace();
    const keeper = await open({}, place);
    const stack = 'Error\n at run (https://a.example/app.js:1:2)';
    const record = createRecord({
      segments: 3,
      vitals: { LCP: 1_200 },
      reachedLines: 2,
      failedLines: 1,
      errors: [{ at: NOON, message: 'it broke', stack }],
      enteredLines: [{ at: NOON + 900, index: 1, host: 'line1.example', time: 38 }],
    });
    expect(take(keeper, record, createSegment(), createSegment({ number: 2 }))).toEqual(
      Array(3).fill('taken'),
    );
    const [listed] = await listSessions(keeper);
    expect(listed).toMatchObject({
      id: idOf(1),
      startedAt: NOON,
      lastedMs: 900,
      device: 'pc',
      language: 'en',
      country: 'GB',
      network: 'GB/AS2856',
      views: [
        {
          id: idOf(2),
          reachedLines: 2,
          failedLines: 1,
          lcpMs: 1_200,
          errors: [{ at: NOON, message: 'it broke' }],
          entered: [{ at: NOON + 900, host: 'line1.example', time: 38 }],
          segments: { kept: 2, made: 3 },
        },
      ],
    });
    const later = await open({}, place);
    expect(await listSessions(later)).toEqual([listed]);
    const errors = [{ at: NOON, message: 'it broke', stack }];
    expect(await later.find(idOf(1))).toEqual({ ...listed, views: [{ ...listed?.views[0], errors }] });
    expect(await later.find(idOf(7))).toBeUndefined();
  });

  test('a message is kept once, however often and on whatever portal it comes', async () => {
    const place = await createPlace();
    const [one, other] = [await open({}, place), await open({}, place)];
    take(one, createRecord(), createSegment(), createSegment(), createRecord());
    await one.flush();
    const before = await readState(one);
    take(other, createSegment(), createRecord());
    await other.flush();
    expect(await readState(other)).toEqual(before);
    expect((await listSessions(one))[0]?.views[0]?.segments.kept).toBe(1);
    expect(await readEvents(other)).toHaveLength(1);
  });

  test('a batch whose answer was lost is there once', async () => {
    const keeper = await open({}, await createPlace());
    const { transaction } = keeper.database;
    keeper.database.transaction = async (work) => {
      await transaction(work);
      throw new UncertainCommitError('the answer was lost');
    };
    take(keeper, createRecord(), createSegment());
    await keeper.flush();
    expect(keeper.state().fault).toBe('the answer was lost');
    const written = (await readState(keeper)).sessions;
    keeper.database.transaction = transaction;
    await keeper.flush();
    expect([written, (await readState(keeper)).sessions]).toEqual([1, 1]);
    expect((await listSessions(keeper))[0]?.views[0]?.segments.kept).toBe(1);
  });

  test('events come in the order of the segments, from all portals', async () => {
    const place = await createPlace();
    const [one, other] = [await open({}, place), await open({}, place)];
    take(one, createSegment({ number: 10, events: eventsOf(10) }));
    await one.flush();
    take(
      other,
      createSegment({ number: 2, events: eventsOf(2) }),
      createSegment({ number: 1, view: idOf(9) }),
    );
    await other.flush();
    clock.now += DAY_MS;
    take(one, createSegment({ number: 11, events: eventsOf(11) }));
    const all = [...eventsOf(2), ...eventsOf(10), ...eventsOf(11)];
    expect(await readEvents(one)).toEqual(all);
    expect(await readEvents(other)).toEqual(all);
    const many = Array.from({ length: 45 }, (_, index) =>
      createSegment({ session: idOf(5), number: index + 1, events: eventsOf(index + 1) }),
    );
    take(one, ...many);
    expect(await readEvents(one, idOf(5))).toEqual(many.flatMap(({ number }) => eventsOf(number)));
  });

  test('a session is closed after 10,000 messages, 20 MB or 100 views on all portals', async () => {
    const place = await createPlace();
    const options = { maxQueueBytes: 1e9 };
    const [one, other] = [await open(options, place), await open(options, place)];
    // As if it had sent so much before.
    take(one, createRecord(), createRecord({ session: idOf(3) }), createRecord({ session: idOf(4) }));
    await one.flush();
    await one.database.change('update recorded_sessions set messages = 9998 where id = $1', [idOf(1)]);
    const sendTo = async (keeper: RecordingKeeper, message: IntakeMessage) => {
      take(keeper, message);
      await keeper.flush();
    };
    for (const number of [1, 2, 3]) await sendTo(number === 2 ? other : one, createSegment({ number }));
    expect((await one.find(idOf(1)))?.views[0]?.segments.kept).toBe(2);
    expect(take(one, createSegment({ number: 4 }))).toEqual(['session-closed']);

    await one.database.change('update recorded_sessions set bytes = 19999999 where id = $1', [idOf(3)]);
    await sendTo(other, createSegment({ session: idOf(3) }));
    await sendTo(one, createSegment({ session: idOf(3), number: 2 }));
    expect((await one.find(idOf(3)))?.views[0]?.segments.kept).toBe(1);
    expect(take(one, createSegment({ session: idOf(3), number: 3 }))).toEqual(['session-closed']);

    const views = Array.from({ length: 102 }, (_, index) =>
      createRecord({ session: idOf(4), view: idOf(100 + index) }),
    );
    take(one, ...views.slice(0, 60));
    await one.flush();
    take(other, ...views.slice(60));
    expect((await other.find(idOf(4)))?.views).toHaveLength(100);
    expect(take(other, ...views).indexOf('session-closed')).toBe(99);
    // Views that are known go on.
    expect(take(other, createSegment({ session: idOf(4), view: idOf(100) }))).toEqual(['taken']);
  });

  test('of one session at most 100 lines that it says it entered are kept', async () => {
    const keeper = await open({}, await createPlace());
    for (let revision = 1; revision <= 13; revision += 1) {
      const hosts = Array.from({ length: 9 }, (_, index) => `made-up-${revision}-${index}.example`);
      const enteredLines = hosts.map((host) => ({ at: NOON, index: 1, host, time: 38 }));
      take(keeper, createRecord({ revision, enteredLines }));
      if (revision % 4 === 0) await keeper.flush();
    }
    await keeper.flush();
    const [row] = await keeper.database.read<{ count: number }>(
      'select count(*) as count from recorded_lines',
    );
    expect(row?.count).toBeGreaterThan(0);
    expect(row?.count).toBeLessThanOrEqual(100);
  });

  test('a session that is erased is gone on all portals, and stays so', async () => {
    const place = await createPlace();
    const [one, other] = [await open({}, place), await open({}, place)];
    const ids = { session: idOf(0xabcdef), view: idOf(0xfedcba) };
    const error = { at: NOON, message: 'it broke', stack: '' };
    take(
      one,
      createRecord({ ...ids, errors: [error] }),
      createSegment(ids),
      createRecord({ session: idOf(3) }),
    );
    await one.flush();
    take(one, createSegment({ ...ids, number: 2 }));
    take(other, createSegment({ ...ids, number: 3 }));
    await Promise.all([other.flush(), one.erase({ session: ids.session })]);
    expect(await listIds(other)).toEqual([idOf(3)]);
    expect(await other.groupErrors()).toEqual([]);
    expect((await readState(other)).sessions).toBe(1);
    // Its page may be open, and send to any portal. What the portal takes before it knows is not kept.
    expect(take(one, createSegment({ ...ids, number: 4 }))).toEqual(['session-closed']);
    const late = await open({}, place);
    expect(take(late, createSegment({ ...ids, number: 5 }))).toEqual(['taken']);
    await late.flush();
    expect(take(late, createRecord(ids))).toEqual(['session-closed']);
    expect(await late.find(ids.session)).toBeUndefined();
    expect(await readEvents(late, ids.session, ids.view)).toEqual([]);
  });

  test('all that began before a day is erased, with the table of its segments', async () => {
    const keeper = await open({}, await createPlace());
    take(keeper, createRecord(), createSegment(), createRecord({ session: idOf(3) }));
    await keeper.flush();
    clock.now += DAY_MS;
    take(keeper, createRecord({ revision: 2 }), createRecord({ session: idOf(4) }));
    await keeper.erase({ before: '2026-01-06' });
    expect(await listIds(keeper)).toEqual([idOf(4)]);
    await expect(keeper.database.read('select * from recorded_segments_20260105')).rejects.toThrow(
      /recorded_segments_20260105/,
    );
    // A session that goes on begins anew.
    take(keeper, createRecord({ revision: 3 }), createSegment({ number: 2 }));
    expect((await listIds(keeper)).toSorted()).toEqual([idOf(1), idOf(4)]);
    expect(await readEvents(keeper)).toHaveLength(1);
  });

  test('what is older than the days to keep is removed, once an hour', async () => {
    limits.keepDays = 2;
    const keeper = await open({}, await createPlace());
    for (const session of [1, 2, 3, 4]) {
      take(keeper, createRecord({ session: idOf(session) }), createSegment({ session: idOf(session) }));
      await keeper.flush();
      clock.now += DAY_MS;
    }
    await keeper.prune();
    expect((await listIds(keeper)).toSorted()).toEqual([idOf(3), idOf(4)]);
    limits.keepDays = 1;
    clock.now += 3_599_999;
    await keeper.prune();
    expect(await listIds(keeper)).toHaveLength(2);
    clock.now += 1;
    await keeper.prune();
    expect(await listIds(keeper)).toEqual([idOf(4)]);
  });

  test('a brand that keeps its recordings for longer keeps them when another one drops the day', async () => {
    const place = await createPlace();
    const [one, two] = [
      await open({}, { ...place, brand: 'one' }),
      await open({}, { ...place, brand: 'two' }),
    ];
    for (const keeper of [one, two]) {
      take(keeper, createRecord(), createSegment());
      await keeper.flush();
    }
    await one.erase({ before: '2026-01-06' });
    expect([await listIds(one), await listIds(two)]).toEqual([[], [idOf(1)]]);
    expect([await readEvents(one), await readEvents(two)]).toEqual([[], [expect.anything()]]);
  });

  test('a day is removed in steps of about 10 MB, also when another brand keeps it', async () => {
    const place = await createPlace();
    const [one, two] = [
      await open({}, { ...place, brand: 'one' }),
      await open({}, { ...place, brand: 'two' }),
    ];
    take(two, createRecord(), createSegment());
    await two.flush();
    for (let number = 1; number <= 100; number += 1) {
      const session = idOf(1 + (number % 10));
      one.take({ message: createSegment({ session, number }), packed: Buffer.alloc(250_000) }, VISITOR);
    }
    await one.flush();
    const removed: number[] = [];
    const { erase } = one.database;
    one.database.erase = (work) =>
      erase(async (tx) => {
        const change: typeof tx.change = async (sql, values) => {
          const count = await tx.change(sql, values);
          if (sql.startsWith('delete from recorded_segments')) removed.push(count);
          return count;
        };
        return work({ ...tx, change });
      });
    await one.erase({ before: '2026-01-06' });
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(100);
    // One more may be needed to reach 10 MB.
    expect(Math.max(...removed)).toBeLessThanOrEqual(41);
    expect(await readEvents(two)).toHaveLength(1);
  });

  test('the oldest sessions are removed as soon as there is too much, down to 95 %', async () => {
    const keeper = await open({}, await createPlace());
    const packed = Buffer.alloc(10_000);
    const takeLarge = async (session: number): Promise<void> => {
      keeper.take({ message: createSegment({ session: idOf(session) }), packed }, VISITOR);
      take(keeper, createRecord({ session: idOf(session) }));
      await keeper.flush();
      clock.now += 1_000;
    };
    await takeLarge(1);
    clock.now += DAY_MS;
    for (const session of [2, 3, 4]) await takeLarge(session);
    limits.keepBytes = 30_000;
    await keeper.prune();
    expect((await readState(keeper)).bytes).toBeLessThanOrEqual(30_000 * 0.95);
    expect((await listIds(keeper)).toSorted()).toEqual([idOf(3), idOf(4)]);
    await takeLarge(5);
    await keeper.refresh();
    await keeper.prune();
    expect((await listIds(keeper)).toSorted()).toEqual([idOf(4), idOf(5)]);
    expect(await readEvents(keeper, idOf(5))).toEqual([]);
  });

  test('sessions are listed page by page, the newest first, also those of the same ms', async () => {
    const keeper = await open({ maxQueueBytes: 1e9 }, await createPlace());
    const count = 120;
    for (let session = 0; session < count; session += 1) {
      const sessionStartedAt = NOON - 10_000 - Math.floor(session / 60);
      take(keeper, createRecord({ session: idOf(session), sessionStartedAt }));
    }
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { sessions, next } = await keeper.list({}, after);
      expect(sessions.length).toBeLessThanOrEqual(50);
      seen.push(...sessions.map(({ id }) => id));
      after = next;
    } while (after !== undefined);
    expect([seen.length, new Set(seen).size]).toEqual([count, count]);
    expect(seen[0]).toBe(idOf(59));
  });

  test('errors with the same message and place are a group, with the newest session that has a replay', async () => {
    const keeper = await open({}, await createPlace());
    const error = { at: NOON, message: 'it broke', stack: 'Error\n at run (/app.js:1:2)' };
    const keep = (session: number, browser: string, errors = [error, error]) =>
      keeper.take(packMessage(createRecord({ session: idOf(session), errors })), { ...VISITOR, browser });
    for (const [session, browser] of [
      [1, 'Chrome 131'],
      [2, 'Firefox 133'],
      [3, 'Chrome 131'],
    ] as const) {
      keep(session, browser);
      clock.now += 1_000;
    }
    keep(4, '', [{ at: NOON + 1e12, message: 'once', stack: '' }]);
    take(keeper, createSegment({ session: idOf(2) }));
    await keeper.flush();
    const group = { place: 'at run (/app.js:1:2)', firstAt: NOON, lastAt: NOON };
    expect(await keeper.groupErrors()).toEqual([
      {
        ...group,
        message: 'it broke',
        times: 6,
        sessions: 3,
        browsers: ['Chrome 131', 'Firefox 133'],
        session: idOf(2),
      },
      {
        message: 'once',
        place: '',
        times: 1,
        sessions: 1,
        // The visitor's clock is wrong by years.
        firstAt: NOON + 3_000,
        lastAt: NOON + 3_000,
        browsers: [],
        session: idOf(4),
      },
    ]);
  });

  test('1,000 sessions at once lose no message', async () => {
    const keeper = await open({}, await createPlace());
    const messages = Array.from({ length: 1_000 }, (_, session) => [
      createRecord({ session: idOf(session), segments: 2 }),
      createSegment({ session: idOf(session), number: 1, events: eventsOf(session) }),
      createSegment({ session: idOf(session), number: 2, events: eventsOf(session + 1) }),
    ]).flat();
    expect(new Set(take(keeper, ...messages))).toEqual(new Set(['taken']));
    await keeper.flush();
    expect((await readState(keeper)).sessions).toBe(1_000);
    const [sum] = await keeper.database.read(
      'select sum(segments) as segments, min(segments) as least from recorded_sessions',
    );
    expect(sum).toEqual({ segments: 2_000, least: 2 });
  });
});

test('a brand whose first segments of a day come while another one drops that day keeps them', async () => {
  const place = { dataDir: await makeDataFolder(), url: await postgres.createDatabase() };
  const [one, two] = [await open({}, { ...place, brand: 'one' }), await open({}, { ...place, brand: 'two' })];
  take(one, createRecord(), createSegment());
  await one.flush();
  const { transaction } = two.database;
  let erasing: Promise<void> | undefined;
  two.database.transaction = (work) =>
    transaction(async (tx) => {
      const result = await work(tx);
      erasing ??= one.erase({ before: '2026-01-06' });
      await vi.waitFor(async () => {
        const waiting = await two.database.read(
          "select 1 from pg_locks where not granted and relation = 'recorded_segments_20260105'::regclass",
        );
        expect(waiting).toHaveLength(1);
      }, PATIENCE);
      return result;
    });
  take(two, createRecord(), createSegment());
  await two.flush();
  await erasing;
  expect(logged).toEqual([]);
  expect([await listIds(one), await listIds(two)]).toEqual([[], [idOf(1)]]);
  expect(await readEvents(two)).toHaveLength(1);
});

test('a session lasts as long as the server or the visitor saw, and four hours at most', async () => {
  const keeper = await open();
  let session = 0;
  const lasted = async (changes: Partial<SessionRecord>) => {
    session += 1;
    take(keeper, createRecord({ ...changes, session: idOf(session) }));
    return (await keeper.find(idOf(session)))?.lastedMs;
  };
  const enteredAt = (at: number) => [{ at, index: 1, host: 'line1.example', time: 38 }];
  expect(await lasted({})).toBe(0);
  expect(await lasted({ enteredLines: enteredAt(NOON + 3_000) })).toBe(3_000);
  // The visitor's clock is wrong by a year: it is only compared with itself.
  const wrong = NOON + 365 * DAY_MS;
  const record = { sessionStartedAt: wrong, openedAt: wrong, startedAt: wrong };
  expect(await lasted({ ...record, enteredLines: enteredAt(wrong + 3_000) })).toBe(3_000);
  expect(await lasted({ enteredLines: enteredAt(wrong) })).toBe(14_400_000);
  // It is not over before its replay is.
  const events = [{ type: 3, timestamp: NOON + 15_000 }];
  take(keeper, createSegment({ session: idOf(session + 1), events }));
  expect(await lasted({})).toBe(15_000);
});

test('the last revision of a view counts, whichever comes last', async () => {
  const keeper = await open();
  take(
    keeper,
    createRecord({ revision: 3, reachedLines: 3 }),
    createRecord({ revision: 2, reachedLines: 2 }),
  );
  await keeper.flush();
  take(keeper, createRecord({ revision: 1, reachedLines: 1 }));
  expect((await listSessions(keeper))[0]?.views[0]?.reachedLines).toBe(3);
});

test('whether a visitor could not get in is known by all views of the session', async () => {
  const keeper = await open();
  const listStuck = async () => (await keeper.list({ stuck: true }, undefined)).sessions.length;
  take(keeper, createRecord({ failedLines: 4 }));
  expect(await listStuck()).toBe(1);
  take(keeper, createRecord({ view: idOf(3), reachedLines: 2 }));
  expect(await listStuck()).toBe(0);
});

test('a clock that is wrong by years moves no session to the top of the list', async () => {
  const keeper = await open();
  take(keeper, createRecord({ sessionStartedAt: NOON + 1e12 }));
  take(keeper, createRecord({ session: idOf(3), sessionStartedAt: 0.5 }));
  expect((await listSessions(keeper)).map(({ startedAt }) => startedAt)).toEqual([NOON, NOON - 14_400_000]);
});

test('finds the sessions of a day in UTC, from its first ms to its last', async () => {
  const keeper = await open();
  for (const [index, ms] of [-1, 0, DAY_MS - 1, DAY_MS].entries()) {
    clock.now = Date.UTC(2026, 0, 5) + ms;
    take(keeper, createRecord({ session: idOf(index), sessionStartedAt: clock.now }));
  }
  const { sessions } = await keeper.list({ day: '2026-01-05' }, undefined);
  expect(sessions.map(({ id }) => id)).toEqual([idOf(2), idOf(1)]);
});

test('a database that is full costs nobody anything but what comes when the queue is full, and heals by itself', async () => {
  const keeper = await open({ maxQueueBytes: 5_000 });
  const { transaction } = keeper.database;
  keeper.database.transaction = () => Promise.reject(new StoreFullError('the disk is full'));
  const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
  const verdicts = take(
    keeper,
    ...numbers.map((number) => createSegment({ number, events: eventsOf(number) })),
  );
  const taken = verdicts.indexOf('queue-full');
  expect(taken).toBeGreaterThan(5);
  await keeper.flush();
  expect(keeper.state().fault).toBe('the disk is full');
  keeper.database.transaction = transaction;
  await keeper.flush();
  expect(keeper.state().fault).toBeNull();
  // The page tries again.
  expect(take(keeper, createSegment({ number: taken + 1, events: eventsOf(taken + 1) }))).toEqual(['taken']);
  expect(await readEvents(keeper)).toEqual(numbers.slice(0, taken + 1).flatMap(eventsOf));
});

test('while the database is away, senders that send as much as they can leave room for the next', async () => {
  const keeper = await open({ maxQueueBytes: 1_000_000 });
  const { transaction } = keeper.database;
  keeper.database.transaction = () => Promise.reject(new StoreAwayError('away'));
  const packed = Buffer.alloc(9_800);
  let number = 0;
  const send = (sender: string) =>
    keeper.take({ message: createSegment({ number: (number += 1) }), packed }, VISITOR, sender);
  const flood = (sender: string) =>
    Array.from({ length: 100 }, () => send(sender)).filter((verdict) => verdict === 'taken');
  expect(flood('198.51.100.0/24').length).toBe(11);
  for (let network = 0; network < 8; network += 1) flood(`198.18.${network}.0/24`);
  await keeper.flush();
  expect(send('198.51.100.0/24')).toBe('queue-full');
  expect(send('192.0.2.0/24')).toBe('taken');
  // What is in the database takes no room any more.
  keeper.database.transaction = transaction;
  await keeper.flush();
  expect(flood('198.51.100.0/24').length).toBe(11);
});

test('a database that hangs is told after ten seconds, and nobody waits for it', async () => {
  const keeper = await open();
  const { transaction } = keeper.database;
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  keeper.database.transaction = async (work) => {
    await isReleased;
    return transaction(work);
  };
  take(keeper, createRecord());
  const flushing = keeper.flush();
  clock.now += 10_001;
  expect(take(keeper, createSegment())).toEqual(['taken']);
  expect(keeper.state().fault).toBe('nothing was written for 10 s');
  release();
  await flushing;
  expect(keeper.state().fault).toBeNull();
});

test('a message that the database refuses holds up no other', async () => {
  const keeper = await open();
  const { transaction } = keeper.database;
  keeper.database.transaction = (work) =>
    transaction((tx) =>
      work({
        ...tx,
        query: (sql, values) => {
          if (values?.includes(idOf(3))) throw new Error('not this one');
          return tx.query(sql, values);
        },
      }),
    );
  take(keeper, createRecord(), createRecord({ session: idOf(3) }), createRecord({ session: idOf(4) }));
  await keeper.flush();
  keeper.database.transaction = transaction;
  expect((await listIds(keeper)).toSorted()).toEqual([idOf(1), idOf(4)]);
  expect(logged).toHaveLength(1);
});

test('a damaged file is named, with what to do, and stops nothing else', async () => {
  const dataDir = await makeDataFolder();
  const file = join(dataDir, 'recordings.db');
  await writeFile(file, 'this is not a database, although it has its name'.repeat(100));
  const keeper = await open({}, { dataDir });
  expect(take(keeper, createRecord())).toEqual(['taken']);
  await keeper.flush();
  expect(keeper.state().fault).toBe(
    `${file} is damaged (file is not a database): stop the portal, move this file away, and start the portal: it makes a new one`,
  );
});

test('a portal whose table of today was dropped makes it again', async () => {
  const keeper = await open();
  take(keeper, createRecord());
  await keeper.flush();
  // By a portal whose clock is ahead.
  await keeper.database.change('drop table recorded_segments_20260105');
  take(keeper, createSegment());
  expect(await readEvents(keeper)).toHaveLength(1);
});

test('a session that is erased leaves no byte in the data folder', async () => {
  const place = { dataDir: await makeDataFolder() };
  const keeper = await open({}, place);
  const ids = { session: idOf(0xabcdef), view: idOf(0xfedcba) };
  const secret = 'what nobody else may read';
  // Larger than a page of the file.
  const packed = Buffer.from(secret.repeat(1_000));
  take(keeper, createRecord({ ...ids, errors: [{ at: NOON, message: secret, stack: secret }] }));
  keeper.take({ message: createSegment(ids), packed }, VISITOR);
  await keeper.flush();
  const readAll = async (): Promise<string> => {
    const names = (await readdir(place.dataDir)).filter((name) => name.startsWith('recordings.db'));
    return (await Promise.all(names.map((name) => readFile(join(place.dataDir, name), 'latin1')))).join('');
  };
  for (const text of [secret, ids.session, ids.view]) expect(await readAll()).toContain(text);
  await keeper.erase({ session: ids.session });
  for (const text of [secret, ids.session, ids.view]) expect(await readAll()).not.toContain(text);
});

test('a session that could not be erased goes on', async () => {
  const keeper = await open();
  keeper.database.erase = () => Promise.reject(new StoreAwayError('away'));
  await expect(keeper.erase({ session: idOf(1) })).rejects.toThrow('away');
  expect(take(keeper, createRecord({ session: idOf(1) }))).toEqual(['taken']);
});

test('an erased session is remembered as long as recordings are kept', async () => {
  limits.keepDays = 2;
  const place = { dataDir: await makeDataFolder() };
  const keeper = await open({}, place);
  await keeper.erase({ session: idOf(1) });
  clock.now += 2 * DAY_MS;
  await keeper.erase({ session: idOf(3) });
  const listAfterPrune = async () => {
    await keeper.prune();
    const later = await open({}, place);
    take(later, createRecord(), createRecord({ session: idOf(3) }));
    return listIds(later);
  };
  expect(await listAfterPrune()).toEqual([]);
  clock.now += 3_600_000;
  expect(await listAfterPrune()).toEqual([idOf(1)]);
});

test('many tiny sessions count with the room that their rows take', async () => {
  const keeper = await open();
  for (let session = 1; session <= 40; session += 1) take(keeper, createRecord({ session: idOf(session) }));
  await keeper.flush();
  expect((await readState(keeper)).bytes).toBeGreaterThan(40 * 1_000);
});

test('a portal that does not lead removes nothing', async () => {
  limits.keepDays = 2;
  const keeper = await open();
  take(keeper, createRecord());
  await keeper.flush();
  clock.now += 5 * DAY_MS;
  const { lead } = keeper.database;
  keeper.database.lead = async () => undefined;
  await keeper.prune();
  expect(await listIds(keeper)).toEqual([idOf(1)]);
  // It may lead later.
  keeper.database.lead = lead;
  await keeper.prune();
  expect(await listIds(keeper)).toEqual([]);
});

test('a clock that was set back by a year does not stop the removal of old days', async () => {
  limits.keepDays = 2;
  const keeper = await open();
  clock.now += 365 * DAY_MS;
  await keeper.prune();
  clock.now = NOON;
  take(keeper, createRecord());
  await keeper.flush();
  clock.now += 5 * DAY_MS;
  await keeper.prune();
  expect(await listIds(keeper)).toEqual([]);
});

test('hands out no more events of a view than a browser can play', async () => {
  const keeper = await open({ maxPlayedChars: 120 });
  const numbers = [1, 2, 3];
  take(
    keeper,
    createRecord(),
    ...numbers.map((number) => createSegment({ number, events: eventsOf(number) })),
  );
  expect(await readEvents(keeper)).toEqual([...eventsOf(1), ...eventsOf(2)]);
});

test('groups the errors once for all who ask meanwhile', async () => {
  const keeper = await open();
  const first = keeper.groupErrors();
  expect(keeper.groupErrors()).toBe(first);
  await first;
  const next = keeper.groupErrors();
  expect(next).not.toBe(first);
  await next;
});

test('the version grows with a change on another portal, and with nothing else', async () => {
  const place = { dataDir: await makeDataFolder() };
  const [one, other] = [await open({}, place), await open({}, place)];
  await one.refresh();
  const before = one.version();
  await one.refresh();
  expect(one.version()).toBe(before);
  take(other, createRecord());
  await other.flush();
  await one.refresh();
  expect(one.version()).toBeGreaterThan(before);
});

test('what waits holds nothing of a record but the pieces that are kept', async () => {
  const keeper = await open();
  keeper.database.transaction = () => Promise.reject(new StoreAwayError('away'));
  const stack = `${'x'.repeat(14_000)}\n at run (https://a.example/app.js:1:2)`;
  const errors = [{ at: NOON, message: 'it broke', stack }];
  const held = measureHeldBytes(() => {
    for (let view = 1; view <= 300; view += 1) {
      const record = createRecord({ session: idOf(Math.ceil(view / 100)), view: idOf(view), errors });
      // As it comes from the network: each record has texts of its own.
      const message = JSON.parse(JSON.stringify(record)) as IntakeMessage;
      expect(keeper.take({ message, packed: Buffer.alloc(1) }, VISITOR)).toBe('taken');
    }
    return keeper;
  });
  // Of more than 4 MB that were sent.
  expect(held).toBeLessThan(3_000_000);
});
