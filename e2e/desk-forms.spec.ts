import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Route } from '@playwright/test';
import type { DeskDraft } from '../src/contract/desk/desk.ts';
import { DESK_PATHS } from '../src/contract/paths.ts';
import { IN_CHROMIUM } from './support/browsers.ts';
import { changeField, openPart, publish, readLiveVersion } from './support/change-site.ts';
import { expectNoViolation } from './support/console-test.ts';
import { listenOnLoopback } from './support/listen-on-loopback.ts';
import { expect, shareDesk, test } from './support/shared-desk-test.ts';

const PARTS = [
  'Lines',
  'Announcements',
  'Links',
  'Campaigns',
  '/t targets',
  'Texts',
  'Colours',
  'Images',
  'Alerts',
  'Maintenance',
  'Settings',
  'JSON',
  'Preview',
  'Versions',
];

shareDesk();

test(
  'announcements, links, targets, texts, colours and images are changed without JSON',
  IN_CHROMIUM,
  async ({ openAs, portal, page: visitor, expectedErrors }) => {
    // The image that is refused.
    expectedErrors.push(/422/);
    const page = await openAs('owner', '#/site/announcements');
    const english = page.getByRole('group', { name: 'Announcement: English (en)' });
    await english.getByLabel('Text').fill('Maintenance <b>tonight</b>');
    await english.getByLabel('From (GMT+8)').fill('2026-01-01T08:00');
    await english.getByLabel('Until (GMT+8)').fill('2046-01-01T08:00');
    await english.getByLabel('Until (GMT+8)').press('Tab');
    await openPart(page, 'Links');
    const service = page.getByRole('group', { name: 'Customer service', exact: true });
    await service.getByRole('button', { name: 'One for all' }).click();
    await expect(service.getByRole('textbox')).toHaveCount(1);
    await changeField(page, 'Customer service', 'https://help.example/');
    await openPart(page, '/t targets');
    await page.getByLabel(/^Name/).fill('app');
    await page.getByRole('textbox', { name: 'Addresses' }).fill('app1.example\napp2.example');
    await page.getByRole('button', { name: 'Add a target' }).click();
    await expect(page.getByRole('textbox', { name: '/t/app' })).toHaveValue('app1.example\napp2.example');
    await openPart(page, 'Texts');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('en');
    await page.getByLabel('Search texts').fill('retest');
    const frame = page.frameLocator('iframe[title="Live preview"]:not([data-next])');
    await page.getByLabel('Button: measure again', { exact: true }).fill('Measure once more');
    // It is not saved yet.
    await expect(frame.getByRole('button', { name: 'Measure once more' })).toBeVisible();
    await changeField(page, 'Button: measure again', 'Measure once more');
    await openPart(page, 'Colours');
    await page.getByRole('textbox', { name: 'Text' }).last().fill('#111111');
    await expect(page.getByText('People could not see it well')).toBeVisible();
    await page.getByRole('textbox', { name: 'Text' }).last().fill('#11');
    await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
    await page.getByRole('textbox', { name: 'Text' }).last().fill('#ffffff');
    await page.getByRole('button', { name: 'Save' }).click();
    await openPart(page, 'Maintenance');
    await changeField(page, 'Reason, which visitors read', 'moving house');
    await page.getByLabel('Until (GMT+8)').first().fill('2026-01-01T08:00');
    await page.getByLabel('Until (GMT+8)').first().press('Tab');
    await openPart(page, 'Lines');
    // It is turned on, and off again: nothing of it is left.
    await changeField(page, 'Path of the application', '/health');
    await changeField(page, 'Path of the application', '');
    await openPart(page, 'Images');
    const banner = page.getByLabel('Choose or drop a file: Banner on phones');
    const svg = (content: string) => ({
      name: 'banner.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400">${content}</svg>`,
      ),
    });
    await banner.setInputFiles(svg('<script>alert(1)</script>'));
    await expect(page.getByText('must not run')).toBeVisible();
    // A refused file leaves nothing that could still be saved.
    await expect(page.getByText('Saved in your draft')).toBeVisible();
    await banner.setInputFiles({ ...svg(''), name: 'large.png', buffer: Buffer.alloc(5_000_001) });
    await expect(page.getByText('This file has 5.0 MB. At most 5 MB can be taken')).toBeVisible();
    await expect(page.getByText('must not run')).toHaveCount(0);
    await expect(page.getByText('Saved in your draft')).toBeVisible();
    // Browsers tell nothing of a file that the field has already.
    await expect(banner).toHaveValue('');
    await banner.setInputFiles(svg(''));
    await expect(page.getByText('images/banner-mobile.svg, 1 kB')).toBeVisible();
    await page.getByRole('button', { name: 'Publish …' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Maintenance: added');
    await expect(dialog).not.toContainText('health');
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await readLiveVersion(page);

    await visitor.goto(`${portal.url}/?lang=en`);
    await expect(visitor.getByText('Maintenance <b>tonight</b>')).toBeVisible();
    await expect(visitor.getByRole('button', { name: 'Measure once more' })).toBeVisible();
    const links = await visitor.request.get(`${portal.url}/json/link.json`);
    expect(await links.json()).toMatchObject({ service: 'https://help.example/' });
    expect(await readFile(`${portal.siteDir}/site.json`, 'utf8')).not.toContain('tonight');

    // After a person has removed something by keyboard, the focus is beside it.
    await openPart(page, 'Announcements');
    await english.getByRole('button', { name: 'Remove this announcement' }).click();
    await expect(english).toBeFocused();
    await openPart(page, 'Lines');
    const lines = page.locator('[data-line]');
    const host = (await lines.first().getAttribute('data-line')) ?? '';
    await page.getByRole('button', { name: `Settings of ${host}`, exact: true }).click();
    await page.getByRole('button', { name: `Remove ${host}`, exact: true }).click();
    await expect(page.locator(`[data-line="${host}"]`)).toHaveCount(0);
    await expect(lines.first()).toBeFocused();
    await page.getByRole('button', { name: 'Discard …' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByText('No changes')).toBeVisible();
  },
);

test(
  'what was typed for a line or a target goes on with it, or goes with it',
  IN_CHROMIUM,
  async ({ openAs, lines, consoleUrl, expectedErrors }) => {
    // The target that is refused, and the change that was made for an older draft.
    expectedErrors.push(/422/, /409/);
    const host = (name: string) => `${name}.localhost:${lines.ports[0]}`;
    const page = await openAs('editor', '#/site/lines');
    const unsaved = page.getByText('1 field is not saved yet');
    const openSettings = (name: string) =>
      page.getByRole('button', { name: `Settings of ${host(name)}` }).click();
    await openSettings('line1');
    await page.getByLabel('Weight').fill('3');
    await expect(unsaved).toBeVisible();
    await page.getByRole('button', { name: `Remove ${host('line1')}` }).click();
    await expect(page.getByText('Saved in your draft')).toBeVisible();

    await openSettings('line2');
    await page.getByLabel('Weight').fill('5');
    // In another window, the line is given no more visitors.
    const drained = { host: `http://${host('line2')}`, drain: true };
    await page.evaluate(
      async ({ url, body }) => {
        await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      },
      {
        url: DESK_PATHS.edit,
        body: JSON.stringify({
          file: 'site.json',
          edits: [{ path: ['lines', 'hosts', 0], value: drained }],
        }),
      },
    );
    await page.getByRole('button', { name: `Replace ${host('line2')}` }).click();
    // The old line is visited by http, and so the new one is.
    await page.getByLabel(`Replace ${host('line2')} with`).fill(host('line4'));
    await page.getByRole('button', { name: 'Only in the draft' }).click();
    await expect(page.locator(`[data-line="${host('line4')}"]`)).toBeFocused();
    await expect(unsaved).toBeVisible();
    await openSettings('line4');
    await expect(page.getByLabel('Weight')).toHaveValue('5');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Saved in your draft')).toBeVisible();
    const { json } = (await (await page.request.get(`${consoleUrl}${DESK_PATHS.draft}`)).json()) as DeskDraft;
    expect(JSON.parse(json['site.json'] ?? '')).toMatchObject({
      lines: {
        hosts: [{ host: `http://${host('line4')}`, weight: 5, drain: true }, `http://${host('line3')}`],
      },
    });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByText('The check has found nothing wrong.')).toBeVisible();

    await openPart(page, '/t targets');
    await page.getByLabel(/^Name/).fill('app');
    await page.getByRole('textbox', { name: 'Addresses' }).fill('app1.example');
    await page.getByRole('button', { name: 'Add a target' }).click();
    await expect(page.getByRole('textbox', { name: '/t/app' })).toBeVisible();
    const error = { code: 'file-refused', message: 'It cannot be taken.' };
    await page.route(`**${DESK_PATHS.putFile}?*`, (route) => route.fulfill({ status: 422, json: { error } }));
    await page.getByRole('textbox', { name: '/t/app' }).fill('app2.example');
    await page.getByRole('textbox', { name: '/t/app' }).press('Tab');
    await expect(page.getByText('It cannot be taken.')).toBeVisible();
    await expect(unsaved).toBeVisible();
    await page.getByRole('button', { name: 'Remove /t/app' }).click();
    await expect(page.getByText('Saved in your draft')).toBeVisible();
  },
);

test(
  'a light background is saved without a colour of texts, because pages have a dark one for it',
  IN_CHROMIUM,
  async ({ openAs, consoleUrl }) => {
    const page = await openAs('editor', '#/site/theme');
    const text = page.getByRole('textbox', { name: 'Text' }).last();
    await expect(text).toHaveValue('#f3f6fb');
    await page.getByRole('textbox', { name: 'Background' }).last().fill('#ffffff');
    await expect(text).toHaveValue('#0a0f1a');
    await page.getByRole('textbox', { name: 'Accent' }).last().fill('#b3261e');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved in your draft')).toBeVisible();
    const { json } = (await (await page.request.get(`${consoleUrl}${DESK_PATHS.draft}`)).json()) as DeskDraft;
    expect(JSON.parse(json['site.json'] ?? '')).toMatchObject({
      theme: { accent: '#b3261e', background: '#ffffff' },
    });
    expect(json['site.json']).not.toContain('#0a0f1a');
  },
);

test(
  'a line is set to maintenance, and nobody is handed it',
  IN_CHROMIUM,
  async ({ openAs, page: visitor, portal, lines }) => {
    const host = `line2.localhost:${lines.ports[0]}`;
    const page = await openAs('editor', '#/site');
    await page.getByRole('button', { name: `Settings of ${host}` }).click();
    await page.getByText('More: who may have it, and maintenance').click();
    await page.getByLabel('In maintenance: hand it to nobody').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Please give the reason of the maintenance.')).toBeVisible();
    await page.getByLabel('Reason, for the console').fill('new disks');
    await page.getByLabel(/^Until/).fill('2099-12-01T10:00');
    await page.getByLabel('Not these networks').fill('198.51.100.0/24');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('2 changes in your draft')).toBeVisible();
    await page.getByRole('button', { name: 'Publish …' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(`Line 2 (${host}): maintenance`);
    await dialog.getByLabel(/^Why\?/).fill('new disks');
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await readLiveVersion(page);
    await visitor.goto(portal.url);
    await expect(visitor.locator('[data-row] a[href*=".line1.localhost"]')).toBeVisible();
    await expect(visitor.locator('[data-row] a[href*=".line2.localhost"]')).toHaveCount(0);
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    const row = page.locator(`[data-line="${host}"]`);
    await expect(row).toHaveAttribute('data-status', 'maintenance');
    await expect(row).toContainText('new disks');
    await expectNoViolation(page, 'a line in maintenance');
  },
);

test(
  'the site is closed for maintenance, and opened again',
  IN_CHROMIUM,
  async ({ openAs, page: visitor, portal }) => {
    const page = await openAs('editor', '#/site/maintenance');
    const publish = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Publish …' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click();
    };
    await changeField(page, 'Reason, which visitors read', 'New disks');
    await page.getByLabel('Close the site meanwhile').check();
    await expect(page.getByText('Saved in your draft')).toBeVisible();
    await publish();
    const closedIn = await readLiveVersion(page);
    await visitor.goto(`${portal.url}/?lang=en`);
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Closed for maintenance');
    await expect(visitor.getByText('New disks')).toBeVisible();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await expect(page.getByText('The site is closed for maintenance: visitors get a notice')).toBeVisible();
    await page.getByRole('link', { name: 'Site', exact: true }).click();
    await openPart(page, 'Maintenance');
    await page.getByRole('button', { name: 'Remove the maintenance' }).click();
    await publish();
    await expect(page.getByText(`Live as version ${closedIn + 1}.`)).toBeVisible();
    await visitor.reload();
    await expect(visitor.locator('[data-row]')).toHaveCount(4);
  },
);

test('a view that is turned off leads an owner to its setting', IN_CHROMIUM, async ({ openAs }) => {
  const page = await openAs('owner', '#/visitors');
  await page.getByRole('link', { name: 'Open the settings' }).click();
  await expect(page.getByLabel('Own numbers')).toBeEnabled();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('link', { name: 'Open the settings' }).click();
  await expect(page.getByLabel('Own numbers')).toBeVisible();
  await page.getByRole('link', { name: 'Incidents' }).click();
  await page.getByRole('link', { name: 'Set up who is told' }).click();
  await expect(page.getByRole('button', { name: 'Add the channel' })).toBeVisible();

  const editor = await openAs('editor', '#/visitors');
  // Comes with the account.
  await expect(editor.getByRole('link', { name: 'Account' })).toBeVisible();
  await expect(editor.getByText('"analytics": { "counts": "self" }')).toBeVisible();
  await expect(editor.getByRole('link', { name: 'Open the settings' })).toHaveCount(0);
});

test(
  'somebody who has never seen JSON makes a link with two rules, and publishes it',
  IN_CHROMIUM,
  async ({ openAs, portal }) => {
    const page = await openAs('editor', '#/site/campaigns');
    await page.getByLabel('Name, for you').fill('Spring cup');
    await expect(page.getByLabel('Code, the end of the link')).toHaveValue('spring-cup');
    await page.getByRole('button', { name: 'Make the link' }).click();
    const addRule = page.getByRole('button', { name: 'Add a rule' });
    await expect(addRule).toBeVisible();
    await changeField(page, 'Page on the line', '/promo/spring');
    await changeField(page, 'utm_source', 'channel');
    const parameter = page.getByLabel('Another parameter');
    // What is typed while a parameter is under way stays.
    const typeNext = async (route: Route): Promise<void> => {
      await parameter.fill('next');
      await route.continue();
    };
    await page.route(`**${DESK_PATHS.edit}`, typeNext, { times: 1 });
    await parameter.fill('promo');
    await page.getByLabel('Its value').fill('A1');
    await page.getByRole('button', { name: 'Add the parameter' }).click();
    await expect(page.getByRole('textbox', { name: 'promo', exact: true })).toHaveValue('A1');
    await expect(parameter).toHaveValue('next');
    await addRule.click();
    await page.getByLabel('They go to').selectOption('link:ub');
    await expect(page.getByText('1. On iPhone: Download: main browser')).toBeVisible();
    await addRule.click();
    const second = page.getByRole('group', { name: /^2\. On Android/ });
    await second.getByLabel('Page on the line').fill('promo');
    await second.getByLabel('Page on the line').press('Tab');
    await expect(second.getByText('must be a path such as').first()).toBeVisible();
    await second.getByLabel('Page on the line').fill('/promo/android');
    await second.getByLabel('Page on the line').press('Tab');
    await expect(second.getByText('must be a path such as')).toHaveCount(0);
    await changeField(page, 'Title', 'The spring cup');
    await expectNoViolation(page, 'a campaign in the desk');
    await publish(page);
    await readLiveVersion(page);
    const read = async (userAgent: string) =>
      (await fetch(`${portal.url}/c/spring-cup`, { headers: { 'User-Agent': userAgent } })).text();
    const query = '"query":{"utm_source":"channel","promo":"A1"}';
    expect(await read('iPhone')).toContain('"go":"https://download.example.com/beichen-browser"');
    expect(await read('Android')).toContain(`"path":"/promo/android",${query}`);
    expect(await read('Windows')).toContain(`"path":"/promo/spring",${query}`);
    expect(await read('')).toContain('<meta property="og:title" content="The spring cup">');
  },
);

test(
  'somebody who has only the console sets up a channel, a night rule with escalation, and a test',
  IN_CHROMIUM,
  async ({ openAs, consoleUrl, expectedErrors }) => {
    // The channel whose secret is not set.
    expectedErrors.push(/502.*test-channel/);
    const received: string[] = [];
    const hook = createServer((request, response) => {
      request.on('data', (chunk) => void received.push(String(chunk)));
      request.on('end', () => response.writeHead(202).end('<p>queued</p>'));
    });
    const port = await listenOnLoopback(hook);
    const page = await openAs('owner', '#/site/alerts');
    await page.getByLabel('Name', { exact: true }).fill('night');
    await page.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${port}/hook`);
    await page.getByRole('button', { name: 'Add the channel' }).click();
    await page.getByRole('button', { name: 'Send a test by night' }).click();
    await expect(page.getByText('The answer: status 202, “queued”.')).toBeVisible();
    expect(JSON.parse(received.join(''))).toMatchObject({ type: 'test', severity: 'low' });

    await page.getByLabel('Kind').selectOption('Slack');
    await page.getByLabel('Name', { exact: true }).fill('team');
    await page.getByRole('button', { name: 'Add the channel' }).click();
    await page.getByRole('button', { name: 'Send a test by team' }).click();
    await expect(page.getByText('the variable WAYPOST_ALERT_TEAM is not set')).toBeVisible();
    await page.getByText('How to set it').click();
    await expect(page.getByText('WAYPOST_ALERT_TEAM=the-secret-itself')).toBeVisible();

    await page.getByRole('button', { name: 'Wake somebody at night' }).click();
    await expect(
      page.getByText(
        'From 22:00 to 08:00 (Singapore): when anything goes wrong and it is at least high, tell night. ' +
          'Say it again every 30 min until somebody takes it. If nobody takes it within 10 min, tell team, too. Tell when it is over.',
      ),
    ).toBeVisible();
    await expectNoViolation(page, 'alerts');
    await publish(page);
    await readLiveVersion(page);
    const { json } = (await (await page.request.get(`${consoleUrl}${DESK_PATHS.draft}`)).json()) as DeskDraft;
    expect(JSON.parse(json['site.json'] ?? '')).toMatchObject({
      alerts: {
        rules: [{ to: ['night'], escalate: [{ afterMinutes: 10, to: ['team'] }] }],
      },
    });

    // What somebody works on stays open when its last fault is mended.
    await page.reload();
    await page.getByText('Say it again every 30 min').click();
    const again = page.getByRole('group', { name: 'Rule 1' }).getByLabel(/^Say it again/);
    await again.fill('0');
    await again.press('Tab');
    await expect(again).toHaveAttribute('aria-invalid', 'true');
    await again.fill('20');
    await again.press('Tab');
    await expect(page.getByText('Say it again every 20 min')).toBeVisible();
    await expect(again).not.toHaveAttribute('aria-invalid', 'true');
    await expect(again).toBeVisible();
    hook.close();
  },
);

test('every part can be used by everybody, at both sizes', IN_CHROMIUM, async ({ openAs }) => {
  const page = await openAs('owner', '#/site/lines');
  const versions = Array.from({ length: 60 }, (_, index) => ({
    number: 60 - index,
    at: Date.now(),
    by: 'mei',
    from: 'console',
    why: 'line 3 is blocked',
  }));
  await page.route('**/desk/versions', (route) => route.fulfill({ json: { versions } }));
  await page.route('**/desk/difference?*', (route) => route.fulfill({ json: { changes: [] } }));
  for (const part of PARTS) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openPart(page, part);
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expectNoViolation(page, part);
  }
  // The last part: the newest 50 of many versions are shown, and the others when they are asked for.
  await expect(page.locator('[data-version]')).toHaveCount(50);
  await page.getByRole('button', { name: 'Show older (10)' }).click();
  await expect(page.locator('[data-version]')).toHaveCount(60);
  await expect(page.getByRole('button', { name: /^Show older/ })).toHaveCount(0);
});
