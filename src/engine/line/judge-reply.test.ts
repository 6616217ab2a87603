import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeFault } from '../../contract/line/describe-fault.ts';
import type { LineAnswer, LineReply } from '../../contract/line/line-reply.ts';
import { isOurLine } from './is-our-line.ts';
import { findPageFault, judgeReply } from './judge-reply.ts';

const ADDRESS = 'https://www1.a.example:9900';
const EXPECTED = { marker: 'm1', markerHeader: 'server', portal: 'https://go.example' };
const HEADERS = {
  server: 'm1',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Server',
};
type Headers = Readonly<Record<string, string | undefined>>;

function answer(changes: Partial<LineAnswer>, headers: Headers = {}): LineAnswer {
  return {
    kind: 'answer',
    status: 200,
    timeMs: 20,
    certificate: undefined,
    ...changes,
    headers: { ...HEADERS, ...headers },
  };
}

function judge(reply: LineReply, changes: Partial<typeof EXPECTED> = {}, address = ADDRESS) {
  const { cause, faults } = judgeReply(address, reply, { ...EXPECTED, ...changes });
  return { cause, faults: faults.map(({ kind }) => kind) };
}

const VALID = { cause: undefined, faults: [] };

describe('the rule', () => {
  test.each<[number, boolean]>([
    [199, false],
    [200, true],
    [204, true],
    [299, true],
    [300, false],
    [304, false],
    [404, false],
    [500, false],
  ])('status %i with the marker: %s', (status, isValid) => {
    expect(judge(answer({ status })).cause).toBe(isValid ? undefined : 'wrong-server');
  });

  test.each(['M1', 'm1 ', 'm1, m1', 'm', 'm12', ''])('"%s" is not the marker "m1"', (server) => {
    expect(judge(answer({}, { server }))).toEqual({ cause: 'wrong-server', faults: ['other-marker'] });
  });
});

describe('what a page sees of an answer', () => {
  test.each<[string, LineReply, ReturnType<typeof judge>]>([
    ['all that it needs', answer({}), VALID],
    ['silence', { kind: 'timeout' }, { cause: 'timeout', faults: ['timeout'] }],
    [
      'a closed port',
      { kind: 'unreachable', code: 'ECONNREFUSED' },
      { cause: 'unreachable', faults: ['unreachable'] },
    ],
    ['a switch of protocols', answer({ status: 101 }), { cause: 'unreachable', faults: ['upgrade'] }],
    ['a redirect', answer({ status: 302 }), { cause: 'wrong-server', faults: ['redirect'] }],
    [
      'a redirect behind a certificate that it does not trust',
      answer({ status: 302, certificate: { validTo: new Date(0), faultCode: 'CERT_HAS_EXPIRED' } }),
      { cause: 'unreachable', faults: ['certificate', 'redirect'] },
    ],
    [
      'a certificate that it does not trust',
      answer({ certificate: { validTo: new Date(0), faultCode: 'CERT_HAS_EXPIRED' } }),
      { cause: 'unreachable', faults: ['certificate'] },
    ],
    ['no marker', answer({}, { server: undefined }), { cause: 'wrong-server', faults: ['no-marker'] }],
  ])('%s', (_, reply, verdict) => {
    expect(judge(reply)).toEqual(verdict);
  });

  test.each<[string | undefined, boolean]>([
    ['*', true],
    ['https://go.example', true],
    ['https://GO.example', false],
    ['https://go.example/', false],
    ['https://other.example', false],
    ['null', false],
    ['*, *', false],
    ['', false],
    [undefined, false],
  ])('Access-Control-Allow-Origin: %s allows a page of https://go.example: %s', (allowed, isAllowed) => {
    expect(judge(answer({}, { 'access-control-allow-origin': allowed }))).toEqual(
      isAllowed ? VALID : { cause: 'wrong-server', faults: ['not-allowed'] },
    );
  });

  test('what a line sends is quoted in its faults with 100 characters at most', () => {
    const quotes = (length: number) =>
      judgeReply(
        ADDRESS,
        answer({ status: 302 }, { location: 'l'.repeat(length), server: 'm'.repeat(length) }),
        EXPECTED,
      ).faults;
    expect(quotes(100)).toMatchObject([{ location: 'l'.repeat(100) }, { found: 'm'.repeat(100) }]);
    expect(quotes(101)).toMatchObject([
      { location: `${'l'.repeat(100)}…` },
      { found: `${'m'.repeat(100)}…` },
    ]);
  });

  test('what a line sends is quoted without characters that a terminal obeys', () => {
    const { faults } = judgeReply(ADDRESS, answer({}, { server: 'a\u001b[2J\u009b2Jb\t\u202ec' }), EXPECTED);
    expect(faults).toMatchObject([{ found: 'a�[2J�2Jb��c' }]);
  });

  test('where the portal is not known, a line must allow every origin', () => {
    const judgeAllowed = (allowed: string) =>
      judgeReply(ADDRESS, answer({}, { 'access-control-allow-origin': allowed }), {
        ...EXPECTED,
        portal: undefined,
      }).cause;
    // A line that repeats the origin of each request answers "null" here.
    expect(['*', 'null', 'https://go.example'].map(judgeAllowed)).toEqual([
      undefined,
      undefined,
      'wrong-server',
    ]);
  });

  test.each<[string | undefined, boolean]>([
    ['Server', true],
    ['Date,  SERVER', true],
    [',Server,', true],
    ['*', true],
    ['Date, *', true],
    ['Date', false],
    ['Servers', false],
    ['Server; Date', false],
    ['Server, a b', false],
    ['', false],
    [undefined, false],
  ])('Access-Control-Expose-Headers: %s shows the marker: %s', (exposed, isShown) => {
    expect(judge(answer({}, { 'access-control-expose-headers': exposed }))).toEqual(
      isShown ? VALID : { cause: 'wrong-server', faults: ['not-exposed'] },
    );
  });

  test('headers that are always shown, and one that never is', () => {
    const sent = { 'content-language': 'm1', 'set-cookie': 'm1', 'access-control-expose-headers': undefined };
    expect(judge(answer({}, sent), { markerHeader: 'Content-Language' })).toEqual(VALID);
    const all = { ...sent, 'access-control-expose-headers': '*' };
    expect(judge(answer({}, all), { markerHeader: 'Set-Cookie' }).faults).toEqual(['not-exposed']);
  });

  test('a line on the portal’s own origin needs no permission', () => {
    const bare = { 'access-control-allow-origin': undefined, 'access-control-expose-headers': undefined };
    expect(judge(answer({}, bare), {}, 'https://go.example')).toEqual(VALID);
  });

  test.each<[string, string | undefined, boolean]>([
    ['http://a.example', 'https://go.example', true],
    ['http://192.0.2.1:9900', 'https://go.example', true],
    ['http://localhost.example', 'https://go.example', true],
    ['http://line1.localhost:9900', 'https://go.example', false],
    ['http://127.0.0.1:9900', 'https://go.example', false],
    ['http://[::1]:9900', 'https://go.example', false],
    ['http://a.example', 'http://go.example', false],
    ['http://a.example', undefined, false],
  ])('%s is blocked on pages of %s: %s', (address, portal, isBlocked) => {
    const { cause, faults } = judgeReply(address, answer({}), { ...EXPECTED, portal });
    expect([cause, faults.map(({ kind }) => kind)]).toEqual(
      isBlocked ? ['unreachable', ['mixed-content']] : [undefined, []],
    );
  });
});

test('there is a reason exactly where a line is not valid, and each reason has its words', () => {
  const value = (values: readonly (string | undefined)[]) => fc.constantFrom(...values);
  const replies = fc.record({
    status: fc.constantFrom(101, 200, 204, 301, 304, 404, 500),
    server: value(['m1', 'nginx', undefined]),
    allowed: value(['*', '*, *', 'https://go.example', undefined]),
    exposed: value(['*', 'server', 'date', 'a b', undefined]),
    faultCode: value([undefined, 'CERT_HAS_EXPIRED']),
  });
  fc.assert(
    fc.property(replies, ({ status, server, allowed, exposed, faultCode }) => {
      const headers = {
        server,
        'access-control-allow-origin': allowed,
        'access-control-expose-headers': exposed,
      };
      const reply = answer({ status, certificate: { validTo: new Date(0), faultCode } }, headers);
      const { cause, faults } = judgeReply(ADDRESS, reply, EXPECTED);
      expect(faults.length === 0).toBe(cause === undefined);
      for (const fault of faults) {
        expect(describeFault(fault, 'en').advice).toMatch(/^[A-Z].*\.$/);
      }
    }),
  );
});

test('the page’s own answer is judged by the same rule', () => {
  const response = (init: ResponseInit) => isOurLine(new Response(null, init), EXPECTED);
  expect(response({ headers: { Server: 'm1' } })).toBe(true);
  expect(response({ status: 404, headers: { Server: 'm1' } })).toBe(false);
  expect(
    response({
      headers: [
        ['Server', 'm1'],
        ['Server', 'm1'],
      ],
    }),
  ).toBe(false);
});

test.each<[number, boolean]>([
  [200, true],
  [302, true],
  [403, true],
  [429, true],
  [404, false],
  [410, false],
  [500, false],
  [101, false],
])('a page that answers %i is there: %s', (status, isThere) => {
  expect(findPageFault(answer({ status }))).toEqual(isThere ? undefined : { kind: 'page-status', status });
});
