import { expect, test } from 'vitest';
import { createLinePolicy } from '../../site/create-line-policy.ts';
import { listRules } from './describe-lines.ts';

test('a line names the rules by which not every visitor is handed it', () => {
  const rulesOf = (rules: Omit<Parameters<typeof createLinePolicy>[1], 'noWWW' | 'weight'>) =>
    listRules(createLinePolicy('a', rules));
  expect(rulesOf({})).toEqual([]);
  expect(rulesOf({ drain: true })).toEqual(['drain']);
  expect(rulesOf({ countries: { not: ['US'] } })).toEqual(['countries']);
  expect(rulesOf({ networks: { only: ['AS64500'] }, countries: { only: ['SG'] } })).toEqual([
    'countries',
    'networks',
  ]);
});
