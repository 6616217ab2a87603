import { expect, test } from 'vitest';
import { createSpentTickets } from './create-spent-tickets.ts';

test('a ticket is spent once, for as long as it would be valid', () => {
  let now = 0;
  const { spend } = createSpentTickets(() => now);
  now = 600_000 - 1;
  expect(spend('a')).toBe(true);
  expect(spend('a')).toBe(false);
  now += 600_000 - 1;
  expect(spend('a')).toBe(false);
  now += 600_000 * 2;
  expect(spend('a')).toBe(true);
});
