import { expect, test } from 'vitest';
import { SENTENCE_TEXTS } from './sentence-texts.ts';
import { writeSentence } from './write-sentence.ts';

const NAMES = {
  kind: (kind: string) =>
    ({ 'line-down': 'a line is down', certificate: 'a certificate ends' })[kind] ?? kind,
  channel: (name: string) => (name === 'on-call' ? 'who is on call' : name),
};
const NIGHT = {
  when: ['line-down', 'certificate'],
  severity: 'high',
  lines: ['line1.example'],
  hours: '22:00-08:00 Asia/Ho_Chi_Minh',
  to: ['on-call', 'night'],
  remindMinutes: 30,
  escalate: [{ afterMinutes: 10, to: ['team'] }, { afterMinutes: 20 }],
  resolved: false,
};

test('a rule reads as a sentence', () => {
  expect(writeSentence(NIGHT, SENTENCE_TEXTS.en, NAMES)).toBe(
    'From 22:00 to 08:00 (Ho Chi Minh): when a line is down or a certificate ends with line1.example and it is at least high, ' +
      'tell who is on call and night. Say it again every 30 min until somebody takes it. ' +
      'If nobody takes it within 10 min, tell team, too. If nobody takes it within 20 min, tell nobody yet, too. Do not tell when it is over.',
  );
  expect(writeSentence({ to: ['night'], lines: ['*'], severity: 'low' }, SENTENCE_TEXTS.en, NAMES)).toBe(
    'When anything goes wrong, tell night. Tell when it is over.',
  );
  expect(writeSentence(NIGHT, SENTENCE_TEXTS['zh-CN'], NAMES)).toMatch(
    /^每天 22:00 至 08:00（Ho Chi Minh），line1.example a line is down或a certificate ends且级别至少为“.+”时，通知 who is on call和night。每 30 分钟/,
  );
});

test.each([
  [{}, 'When anything goes wrong, tell nobody yet. Tell when it is over.'],
  [
    { when: 7, to: [1, 'night'], hours: 'always', escalate: { to: [] }, remindMinutes: 'x' },
    'When anything goes wrong, tell night. Tell when it is over.',
  ],
])('says what it can of a broken rule: %j', (rule, sentence) => {
  expect(writeSentence(rule, SENTENCE_TEXTS.en, NAMES)).toBe(sentence);
});
