import { expect, test } from 'vitest';
import { describeDetail } from './describe-detail.ts';
import type { IncidentDetail } from './incidents.ts';

const host = 'a.example';

/** At least one of each kind that has words. */
const DETAILS: Readonly<Record<Exclude<IncidentDetail['kind'], 'text'>, readonly IncidentDetail[]>> = {
  'line-faults': [
    { kind: 'line-faults', faults: [{ kind: 'timeout' }, { kind: 'status', status: 404 }] },
    { kind: 'line-faults', faults: [{ kind: 'health-status', path: '/health', status: 503 }] },
  ],
  'not-reached': [
    { kind: 'not-reached', by: 'visitors' },
    { kind: 'not-reached', by: 'some-visitors' },
    { kind: 'not-reached', by: 'visitors-and-some-elsewhere' },
  ],
  slow: [{ kind: 'slow', times: 3.4 }],
  'visitors-missing': [{ kind: 'visitors-missing', percent: 4.1, minutes: 7 }],
  'cut-off': [{ kind: 'cut-off' }],
  'certificate-ends': [
    { kind: 'certificate-ends', at: Date.UTC(2027, 0, 15) },
    { kind: 'certificate-ends', at: Date.UTC(2027, 0, 15), hasEnded: true },
  ],
  'visitors-stranded': [{ kind: 'visitors-stranded', percent: 7, allowedPercent: 1, minutes: 30 }],
  'site-fault': [
    { kind: 'site-fault', fault: { code: 'broken-json', sentences: { en: '3', 'zh-CN': '有误 3' } } },
  ],
  store: [
    { kind: 'store', store: 'database' },
    { kind: 'store', store: 'folder' },
  ],
  'reports-refused': [{ kind: 'reports-refused', reports: 200, minutes: 5 }],
  'regions-unknown': [{ kind: 'regions-unknown', percent: 25.5, minutes: 5 }],
  'channel-late': [
    { kind: 'channel-late', seconds: 15 },
    { kind: 'channel-late', seconds: 15, host },
  ],
  'channel-unreachable': [
    { kind: 'channel-unreachable', host },
    { kind: 'channel-unreachable', host, code: 'ECONNREFUSED' },
  ],
  'channel-status': [{ kind: 'channel-status', host, status: 500 }],
  'channel-private': [{ kind: 'channel-private', host }],
  'channel-secret-missing': [
    { kind: 'channel-secret-missing', place: 'variable', name: 'WAYPOST_ALERT_NIGHT' },
    { kind: 'channel-secret-missing', place: 'file', name: 'night' },
  ],
  'channel-secret-wrong': [{ kind: 'channel-secret-wrong' }],
  'channel-url-wrong': [{ kind: 'channel-url-wrong' }],
  'channel-refused': [
    { kind: 'channel-refused', reason: 'chat 42' },
    { kind: 'channel-refused', host, reason: 'chat 42' },
  ],
  test: [{ kind: 'test' }],
};

test.each(Object.values(DETAILS).flat())('is said in both languages, with the same values: %o', (detail) => {
  const [english, chinese] = [describeDetail(detail, 'en'), describeDetail(detail, 'zh-CN')];
  expect(english).not.toMatch(/\p{Script=Han}/u);
  expect(chinese).toMatch(/\p{Script=Han}/u);
  expect(chinese).not.toMatch(/\b(?:is|has|not|with|answers?|sends|says|does|could|may|the|it)\b/);
  const valuesOf = (text: string) =>
    (text.match(/[\w.-]*\d[\w.:-]*|[A-Z_]{5,}|\w+\.example/g) ?? []).toSorted();
  expect(valuesOf(chinese)).toEqual(valuesOf(english));
});

test('several faults of a line are told one after the other', () => {
  const detail: IncidentDetail = {
    kind: 'line-faults',
    faults: [
      { kind: 'unreachable', code: 'ECONNREFUSED' },
      { kind: 'other-marker', marker: 'b', header: 'server', found: 'a' },
    ],
  };
  expect(describeDetail(detail, 'en')).toBe('refused the connection; sends the marker "a", not "b"');
  expect(describeDetail(detail, 'zh-CN')).toBe('拒绝了连接；标识为“a”，应为“b”');
});

test('of a line that some visitors lose it says where that is known to be, and no more', () => {
  const say = (by: 'some-visitors' | 'visitors-and-some-elsewhere') =>
    (['en', 'zh-CN'] as const).map((language) => describeDetail({ kind: 'not-reached', by }, language));
  expect(say('some-visitors')).toEqual([
    'some visitors of several networks do not reach it',
    '多个网络中有部分访客无法连通',
  ]);
  expect(say('visitors-and-some-elsewhere')).toEqual([
    'visitors of the named places do not reach it, and neither do some visitors elsewhere',
    '所列范围的访客无法连通，其他网络中也有部分访客无法连通',
  ]);
});

test('how many visitors were lost is told with both numbers', () => {
  const detail = { kind: 'visitors-stranded', percent: 7, allowedPercent: 1, minutes: 5 } as const;
  expect([describeDetail(detail, 'en'), describeDetail(detail, 'zh-CN')]).toEqual([
    '7.0% of the visitors of the last 5 minutes reached no line; at most 1.0% is accepted',
    '最近 5 分钟内，7.0% 的访客无法进入任何线路（允许 1.0%）',
  ]);
});

test('what has no words stays as it is, and of what only a newer portal knows the name is said', () => {
  expect(describeDetail({ kind: 'text', text: 'was seen by nobody' }, 'zh-CN')).toBe('was seen by nobody');
  const read = (text: string) => JSON.parse(text) as IncidentDetail;
  expect(describeDetail(read('{"kind":"moon"}'), 'en')).toBe('moon');
  expect(describeDetail(read('{"kind":"not-reached","by":"moon"}'), 'en')).toBe('not-reached');
  expect(describeDetail(read('{"kind":"line-faults","faults":[{"kind":"moon"}]}'), 'en')).toBe('moon');
});
