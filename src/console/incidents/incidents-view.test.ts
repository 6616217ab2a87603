import { expect, test } from 'vitest';
import type { Incident } from '../../contract/incidents.ts';
import { ChangeError } from '../live/send-change.ts';
import { describeProblem, listOpen } from './incidents-view.tsx';
import { INCIDENT_VIEW_TEXTS } from './texts.ts';

const HAN = /\p{Script=Han}/u;
const say = (error: unknown, language: 'en' | 'zh-CN') =>
  describeProblem(error, INCIDENT_VIEW_TEXTS[language], language);

test('why a channel did not take its test is told in the language of the console', () => {
  const fault = { kind: 'channel-status', host: 'hook.example', status: 500 } as const;
  const error = new ChangeError({ code: 'channel-failed', message: 'The channel did not …', fault });
  expect(say(error, 'en')).toBe('The channel did not take the test: hook.example answered with status 500');
  expect(say(error, 'zh-CN')).toBe('通道未接受测试：hook.example 应答状态码为 500');
});

test('so is everything else that may go wrong', () => {
  const errors = [
    new ChangeError({ code: 'unknown-incident', message: 'No incident that is open has this id.' }),
    new ChangeError({ code: 'role-too-low', message: 'This needs the role editor.' }),
    new ChangeError({ code: 'internal', message: 'The server could not answer this request.' }),
    new ChangeError(),
  ];
  for (const error of errors) {
    expect(say(error, 'en')).not.toMatch(HAN);
    expect(say(error, 'zh-CN')).toMatch(HAN);
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
