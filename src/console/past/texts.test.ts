import { expect, test } from 'vitest';
import { sampleLocale } from '../testing/sample-locale.ts';
import type { ConsoleChange } from '../../contract/moments.ts';
import { describeChange } from './recent-changes.tsx';
import { PAST_TEXTS } from './texts.ts';

const NAMES = { en: 'line1 is down for everyone', 'zh-CN': 'line1 全部中断' };
const CHANGES: readonly ConsoleChange[] = [
  { kind: 'published', at: 1, hash: 'abc' },
  { kind: 'line', at: 2, id: 'a', host: 'https://line1.example', status: 'down' },
  { kind: 'opened', at: 3, severity: 'high', names: NAMES },
  { kind: 'told', at: 4, severity: 'high', names: NAMES, channel: 'pager' },
];

test('a change is said in the words of the operator', () => {
  const texts = PAST_TEXTS.en;
  expect(CHANGES.map((change) => describeChange(change, texts, sampleLocale()))).toEqual([
    'The site was published',
    'line1.example: Down',
    'Incident: line1 is down for everyone',
    'Message to pager: line1 is down for everyone',
  ]);
});
