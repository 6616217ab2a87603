import { expect, test } from 'vitest';
import { DAY_MS } from '../../contract/limits.ts';
import { ORIGIN, createRecord, idOf } from '../testing/intake-messages.ts';
import { findSessions } from './find-sessions.ts';
import { type SessionEntry, addRecord, createEntry } from './session-entry.ts';

const NOON = Date.UTC(2026, 0, 5, 12);

/** Sessions in no order, and how many of them were summarized: nothing else reads their bytes. */
function createEntries(count: number) {
  let summarized = 0;
  const entries = Array.from({ length: count }, (_, index): SessionEntry => {
    const number = (index * 7) % count;
    const at = NOON + number;
    const entry = createEntry(idOf(number), at);
    const record = createRecord({ sessionStartedAt: at, device: number % 100 === 0 ? 'mobile' : 'pc' });
    addRecord(entry, { view: record.view, revision: 1, at, origin: ORIGIN }, record);
    return Object.defineProperty(entry, 'bytes', { get: () => (summarized += 1) });
  });
  return { entries, countSummarized: () => summarized };
}

test('lists all sessions page by page, the newest first', () => {
  const { entries } = createEntries(1_000);
  const starts: number[] = [];
  for (let before: number | undefined = Number.POSITIVE_INFINITY; before !== undefined;) {
    const { sessions, next } = findSessions(entries, {}, before);
    expect(sessions).toHaveLength(50);
    starts.push(...sessions.map(({ startedAt }) => startedAt));
    before = next;
  }
  expect(starts).toEqual(Array.from({ length: 1_000 }, (_, index) => NOON + 999 - index));
});

test.each([
  [{}, 50],
  [{ device: 'mobile' }, 10],
  [{ error: true }, 0],
  [{ line: 'line1.example' }, 0],
] as const)(
  'summarizes no session that the filter %j leaves out, or that is on a later page',
  (filter, count) => {
    const { entries, countSummarized } = createEntries(1_000);
    expect(findSessions(entries, filter).sessions).toHaveLength(count);
    expect(countSummarized()).toBe(count);
  },
);

test('finds the sessions of a day in UTC, from its first ms to its last', () => {
  const entries = [-1, 0, DAY_MS - 1, DAY_MS].map((ms, index) =>
    createEntry(idOf(index), Date.UTC(2026, 0, 5) + ms),
  );
  for (const entry of entries) {
    const record = createRecord({ sessionStartedAt: entry.firstAt });
    addRecord(entry, { view: record.view, revision: 1, at: entry.firstAt, origin: ORIGIN }, record);
  }
  const { sessions } = findSessions(entries, { day: '2026-01-05' });
  expect(sessions.map(({ id }) => id)).toEqual([idOf(2), idOf(1)]);
});
