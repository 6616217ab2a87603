import { expect, test } from 'vitest';
import { namePlaces } from './describe-incident.ts';

test('networks are named as ranges, as in the rest of the console', () => {
  const affected = ['/198.51', '/2001:db8', 'DE/AS64500', 'SG/', '9900'];
  expect(namePlaces({ affected })).toEqual(['198.51.0.0/16', '2001:db8::/32', 'DE/AS64500', 'SG', '9900']);
});
