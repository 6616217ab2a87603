import { expect, test } from 'vitest';
import { INCIDENT_TEXTS, namePlaces } from './describe-incident.ts';
import { describeFault } from './line/describe-fault.ts';
import type { LineFault } from './line/line-fault.ts';

const { detail } = INCIDENT_TEXTS['zh-CN'];
const [marker, header, path] = ['waypost-demo', 'server', '/health'];
/** Those that are seen most often. */
const FAULTS: readonly LineFault[] = [
  { kind: 'timeout' },
  ...['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET'].map((code) => ({ kind: 'unreachable', code }) as const),
  ...['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(
    (code) => ({ kind: 'certificate', code, hostname: 'a.example', validTo: 0 }) as const,
  ),
  { kind: 'status', status: 404 },
  { kind: 'no-marker', marker, header },
  { kind: 'other-marker', marker, header, found: 'nginx' },
  { kind: 'page-status', status: 404 },
  { kind: 'health-status', path, status: 503 },
];

test.each(FAULTS)('what the server saw of a line is told in Chinese: $kind $code', (fault) => {
  const { problem } = describeFault(fault);
  expect(detail(problem)).toMatch(/\p{Script=Han}/u);
  expect(detail(problem)).not.toMatch(/\b(?:is|has|not|with|answers?|sends|says|does|could)\b/);
});

test('several faults are told one after the other, and what has no Chinese words stays', () => {
  expect(detail('refused the connection; says "a", not "c"; was seen by nobody')).toBe(
    '拒绝连接；标识为“a”，应为“c”；was seen by nobody',
  );
});

test('how many visitors were lost is told in Chinese, although the sentence has two parts', () => {
  expect(detail('7% of the visitors of the last 5 minutes reached no line; at most 1% may')).toBe(
    '最近 5 分钟内，7% 的访客无法进入任何线路（允许 1%）',
  );
});

test('networks are named as ranges, as in the rest of the console', () => {
  const affected = ['/198.51', '/2001:db8', 'DE/AS64500', 'SG/', '9900'];
  expect(namePlaces({ affected })).toEqual(['198.51.0.0/16', '2001:db8::/32', 'DE/AS64500', 'SG', '9900']);
});
