import { expect, test } from 'vitest';
import type { Incident } from '../../contract/incidents.ts';
import { listOpen } from './incidents-view.tsx';

test('the most severe of the open incidents comes first, and equal ones keep their order', () => {
  const make = (id: string, severity: Incident['severity'], endedAt: number | null = null) =>
    ({ id, severity, endedAt }) as Incident; // Nothing else of an incident decides its place.
  const incidents = [
    make('new', 'medium'),
    make('low', 'low'),
    make('old', 'medium'),
    make('ended', 'high', 1),
    make('down', 'high'),
  ];
  expect(listOpen(incidents).map(({ id }) => id)).toEqual(['down', 'new', 'old', 'low']);
});
