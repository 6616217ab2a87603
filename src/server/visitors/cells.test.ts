import { expect, test } from 'vitest';
import { countBatch, isCell } from './cells.ts';

test('believes every cell that a batch can make', () => {
  const batch = {
    device: 'mobile' as const,
    language: 'zh-Hant-TW',
    referrer: `${'a.'.repeat(124)}com`,
    steps: ['page_view' as const, 'entered' as const],
    events: { retest: 2 },
    lines: { 'http://line1.localhost:9900': 1, 'xn--fiq228c.example': 1, '[2001:db8::1]:9900': 1, nobody: 3 },
    vitals: { LCP: 2_400, CLS: 0.1, TTFB: 1e5 },
  };
  for (const country of ['SG', 'XX', '']) {
    for (const languages of [['zh-Hant-TW'], ['en']]) {
      const facts = { country, languages, isLine: (host: string) => host !== 'nobody' };
      const cells = [...countBatch(batch, facts).keys()];
      expect(cells).toHaveLength(19);
      expect(cells.filter((cell) => !isCell(cell))).toEqual([]);
    }
  }
});

test('a view of a page that leads on is one cell', () => {
  const facts = { country: 'SG', languages: ['en'], isLine: () => false };
  const cells = [...countBatch({ page: '/r' }, facts)];
  expect(cells).toEqual([['page/r', 1]]);
  expect(isCell('page/r')).toBe(true);
});

test.each([
  'page/',
  'page//r',
  'page/x',
  'event-language/retest/English (US)',
  'event-language/made_up/en',
  'event-country/retest/Singapore',
  'event-device/retest/pc',
  'country/entered/Singapore',
  'country/entered/sg',
  'country/entered/S',
  'country/entered/SG/x',
  'country/made_up/SG',
  'device/entered/tv',
  'device/entered/',
  'language/entered/',
  'language/entered/English (US)',
  'language/entered/en_US',
  'line/',
  'line/a b.example',
  'line/https://user@line1.example',
  `line/${'a'.repeat(400)}.example`,
  'referrer/<b>',
  `referrer/${'a'.repeat(254)}`,
  'event/pc/made_up',
  'event/tv/retest',
  'vital/LCP/1',
  'vital/LCP/2500/',
  'step/made_up',
  'step/entered/',
  'made_up/x',
  '',
])('does not believe %j', (cell) => {
  expect(isCell(cell)).toBe(false);
});
