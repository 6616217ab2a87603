import { expect, test } from 'vitest';
import { idOf } from '../testing/intake-messages.ts';
import { keepErased } from './keep-erased.ts';
import type { ErasedSession } from './recording-store.ts';

/** Two processes, one after the other, with the same disk. */
function openTwice(): readonly ReturnType<typeof keepErased>[] {
  let disk: readonly ErasedSession[] = [];
  const store = {
    readErased: async () => disk,
    writeErased: async (erased: readonly ErasedSession[]) => void (disk = erased),
  };
  return [1, 2].map(() => keepErased({ store, onLoaded: () => undefined, now: () => 5, max: 3 }));
}

test('keeps what an earlier process erased, also if it erases before it has looked', async () => {
  const [first, second] = openTwice();
  first?.add(idOf(1));
  await first?.save();
  second?.add(idOf(2));
  await second?.save();
  expect([1, 2, 3].map((session) => second?.has(idOf(session)))).toEqual([true, true, false]);
});

test('forgets the oldest when there are too many', async () => {
  const [first] = openTwice();
  for (const session of [1, 2, 3, 4, 5]) first?.add(idOf(session));
  await first?.save();
  expect([1, 2, 3, 4, 5].map((session) => first?.has(idOf(session)))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});
