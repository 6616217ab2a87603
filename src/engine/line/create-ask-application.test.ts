import { describe, expect, test } from 'vitest';
import type { LineReply } from '../../contract/line/line-reply.ts';
import type { HealthRule } from '../../contract/site/line-settings.ts';
import { createAskApplication } from './create-ask-application.ts';

type Expected = Partial<HealthRule['expect']>;

async function judge(expected: Expected, reply: Partial<LineReply> = {}): Promise<string | undefined> {
  const expect = { status: 200, ...expected };
  const rule = { path: '/health', expect, everySeconds: 30, timeoutMs: 700 };
  const answer = { kind: 'answer', status: 200, headers: {}, timeMs: 1, certificate: undefined, ...reply };
  const ask = createAskApplication(rule, async (_address, question) => {
    if (question.path !== '/health' || question.timeoutMs !== 700) throw new Error('asked otherwise');
    return answer as LineReply;
  });
  return (await ask?.('https://a.example'))?.kind;
}

describe('an application', () => {
  test('is well if it answers with the status, whatever the body says', async () => {
    expect(await judge({})).toBeUndefined();
    expect(await judge({}, { status: 204 })).toBe('health-status');
    expect(await judge({ status: 204 }, { status: 204 })).toBeUndefined();
    // A redirect is an answer like any other: it is not followed.
    expect(await judge({}, { status: 302 })).toBe('health-status');
  });

  test('is not well if it does not answer', async () => {
    expect(await judge({}, { kind: 'timeout' })).toBe('health-no-answer');
    expect(await judge({}, { kind: 'unreachable', code: 'ECONNRESET' })).toBe('health-no-answer');
  });

  test('must say a text, where one is expected', async () => {
    expect(await judge({ text: 'all is well' }, { body: 'yes, all is well.' })).toBeUndefined();
    expect(await judge({ text: 'all is well' }, { body: 'all is lost' })).toBe('health-body');
    expect(await judge({ text: 'all is well' })).toBe('health-body');
  });

  test.each<[string, string | number | boolean | null, string, boolean]>([
    ['status', 'ok', '{"status":"ok"}', true],
    ['status', 'ok', '{"status":"dead"}', false],
    ['parts.0.up', true, '{"parts":[{"up":true}]}', true],
    ['parts.0.up', true, '{"parts":[{"up":"true"}]}', false],
    ['queue', 0, '{"queue":0}', true],
    ['error', null, '{"error":null}', true],
    ['error', null, '{}', false],
    ['constructor.name', 'Object', '{}', false],
    ['status', 'ok', '{"status":"ok"', false],
    ['status', 'ok', '', false],
  ])('must have %s = %j in %s: %s', async (path, value, body, isWell) => {
    expect(await judge({ json: { path, value } }, { body })).toBe(isWell ? undefined : 'health-body');
  });
});

test('nothing is asked where the site folder has no rule', () => {
  expect(createAskApplication(undefined, () => Promise.reject(new Error('asked')))).toBeUndefined();
});
