import { IN_CHROMIUM } from './support/browsers.ts';
import { expect, expectNoViolation, openView, test } from './support/console-test.ts';

test.use({
  probeEveryMs: 500,
  changes: {
    site: {
      alerts: {
        confirm: { everySeconds: 1, calmSeconds: 1 },
        channels: [{ name: 'night', kind: 'webhook', url: 'http://127.0.0.1:9/' }],
        rules: [],
      },
    },
  },
});

test(
  'a line that is killed is an incident, which somebody takes, and which ends',
  IN_CHROMIUM,
  async ({ page, lines, consoleUrl, expectedErrors }) => {
    expectedErrors.push(/403 \(Forbidden\) \S+\/channels\/test$/);
    // Without accounts everybody is a viewer, and only editors send tests.
    const account = { name: 'loopback', role: 'editor', kind: 'open', recoveryCodes: null, sessions: [] };
    await page.route('**/api/console/account', (route) => route.fulfill({ json: { at: 0, ...account } }));
    await openView(page, consoleUrl, '#/incidents');
    await expect(page.getByText('Nothing is wrong.')).toBeVisible();
    lines.set('line2.localhost', { fault: 'refuse' });
    const item = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: /line2\S* is down/ }) });
    await expect(item).toBeVisible({ timeout: 30_000 });
    await expect(page.getByRole('link', { name: 'Incidents (1)' })).toBeVisible();
    await expect(page).toHaveTitle(/^\(1\) /);
    await expect(item.getByText('ended the connection without an answer')).toBeVisible();
    await page.getByRole('button', { name: /^line2\S* is down .*Severity: high$/ }).click();
    await expect(item.getByText('Timeline')).toBeFocused();
    await expect(item.getByText(/noticed/)).toBeVisible();
    await expect(item.getByRole('link', { name: 'Open the line' })).toHaveAttribute('href', /^#\/lines\/\S/);
    await item.getByRole('button', { name: 'Take it' }).click();
    await expect(item.getByText('Taken by loopback', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await expect(page.getByText('Your role may not do this any more.')).toBeVisible();
    await expectNoViolation(page, 'incidents');

    lines.set('line2.localhost', {});
    await expect(page.getByText('Nothing is wrong.')).toBeVisible({ timeout: 30_000 });
    await expect(
      page.getByRole('region', { name: /^Earlier/ }).getByRole('heading', { name: /line2\S* is down/ }),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Settings of the console' }).click();
    await page.getByRole('button', { name: '中文' }).click();
    await expect(page.getByText('一切正常。')).toBeVisible();
    await expect(page.getByText('没有应答就断开了连接')).toBeVisible();
  },
);
