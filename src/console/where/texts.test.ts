import { expect, test } from 'vitest';
import { en, zhCN } from './texts.ts';

const HAN = /\p{Script=Han}/u;

/** All texts of a group, with numbers in the places of what they tell. */
function listTexts(texts: object): readonly string[] {
  return Object.values(texts).flatMap((text: unknown) => {
    if (typeof text === 'function') return [(text as (...parts: readonly string[]) => string)('1', '2', '3')];
    return typeof text === 'string' ? [text] : listTexts(text as object);
  });
}

test('every text of the map is in both languages', () => {
  expect(listTexts(en).filter((text) => HAN.test(text))).toEqual([]);
  // What a place is called comes with it.
  expect(listTexts(zhCN).filter((text) => !HAN.test(text) && text !== '1，2：3')).toEqual([]);
});
