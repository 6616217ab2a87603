import { IPHONE, SAMPLE_CAMPAIGNS } from '../../src/server/testing/sample-campaigns.ts';
import { IN_RESTRICTED_REGION } from '../support/test.ts';
import { PHONE, expect, expectEntered, takeShot, test } from './support/webkit-test.ts';

test.use({
  viewport: PHONE,
  changes: {
    site: { campaigns: SAMPLE_CAMPAIGNS, network: IN_RESTRICTED_REGION.changes.site.network },
    links: { ub: 'http://line4.localhost/promo/ios' },
  },
});

test('a link ends at a line that has proved itself, at its path', async ({ webkit, lines }) => {
  lines.set('line1.localhost', { fault: 'wrong-marker' });
  lines.set('line2.localhost', { fault: 'hang' });
  lines.set('line3.localhost', { delayMs: 300 });
  lines.set('line4.localhost', { fault: 'refuse' });
  await webkit.goto('/c/spring');
  await expectEntered(webkit, 'line3.localhost');
  const { pathname, search } = new URL(await webkit.url());
  expect(pathname + search).toBe('/promo/spring?utm_source=channel&code=ours');
});

test('a link opens the landing page and a target, and says why it does not work', async ({
  webkit,
  expectedErrors,
}) => {
  // Pages are left while they load.
  expectedErrors.push(/Importing a module script failed|did not load/);
  for (const [path, text] of [
    ['/c/never', '没有找到这个链接'],
    ['/c/over', '活动已结束'],
    ['/c/soon', '活动尚未开始'],
  ] as const) {
    await webkit.goto(path);
    expect(await webkit.texts('#campaign-note')).toEqual([expect.stringContaining(text)]);
  }
  await takeShot(webkit, 'campaign-soon-390');
  await webkit.goto('/c/home');
  expect(await webkit.texts('#campaign-note')).toEqual([]);
  await expect.poll(() => webkit.texts('[data-row] [data-speed]')).toHaveLength(4);
  await webkit.goto('/c/app');
  await webkit.click('button', '点我进入');
  await expectEntered(webkit, 'line\\d.localhost');
});

test.describe('a phone', () => {
  test.use({ userAgent: IPHONE });

  test('follows the rule for its system', async ({ webkit, lines, front }) => {
    await webkit.goto('/c/spring');
    await expect.poll(() => webkit.url()).toMatch(/\/promo\/ios$/);
    expect(front.requests).not.toContain('/api/hostnames');
    expect(lines.requests('line1.localhost').probes).toBe(0);
  });
});
