import { expect, test } from 'vitest';
import { CONSOLE_LANGUAGES } from '../../../contract/console-language.ts';
import { TEXT_KEYS } from '../../../contract/site/text-keys.ts';
import { listTextGroups } from './text-groups.ts';
import { TEXT_NAMES } from './text-names.ts';

test('every text stands in one group', () => {
  const keys = listTextGroups().flatMap((group) => group.keys);
  expect(keys.toSorted()).toEqual(TEXT_KEYS.toSorted());
  expect(new Set(keys).size).toBe(keys.length);
});

test('a search leaves out the groups without a hit', () => {
  expect(listTextGroups(['home', 'copyPage'])).toEqual([
    { name: 'inApp', place: {}, keys: ['copyPage'] },
    { name: 'notFound', place: { page: 'not-found' }, keys: ['home'] },
  ]);
});

test.each(CONSOLE_LANGUAGES)('no two texts of a group have the same name in %s', (language) => {
  const { texts } = TEXT_NAMES[language];
  for (const { keys } of listTextGroups()) {
    const names = keys.map((key) => texts[key]);
    expect(new Set(names).size).toBe(names.length);
  }
});
