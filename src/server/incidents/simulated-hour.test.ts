import { expect, test } from 'vitest';
import { simulateDay } from '../../../bench/incidents/simulate-day.ts';

// `npm run bench -- incidents` simulates ten days.
test('finds the outages of a simulated quarter of an hour in which 1.5 % of all probes fail for no reason, and no others', async () => {
  const day = await simulateDay({ seed: 1, hours: 0.2, lines: 8, visitorsPerHour: 30_000 });
  expect(day.outages.length).toBeGreaterThan(5);
  expect(day.outages.filter(({ notice }) => notice === undefined)).toEqual([]);
  expect(day.falseIncidents).toEqual([]);
});
