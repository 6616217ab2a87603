import { expect, test } from 'vitest';
import { TICKET_LIFE_MS } from '../../contract/limits.ts';
import { createSpentTickets } from './spent-tickets.ts';

test('a ticket is spent once, for as long as it would be valid', () => {
  let now = 0;
  const { spend } = createSpentTickets(() => now);
  now = TICKET_LIFE_MS - 1;
  expect(spend('a')).toBe(true);
  expect(spend('a')).toBe(false);
  now += TICKET_LIFE_MS - 1;
  expect(spend('a')).toBe(false);
  now += TICKET_LIFE_MS * 2;
  expect(spend('a')).toBe(true);
});
