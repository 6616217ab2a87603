import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { CampaignDetail, CampaignNumbers } from '../../../contract/campaigns.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { createSiteFiles } from '../../testing/site-files.ts';
import { createTestConsole } from '../../testing/test-console.ts';
import { keepVisits } from '../../visitors/keep-visits.ts';
import { SOURCE_NUMBERS } from '../../visitors/source-cells.ts';

const DAY_MS = 86_400_000;
const CAMPAIGNS = {
  spring: { name: 'Spring cup', path: '/promo/spring' },
  over: { name: 'Over', until: '2026-01-01T00:00Z' },
  soon: { name: 'Soon', from: '2026-02-01T00:00Z' },
};

/** A console whose portal counts what a test tells it, at 12:00 of 5 January. */
async function openConsole() {
  const noon = Date.UTC(2026, 0, 5, 12);
  const clock = { now: noon };
  const sourceVisits = keepVisits({
    database: await openTestDatabase(),
    log: pino({ level: 'silent' }),
    now: () => clock.now,
    numbers: SOURCE_NUMBERS,
  });
  const files = await createSiteFiles((config) => Object.assign(config, { campaigns: CAMPAIGNS }));
  const { ask, read } = await createTestConsole({ sourceVisits, files });
  const countAgo = (agoMs: number, cells: Readonly<Record<string, number>>): void => {
    clock.now = noon - agoMs;
    sourceVisits.count(new Map(Object.entries(cells)));
    clock.now = noon;
  };
  return { ask, read, countAgo };
}

test('lists every campaign with its state and its numbers, the most opened first, and those that were removed', async () => {
  const { read, countAgo } = await openConsole();
  countAgo(0, {
    'all/campaign/page_view/spring': 5,
    'all/campaign/first_row/spring': 4,
    'all/campaign/entered/spring': 3,
    'all/campaign/preview/spring': 9,
    'all/campaign/page_view/gone': 7,
    'all/campaign/page_view/over': 1,
    'all/utm_source/page_view/a/b': 2,
    'all/utm_source/entered/a/b': 1,
  });
  countAgo(7 * DAY_MS + 1, { 'all/campaign/page_view/spring': 8 });
  const { campaigns, utm, isOn } = await read<CampaignNumbers>('/api/console/campaigns?range=7d');
  expect(isOn).toBe(false);
  expect(campaigns.map(({ code, state }) => `${code} ${state}`)).toEqual([
    'gone removed',
    'spring open',
    'over ended',
    'soon soon',
  ]);
  const spring = campaigns.find(({ code }) => code === 'spring');
  expect(spring?.steps).toEqual({
    page_view: { now: 5, before: 8 },
    first_row: { now: 4, before: 0 },
    entered: { now: 3, before: 0 },
  });
  expect(spring?.fetches.preview).toEqual({ now: 9, before: 0 });
  // By hour, up to the one that is running.
  expect(spring?.views).toHaveLength(6 * 24 + 13);
  expect(spring?.views.at(-1)).toBe(5);
  expect(utm.utm_source).toEqual([{ name: 'a/b', now: 2, before: 0, entered: { now: 1, before: 0 } }]);
});

test('describes one campaign by time, country, language and device', async () => {
  const { read, countAgo, ask } = await openConsole();
  countAgo(0, {
    'all/campaign/page_view/spring': 2,
    'country/campaign/page_view/SG/spring': 2,
    'country/campaign/entered/SG/spring': 1,
    'country/campaign/page_view//spring': 4,
    'device/campaign/page_view/mobile/spring': 2,
    'language/campaign/page_view/en/spring': 2,
    'country/campaign/page_view/MY/over': 9,
  });
  const detail = await read<CampaignDetail>('/api/console/campaigns/one?code=spring&range=today');
  expect(detail.campaign.name).toBe('Spring cup');
  expect(detail.countries).toEqual([
    { name: '', views: { now: 4, before: 0 }, entered: { now: 0, before: 0 } },
    { name: 'SG', views: { now: 2, before: 0 }, entered: { now: 1, before: 0 } },
  ]);
  expect(detail.devices.map(({ name }) => name)).toEqual(['mobile']);
  expect(detail.languages.map(({ name }) => name)).toEqual(['en']);
  expect(detail.points.at(-1)).toMatchObject({ views: 2, entered: 0 });
  // The accent of the demo is too pale on white.
  expect(detail.qr).toEqual({ colour: '#0a0f1a', logo: expect.stringMatching(/^data:image\/svg\+xml/) });
  // A visitor made this parameter up.
  countAgo(0, { 'all/utm_source/page_view/x/campaign/y/never': 1 });
  for (const code of ['never', 'a%b', '']) {
    const { status, text } = await ask(`/api/console/campaigns/one?code=${encodeURIComponent(code)}`);
    expect([code, status, text]).toEqual([code, 404, expect.stringContaining('unknown-campaign')]);
  }
});

test('is a table for a spreadsheet, too, in which nothing is a formula', async () => {
  const { ask, countAgo } = await openConsole();
  countAgo(0, { 'all/campaign/page_view/spring': 2, 'all/utm_medium/page_view/=1+1': 3 });
  const { text, headers } = await ask('/api/console/campaigns.csv?range=today');
  expect(headers['content-disposition']).toBe('attachment; filename="campaigns-today.csv"');
  const rows = text.split('\r\n');
  expect(rows[0]).toBe('part,name,measure,now,before');
  expect(rows).toContain('campaign,spring,page_view,2,0');
  expect(rows).toContain("utm_medium,'=1+1,page_view,3,0");
});
