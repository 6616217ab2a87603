import { expect, test } from 'vitest';
import { sampleLocale } from '../testing/sample-locale.ts';
import { describeTrend, describeShareTrend, writeTrend } from './describe-trend.ts';
import { en, zhCN } from './texts.ts';

const { format } = sampleLocale();
const words = { texts: en, format };

test.each([
  [{ now: 150, before: 100 }, '+50: 50% more than before'],
  [{ now: 75, before: 100 }, '−25: 25% fewer than before'],
  [{ now: 3, before: 0 }, '+3: there were none before'],
  [{ now: 0, before: 0 }, 'the same as before'],
])('%j is told as “%s”', (compared, text) => {
  expect(describeTrend(compared, words)).toBe(text);
});

test.each([
  [{ now: 50, before: 40 }, { now: 100, before: 100 }, '+10 percentage points: more than before'],
  [{ now: 30, before: 40 }, { now: 100, before: 100 }, '−10 percentage points: less than before'],
  [{ now: 1, before: 2 }, { now: 50, before: 100 }, 'the same as before'],
  [{ now: 1, before: 0 }, { now: 50, before: 0 }, 'nothing to compare with'],
])('a share of %j in %j is told as “%s”', (part, of, text) => {
  expect(describeShareTrend(part, of, words)).toBe(text);
});

test('a table has the change with its sign', () => {
  const write = (now: number, before: number) => writeTrend({ now, before }, format);
  expect([write(3, 1), write(1, 3), write(2, 2)]).toEqual(['+2', '−2', '±0']);
});

test('English texts are English, and Chinese ones Chinese', () => {
  const list = (texts: object): readonly string[] =>
    Object.values(texts).flatMap((text: unknown) =>
      typeof text === 'string' ? [text] : typeof text === 'object' && text !== null ? list(text) : [],
    );
  const han = /\p{Script=Han}/u;
  expect(list(en).filter((text) => han.test(text) || text === '')).toEqual([]);
  expect(list(zhCN).filter((text) => !han.test(text))).toEqual([]);
});
