import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { PageView } from '../../contract/visit-events.ts';
import { openTestDatabase } from '../testing/open-test-database.ts';
import { keepVisits } from './keep-visits.ts';
import { SOURCE_NUMBERS, countFetch, countSources } from './source-cells.ts';

const FACTS = { country: 'SG', languages: ['en', 'zh-CN'], isCampaign: (code: string) => code === 'spring' };
const NOON = Date.UTC(2026, 10, 16, 12);
const TODAY = NOON / 86_400_000 - 0.5;

test('counts how far a visitor came, by what brought them, and by one property at a time', () => {
  const counted = countSources(
    {
      page: '/c',
      device: 'mobile',
      language: 'en',
      steps: ['page_view', 'first_row'],
      from: { campaign: 'spring', utm_source: 'a/b' },
    },
    FACTS,
  );
  expect([...counted.keys()].toSorted()).toEqual([
    'all/campaign/first_row/spring',
    'all/campaign/page_view/spring',
    'all/utm_source/first_row/a/b',
    'all/utm_source/page_view/a/b',
    'country/campaign/first_row/SG/spring',
    'country/campaign/page_view/SG/spring',
    'country/utm_source/first_row/SG/a/b',
    'country/utm_source/page_view/SG/a/b',
    'device/campaign/first_row/mobile/spring',
    'device/campaign/page_view/mobile/spring',
    'device/utm_source/first_row/mobile/a/b',
    'device/utm_source/page_view/mobile/a/b',
    'language/campaign/first_row/en/spring',
    'language/campaign/page_view/en/spring',
    'language/utm_source/first_row/en/a/b',
    'language/utm_source/page_view/en/a/b',
  ]);
});

test('believes neither a code nor a language that the site does not have', () => {
  const batch: PageView = { page: '/c', device: 'pc', steps: ['page_view'] };
  expect(countSources({ ...batch, from: { campaign: 'made-up' } }, FACTS).size).toBe(0);
  const cells = countSources({ ...batch, language: 'xx', from: { campaign: 'spring' } }, FACTS);
  expect([...cells.keys()]).toContain('language/campaign/page_view/other/spring');
  expect(countSources({ page: '/r' }, FACTS).size).toBe(0);
});

test('counts 300 values of utm_… on a day by name, and all others together', async () => {
  const sources = keepVisits({
    database: await openTestDatabase(),
    log: pino({ level: 'silent' }),
    now: () => NOON,
    numbers: SOURCE_NUMBERS,
  });
  for (let index = 0; index < 310; index += 1) {
    const from = { utm_source: `s${index}` };
    sources.count(
      countSources({ page: '/r', device: 'pc', language: 'en', steps: ['page_view'], from }, FACTS),
    );
  }
  sources.count(countFetch('spring', 'preview'));
  const sums = await sources.readSums(TODAY, TODAY * 24 + 23);
  const named = [...sums.keys()].filter((cell) => cell.startsWith('all/utm_source/page_view/s'));
  expect(named).toHaveLength(300);
  expect(sums.get('all/utm_source/page_view/other')).toBe(10);
  expect(sums.get('country/utm_source/page_view/SG/other')).toBe(10);
  expect(sums.get('all/campaign/preview/spring')).toBe(1);
  const only = await sources.readSums(TODAY, TODAY * 24 + 23, '%/campaign/%');
  expect([...only.keys()]).toEqual(['all/campaign/preview/spring']);
});
