import { expect, test } from 'vitest';
import { ORIGIN, createRecord, idOf } from '../testing/intake-messages.ts';
import { groupErrors } from './group-errors.ts';
import { type SessionEntry, addRecord, createEntry } from './session-entry.ts';

const NOON = Date.UTC(2026, 0, 5, 12);

/** A session with ten errors, which arrived at a time. */
function createBroken(number: number, at: number, message: string): SessionEntry {
  const entry = createEntry(idOf(number), at);
  const errors = Array.from({ length: 10 }, () => ({ at, message, stack: '' }));
  const record = createRecord({ errors });
  addRecord(entry, { view: record.view, revision: 1, at, origin: ORIGIN }, record);
  return entry;
}

test('names the newest session of a group, in whatever order they are', async () => {
  const entries = [1, 3, 2].map((number) => createBroken(number, NOON + number, 'it broke'));
  expect(await groupErrors(entries)).toMatchObject([
    { times: 30, sessions: 3, session: idOf(3), firstAt: NOON + 1, lastAt: NOON + 3 },
  ]);
});

test('counts the newest errors only, if there are very many', async () => {
  const entries = [createBroken(1, NOON, 'old'), createBroken(2, NOON + 1, 'new')];
  expect(await groupErrors(entries, 15)).toMatchObject([
    { message: 'new', times: 10 },
    { message: 'old', times: 5 },
  ]);
  expect(await groupErrors(entries, 10)).toMatchObject([{ message: 'new', times: 10 }]);
});

test('lets other requests have their turn', async () => {
  const entries = Array.from({ length: 200 }, (_, number) => createBroken(number, NOON, 'it broke'));
  const order: string[] = [];
  setImmediate(() => order.push('another request'));
  await groupErrors(entries);
  order.push('the errors');
  expect(order).toEqual(['another request', 'the errors']);
});
