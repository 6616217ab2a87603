import { describe, expect, it } from 'vitest';
import type { LineReply } from '../../../contract/line/line-reply.ts';
import { describeReply } from './describe-reply.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);
const EXPECTED = { marker: 'm1', markerHeader: 'server', portal: 'https://go.example', now: NOW };
const HEADERS = {
  server: 'm1',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Server',
  'timing-allow-origin': '*',
};

describe('describeReply', () => {
  it('has nothing against a line that answers as it must', () => {
    expect(problems(answer({}))).toEqual([]);
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['sends the marker "nginx", not "m1"', { server: 'nginx' }],
    ['sends the marker "M1", not "m1"', { server: 'M1' }],
    ['sends no server header', { server: undefined }],
    [
      'does not allow pages of the portal to ask it',
      { 'access-control-allow-origin': 'https://other.example' },
    ],
    ['does not allow pages of the portal to ask it', { 'access-control-allow-origin': undefined }],
    ['does not allow pages of the portal to ask it', { 'access-control-allow-origin': '*, *' }],
    ['does not let a page read its marker', { 'access-control-expose-headers': 'Date, ETag' }],
    ["does not let a page read the browser's own timing", { 'timing-allow-origin': undefined }],
  ])('%s: %j', (problem, headers) => {
    expect(problems(answer({ headers: { ...HEADERS, ...headers } }))).toEqual([problem]);
  });

  it("takes the portal's own origin, and a wildcard, for what they mean", () => {
    const headers = {
      ...HEADERS,
      'access-control-allow-origin': 'https://go.example',
      'access-control-expose-headers': '*',
      'timing-allow-origin': 'https://a.example, https://go.example',
    };
    expect(problems(answer({ headers }))).toEqual([]);
  });

  it('reads the marker from the header that the site names', () => {
    const headers = { ...HEADERS, server: 'cdn', 'x-line': 'm1', 'access-control-expose-headers': 'x-line' };
    expect(
      describeReply('https://a.example', answer({ headers }), { ...EXPECTED, markerHeader: 'X-Line' }),
    ).toEqual([]);
  });

  it('names where a redirect leads, and any other status', () => {
    const headers = { ...HEADERS, location: 'https://elsewhere.example/' };
    expect(problems(answer({ status: 301, headers }))).toEqual([
      'redirects the speed check to https://elsewhere.example/',
    ]);
    expect(problems(answer({ status: 404 }))).toEqual(['answers with status 404']);
  });

  it('holds http against a line only where the portal is https', () => {
    const portals = ['https://go.example', 'http://go.example', undefined];
    const faults = portals.map((portal) =>
      describeReply('http://a.example', answer({}), { ...EXPECTED, portal }),
    );
    expect(faults.map(({ length }) => length)).toEqual([1, 0, 0]);
  });

  it.each([
    ['ECONNREFUSED', 'refused the connection'],
    ['ECONNRESET', 'ended the connection without an answer'],
    ['ENOTFOUND', 'has no such name in DNS'],
    ['EPROTO', 'does not speak https here'],
    ['EHOSTUNREACH', 'could not be reached (EHOSTUNREACH)'],
  ])('explains %s', (code, problem) => {
    expect(problems({ kind: 'unreachable', code })).toEqual([problem]);
  });

  it('tells a line that gave no answer from one that cannot be reached', () => {
    expect(problems({ kind: 'timeout' })).toEqual(['gave no answer within 5 seconds']);
  });

  it.each([
    [undefined, 14, []],
    [undefined, 13, ['has a certificate that expires on 2026-01-14']],
    ['CERT_HAS_EXPIRED', -2, ['has a certificate that expired on 2025-12-30']],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 90, ['has a certificate that is not for www1.a.example']],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 90, ['has a certificate whose authority is missing or not trusted']],
    ['CERT_REVOKED', 90, ['has a certificate that is not valid (CERT_REVOKED)']],
  ])('judges a certificate with %s and %d days left', (faultCode, days, expected) => {
    const certificate = { faultCode, validTo: new Date(NOW + days * DAY_MS) };
    expect(problems(answer({ certificate }))).toEqual(expected);
  });

  it('has advice for every fault', () => {
    const faults = describeReply('http://a.example', answer({ status: 302, headers: {} }), EXPECTED);
    expect(faults).toHaveLength(6);
    for (const { advice } of faults) expect(advice).toMatch(/^[A-Z].*\.$/);
  });
});

function answer(fields: Partial<Extract<LineReply, { kind: 'answer' }>>): LineReply {
  return { kind: 'answer', status: 200, headers: HEADERS, timeMs: 20, certificate: undefined, ...fields };
}

function problems(reply: LineReply): readonly string[] {
  return describeReply('https://www1.a.example:9900', reply, EXPECTED).map(({ problem }) => problem);
}
