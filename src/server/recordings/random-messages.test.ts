import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { isSoak } from '../../engine/testing/tenth-of.ts';
import { createRecord, createSegment, idOf } from '../testing/intake-messages.ts';
import { openTestRecordings } from '../testing/open-test-database.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { createTestPortal } from '../testing/test-portal.ts';
import { type RecordingKeeper, keepRecordings } from './keep-recordings.ts';

const MESSAGES = isSoak() ? 100_000 : 1_000;
/** What a page makes of them: it gives up, or it tries again. */
const ANSWERS = new Set([204, 400, 403, 413]);

const CHANGED = ['number', 'events', 'errors', 'openedAt', 'vitals', 'enteredLines', 'language', '__proto__'];

const id = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 50 }).map(idOf) },
  fc.constantFrom('..', '../../../etc/cron.d/x', `${'0'.repeat(31)}/`, '', '\0', '__proto__', `${idOf(1)}\n`),
);
/** Values of any kind, and those that break careless code. */
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(-1, 1e300, 0.5, null, {}, [], '\ud800', 'constructor'),
);

/** A message of ours, of which a few values are something else. */
const nearly = fc
  .record({
    base: fc.constantFrom<object>(createRecord(), createSegment()),
    session: id,
    view: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 5 }).map(idOf) }, id),
    revision: fc.integer({ min: 1, max: 9 }),
    changes: fc.oneof(
      { weight: 2, arbitrary: fc.constant({}) },
      fc.dictionary(fc.constantFrom(...CHANGED), odd, { maxKeys: 2 }),
    ),
  })
  .map(({ base, session, view, revision, changes }) => {
    const number = 'number' in base ? { number: revision } : { revision };
    return JSON.stringify({ ...base, session, view, ...number, ...changes });
  });
const body = fc
  .record({
    text: fc.oneof({ weight: 8, arbitrary: nearly }, fc.json(), fc.string()),
    isPacked: fc.boolean(),
    cut: fc.oneof({ weight: 6, arbitrary: fc.constant(1e6) }, fc.nat(200)),
  })
  .map(({ text, isPacked, cut }) => {
    const bytes = isPacked ? gzipSync(text) : Buffer.from(text);
    return new Uint8Array(bytes.subarray(0, cut));
  });

test(`${MESSAGES} random messages cause no error of ours`, { timeout: 600_000 }, async () => {
  const refused: unknown[] = [];
  const keeper: RecordingKeeper = keepRecordings({
    database: await openTestRecordings(),
    limits: () => ({ keepDays: 30, keepBytes: 1e9 }),
    log: pino({}, { write: (line) => refused.push(line) }),
    now: () => Date.UTC(2026, 0, 5),
  });
  const files = await createSiteFiles((config) => {
    config['monitoring'] = { intakeUrl: 'self' };
    config['limits'] = { exempt: ['0.0.0.0/0'] };
  });
  const portal = await createTestPortal({ files, recordings: keeper });
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(body, async (bytes) => {
    const { status } = await portal.ask('/api/intake', { method: 'POST', body: bytes });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect(ANSWERS).toContain(status);
  });
  await fc.assert(property, { numRuns: MESSAGES });
  await keeper.flush();
  // Some were taken, and some refused: this looked at both ways.
  expect(statuses.get(204)).toBeGreaterThan(MESSAGES / 20);
  expect(statuses.get(400)).toBeGreaterThan(MESSAGES / 20);
  expect(portal.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  expect(refused).toEqual([]);
  const { sessions } = await keeper.list({}, undefined);
  expect(sessions.length).toBeGreaterThan(10);
  for (const { id: session } of sessions) {
    expect(await keeper.find(session)).toBeDefined();
  }
  expect(await keeper.groupErrors()).toBeInstanceOf(Array);
});
