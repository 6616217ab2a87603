import { expect, test } from 'vitest';
import { CONSOLE_LANGUAGES } from '../../../contract/console-language.ts';
import { TEXT_KEYS } from '../../../contract/site/text-keys.ts';
import { listTextGroups } from './text-groups.ts';
import { TEXT_NAMES } from './text-names.ts';

test('every text stands in one group, and in none that says nothing', () => {
  const groups = listTextGroups();
  expect(groups.flatMap(({ keys }) => keys).toSorted()).toEqual(TEXT_KEYS.toSorted());
  expect(groups.map(({ name }) => name)).not.toContain('other');
});

test('a text of a newer version is shown, too', () => {
  // A key that no group names.
  const key = 'newText' as (typeof TEXT_KEYS)[number];
  expect(listTextGroups([key])).toEqual([{ name: 'other', keys: [key] }]);
});

test.each(CONSOLE_LANGUAGES)(
  'every text has a name in %s, and no other text of its group has it',
  (language) => {
    const { texts } = TEXT_NAMES[language];
    for (const { keys } of listTextGroups()) {
      const names = keys.map((key) => texts[key]);
      expect(names).not.toContain(undefined);
      expect(new Set(names).size).toBe(names.length);
    }
  },
);
