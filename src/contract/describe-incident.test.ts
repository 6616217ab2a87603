import { expect, test } from 'vitest';
import type { IncidentKind, IncidentPart } from './incidents.ts';
import { nameIncident, namePlaces } from './describe-incident.ts';

test('networks are named as ranges, as in the rest of the console', () => {
  const affected = ['/198.51', '/2001:db8', 'DE/AS64500', 'SG/', '9900'];
  expect(namePlaces({ kind: 'line-lost', subject: '', affected })).toEqual([
    '198.51.0.0/16',
    '2001:db8::/32',
    'DE/AS64500',
    'SG',
    '9900',
  ]);
});

test('an incident that is named after the one line that is down is not in the networks that lose the others', () => {
  const part = (subject: string, more: Partial<IncidentPart>) =>
    ({ subject, cause: `line/${subject}`, affected: [], endedAt: null, ...more }) as unknown as IncidentPart;
  const lost = part('a.example', { kind: 'line-lost', affected: ['SG/'] });
  const incident = {
    kind: 'line-down',
    subject: 'a.example',
    affected: ['SG/'],
    endedAt: null,
    parts: [lost, part('b.example', { kind: 'line-down' })],
  } as const;
  expect(nameIncident(incident, 'en')).toBe('b.example is down for everyone');
  expect(namePlaces(incident)).toEqual([]);
  expect(namePlaces({ ...incident, kind: 'line-lost' })).toEqual(['SG']);
});

test('an incident of a kind that only a newer portal knows is named by it', () => {
  const subject = 'line1.example';
  expect(nameIncident({ kind: 'line-down', subject }, 'zh-CN')).toBe('line1.example 对所有访客中断');
  expect(nameIncident({ kind: 'line-on-fire' as IncidentKind, subject }, 'en')).toBe(
    'line-on-fire line1.example',
  );
});
