import { expect, test } from 'vitest';
import type { IncidentKind } from './incidents.ts';
import { nameIncident, namePlaces } from './describe-incident.ts';

test('networks are named as ranges, as in the rest of the console', () => {
  const affected = ['/198.51', '/2001:db8', 'DE/AS64500', 'SG/', '9900'];
  expect(namePlaces({ affected })).toEqual(['198.51.0.0/16', '2001:db8::/32', 'DE/AS64500', 'SG', '9900']);
});

test('an incident of a kind that only a newer portal knows is named by it', () => {
  const subject = 'line1.example';
  expect(nameIncident({ kind: 'line-down', subject }, 'zh-CN')).toBe('line1.example 对所有访客中断');
  expect(nameIncident({ kind: 'line-on-fire' as IncidentKind, subject }, 'en')).toBe(
    'line-on-fire line1.example',
  );
});
