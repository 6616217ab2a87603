import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSoak } from '../../engine/testing/tenth-of.ts';
import { createRecord, createSegment, idOf } from '../testing/intake-messages.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { createTestPortal } from '../testing/test-portal.ts';
import { type RecordingKeeper, keepRecordings } from './keep-recordings.ts';
import { createRecordingStore } from './recording-store.ts';

const MESSAGES = isSoak() ? 100_000 : 1_000;
/** What a page makes of them: it gives up, or it tries again. */
const ANSWERS = new Set([204, 400, 403, 413]);

const CHANGED = ['number', 'events', 'errors', 'openedAt', 'vitals', 'enteredLines', 'language', '__proto__'];

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'waypost-random-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

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

test(
  `${MESSAGES} random messages cause no error of ours, and no file elsewhere`,
  { timeout: 600_000 },
  async () => {
    const keeper: RecordingKeeper = keepRecordings({
      store: createRecordingStore({ dir: join(dir, 'data/recordings') }),
      limits: () => ({ keepDays: 30, keepBytes: 1e9 }),
      log: pino({ level: 'silent' }),
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
    const written = await readdir(dir, { recursive: true });
    const outside = written.filter(
      (path) => !/^data(?:\/recordings(?:\/2026-01-05(?:\/[\da-f]{32}\.rec)?)?)?$/.test(path),
    );
    expect(outside).toEqual([]);
    expect(written.length).toBeGreaterThan(10);
    for (const { id: session } of keeper.list({}, undefined).sessions) {
      expect(await keeper.find(session)).toBeDefined();
    }
    expect(await keeper.groupErrors()).toBeInstanceOf(Array);
  },
);
