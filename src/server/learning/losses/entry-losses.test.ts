import { expect, test } from 'vitest';
import { createCounts } from '../counts.ts';
import { type EntryWindows, findEntryLoss, foldEntries } from './entry-losses.ts';

/** Windows of ten seconds, in each of which visitors report, one of a voter of their own each. */
function createEntries() {
  const windows: EntryWindows = [];
  let now = 0;
  let voter = 0;
  return {
    come: (seconds: number, { reports, stranded }: { reports: number; stranded: number }) => {
      for (const until = now + seconds * 1_000; now < until;) {
        now += 10_000;
        const strandedByVoter = new Map(Array.from({ length: stranded }, () => [(voter += 1) % 24, 1]));
        foldEntries(windows, { ...createCounts().site, reports, stranded, strandedByVoter }, now);
      }
    },
    find: () => findEntryLoss(windows, now),
    windows,
  };
}

test('20 visitors in 30 s of whom nobody gets in are enough, after any number who did', () => {
  const { come, find } = createEntries();
  come(600, { reports: 500, stranded: 2 });
  expect(find()).toBe(undefined);
  come(20, { reports: 7, stranded: 7 });
  expect(find()).toMatchObject({ isSure: true, part: 1, since: 600_000, visitors: 14 });
  come(20, { reports: 7, stranded: 0 });
  expect(find()).toBe(undefined);
});

test('a third that gets in nowhere opens nothing, but lets it go on', () => {
  const { come, find } = createEntries();
  come(60, { reports: 30, stranded: 11 });
  expect(find()?.isSure).toBe(false);
  come(60, { reports: 30, stranded: 7 });
  expect(find()).toBe(undefined);
});

test('fewer than 12 visitors in three minutes say nothing', () => {
  const { come, find } = createEntries();
  come(10, { reports: 11, stranded: 11 });
  come(170, { reports: 0, stranded: 0 });
  expect(find()).toBe(undefined);
});

test('one group of address ranges alone says nothing, however many reports it sends', () => {
  const { windows } = createEntries();
  const site = { ...createCounts().site, reports: 200, stranded: 200, strandedByVoter: new Map([[3, 200]]) };
  foldEntries(windows, site, 10_000);
  expect(findEntryLoss(windows, 10_000)).toBe(undefined);
});
