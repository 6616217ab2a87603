import { expect, test } from 'vitest';
import type { ApiCode } from '../../contract/error-codes.ts';
import type { Incident } from '../../contract/incidents.ts';
import type { Failure } from '../live/call-server.ts';
import { describeProblem } from './action-button.tsx';
import { nameNow } from './incident-item.tsx';
import { listOpen } from './incidents-view.tsx';
import { INCIDENT_VIEW_TEXTS } from './texts.ts';

const HAN = /\p{Script=Han}/u;
const refused = (code: ApiCode, details = {}): Failure => ({
  kind: 'refused',
  status: 409,
  code,
  message: 'A sentence of the server.',
  details,
});
const say = (failure: Failure, language: 'en' | 'zh-CN') =>
  describeProblem(failure, INCIDENT_VIEW_TEXTS[language], language);

test('why a channel did not take its test is told in the language of the console', () => {
  const fault = { kind: 'channel-status', host: 'hook.example', status: 500 } as const;
  const failure = refused('channel-failed', { fault });
  expect(say(failure, 'en')).toBe('The channel did not take the test: hook.example answered with status 500');
  expect(say(failure, 'zh-CN')).toBe('通道未接受测试：hook.example 应答状态码为 500');
});

test('so is everything else that may go wrong', () => {
  const failures = [
    refused('unknown-incident'),
    refused('role-too-low'),
    refused('internal'),
    { kind: 'lost' } as const,
  ];
  for (const failure of failures) {
    expect(say(failure, 'en')).not.toMatch(HAN);
    expect(say(failure, 'zh-CN')).toMatch(HAN);
  }
});

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

test('an incident whose line is better by now is named so', () => {
  const name = (easedTo: 'up' | 'degraded' | null, language: 'en' | 'zh-CN') =>
    nameNow({ kind: 'line-down', subject: 'a.example', easedTo }, INCIDENT_VIEW_TEXTS[language], language);
  expect(name(null, 'en')).toBe('a.example is down for everyone');
  expect(name('up', 'en')).toBe('a.example was down and is up again');
  expect(name('degraded', 'zh-CN')).toBe('a.example 曾中断，目前部分异常');
});
