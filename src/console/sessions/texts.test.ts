import { expect, test } from 'vitest';
import { en, zhCN } from './texts.ts';

const HAN = /\p{Script=Han}/u;

test('every text is in both languages', () => {
  const [english, chinese] = [listTexts(en), listTexts(zhCN)];
  expect([...chinese.keys()]).toEqual([...english.keys()]);
  for (const [key, text] of english) expect(text, key).not.toMatch(HAN);
  // "3 / 10", "Device: Phone" and a time have no words of their own.
  const wordless = new Set(['positionOf', 'chosenFilter', 'at']);
  for (const [key, text] of chinese) if (!wordless.has(key)) expect(text, key).toMatch(HAN);
});

/** The texts by their keys, with numbers in the places of what they tell. */
function listTexts(texts: object): ReadonlyMap<string, string> {
  return new Map(Object.entries(texts).map(([key, text]) => [key, write(text)]));
}

function write(text: unknown): string {
  if (typeof text === 'function') return (text as (...parts: readonly string[]) => string)('1', '2');
  return typeof text === 'string'
    ? text
    : Object.entries(text as object)
        .flat()
        .join(' ');
}
