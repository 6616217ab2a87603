import type { Page } from '@playwright/test';
import { IN_CHROMIUM } from './support/browsers.ts';
import { expectNoViolation } from './support/console-test.ts';
import { expect, test } from './support/desk-test.ts';

// Each has a portal of its own. Most are in Chromium only: in Firefox some texts do not arrive in their
// fields, and it is not known yet whether the test or the desk is to blame.
test.describe.configure({ mode: 'parallel' });

// Three of the four line hosts are lines, so that one is left to replace another with.
test.use({
  changes: async ({ lines }, use) => {
    const withPort = (host: string): string => `http://${host}.localhost:${lines.ports[0]}`;
    await use({
      site: {
        lines: {
          marker: 'waypost-test',
          hosts: ['line1', 'line2', 'line3'].map(withPort),
          fallback: ['backup1', 'backup2', 'backup3', 'backup4'].map(withPort),
        },
      },
    });
  },
});

const PHONE = { width: 390, height: 780 };
test(
  'a line is replaced from a phone, checked and published, and brought back',
  IN_CHROMIUM,
  async ({ openAs, page: visitor, portal, lines }) => {
    const port = lines.ports[0];
    const page = await openAs('editor', '#/');
    await page.setViewportSize(PHONE);
    await page.getByRole('link', { name: 'Site', exact: true }).click();
    await page.getByRole('button', { name: `Replace line2.localhost:${port}` }).click();
    await page.keyboard.type(`http://line4.localhost:${port}/path`);
    await page.keyboard.press('Enter');
    await expect(page.getByText('has a path: write')).toBeVisible();
    await page.getByLabel(`Replace line2.localhost:${port} with`).fill(`http://line4.localhost:${port}`);
    await page.getByRole('button', { name: 'Replace the line' }).click();
    await expect(page.getByText('2 changes in your draft')).toBeVisible();

    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByText('Lines asked: 1 of 1')).toBeVisible();
    await expect(page.getByText('The check has found nothing wrong.')).toBeVisible();

    await page.getByRole('button', { name: 'Publish …' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(`Line 2 (line4.localhost:${port}): added`);
    await dialog.getByLabel(/^Why\?/).fill('line 2 is blocked');
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await expect(page.getByText('Live as version 2.')).toBeVisible();
    await visitor.goto(portal.url);
    await expect(visitor.locator('[data-row] a[href*=".line4.localhost"]')).toBeVisible();
    await expect(visitor.locator('[data-row] a[href*=".line2.localhost"]')).toHaveCount(0);

    await page.getByRole('combobox', { name: 'Parts of the site' }).selectOption('Versions');
    const newest = page.locator('[data-version="2"]');
    await expect(newest).toContainText('line 2 is blocked');
    await expect(newest).toContainText('editor');
    await newest.getByRole('button', { name: 'What changed in version 2' }).click();
    await expect(page.getByRole('group', { name: 'Compare' })).toContainText(
      `Line 2 (line2.localhost:${port}): removed`,
    );
    await page.getByRole('button', { name: 'Bring back version 1' }).click();
    await dialog.getByRole('button', { name: 'Bring it back' }).click();
    await expect(page.getByText('Live as version 3.')).toBeVisible();
    await expect(page.locator('[data-version="3"]')).toContainText('brought back');
    await visitor.reload();
    await expect(visitor.locator('[data-row] a[href*=".line2.localhost"]')).toBeVisible();
  },
);

test(
  'of two editors the second sees what the first has published, and applies theirs on top',
  IN_CHROMIUM,
  async ({ openAs, expectedErrors }) => {
    // The conflict.
    expectedErrors.push(/409/);
    const mei = await openAs('editor', '#/site/settings', 'mei');
    const li = await openAs('editor', '#/site/settings', 'li');
    await changeField(mei, 'Default language', 'en');
    await changeField(li, 'Public URL of the site', 'https://li.example/');
    await publish(mei);
    await expect(mei.getByText('Live as version 2.')).toBeVisible();

    await expect(li.getByText('Meanwhile mei published version 2.')).toBeVisible();
    await expect(li.getByText('Default language: zh-CN → en')).toBeVisible();
    await li.getByRole('button', { name: 'Apply my changes on top of it' }).click();
    await expect(li.getByText('Meanwhile mei published version 2.')).toHaveCount(0);
    await publish(li);
    await expect(li.getByText('Live as version 3.')).toBeVisible();
    await expect(li.getByLabel('Default language')).toHaveValue('en');

    // Both change the same value.
    await changeField(mei, 'Default language', 'zh-TW');
    await changeField(li, 'Default language', 'zh-CN');
    await publish(mei);
    await li.getByRole('button', { name: 'Apply my changes on top of it' }).click();
    await expect(li.getByText('You both have changed:')).toBeVisible();
    await li.getByRole('button', { name: 'mine stays' }).click();
    await publish(li);
    await expect(li.getByText('Live as version 5.')).toBeVisible();
    await expect(li.getByLabel('Default language')).toHaveValue('zh-CN');
  },
);

test('what was typed outlives the session', async ({ openAs, expectedErrors }) => {
  // Signed out.
  expectedErrors.push(/401/);
  const page = await openAs('editor', '#/site/settings');
  const field = page.getByLabel('Public URL of the site');
  await expect(field).toBeEnabled();
  await page.context().setExtraHTTPHeaders({});
  await field.fill('https://kept.example/');
  await field.press('Tab');
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  await page.getByRole('link', { name: 'Why these four' }).click();
  await page.getByRole('link', { name: 'Site', exact: true }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(field).toHaveValue('https://kept.example/');
  await expect(page.getByText('1 field is not saved yet')).toBeVisible();

  await page.context().setExtraHTTPHeaders({ 'X-Webauth-User': 'editor' });
  await page.getByRole('button', { name: 'I have signed in: go on' }).click();
  await expect(page.getByText('1 change in your draft')).toBeVisible();
  await expect(page.getByText('Your session has ended.')).toHaveCount(0);
});

test('what is wrong stands beside its field, and cannot be published', IN_CHROMIUM, async ({ openAs }) => {
  const page = await openAs('owner', '#/site/lines');
  await page.getByLabel(/^Add lines/).fill(listHosts(50).join('\n') + '\nnot a host\nhttps://x.example/p');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.locator('[data-line="pasted50.example"]')).toBeVisible();
  await expect(page.getByLabel(/^Add lines/)).toHaveValue('not a host\nhttps://x.example/p');
  await expect(page.getByText('2 entries cannot be read and were not added.')).toBeVisible();
  await page.getByLabel(/^Add lines/).fill('');

  await changeField(page, 'Ports', '9900\n99999');
  await expect(page.getByText('must be a port from 1 to 65535').first()).toBeVisible();
  await page.getByRole('button', { name: 'Publish …' }).click();
  await expect(page.getByRole('button', { name: 'Publish now' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await changeField(page, 'Ports', '9900');
  await expect(page.getByText('must be a port from 1 to 65535')).toHaveCount(0);

  // The draft outlives a reload.
  await page.reload();
  await expect(page.locator('[data-line="pasted50.example"]')).toContainText('not live yet');
  await page.getByRole('button', { name: 'Discard …' }).click();
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await expect(page.getByText('No changes: this is what is live.')).toBeVisible();
});

test(
  'an editor sees what only an owner may change, and a viewer sees all of it',
  IN_CHROMIUM,
  async ({ openAs }) => {
    const editor = await openAs('editor', '#/site/settings');
    await expect(editor.getByLabel('Minimum age')).toBeDisabled();
    await expect(editor.getByText('Only an owner may change this').first()).toBeVisible();
    await expect(editor.getByLabel('API requests of one address a minute')).toBeEnabled();
    const viewer = await openAs('viewer', '#/site/lines');
    await expect(viewer.getByText('You may look at this, but not change it.')).toBeVisible();
    await expect(viewer.getByRole('button', { name: 'Publish …' })).toHaveCount(0);
    await expect(viewer.getByRole('button', { name: /^Replace/ })).toHaveCount(0);
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
    await expect(page.getByText('Live as version 2.')).toBeVisible();
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

test.describe('with editing off', () => {
  test.use({ environment: {} });

  test('the desk says how to turn it on', IN_CHROMIUM, async ({ page, consoleUrl }) => {
    await page.goto(`${consoleUrl}/#/site`);
    await expect(page.getByText('WAYPOST_EDIT=on')).toBeVisible();
    await expectNoViolation(page, 'editing off');
  });
});

/** Changes a field and leaves it, and waits until it is in the draft. */
async function changeField(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: label, exact: true });
  await field.fill(text);
  await field.press('Tab');
  await expect(page.getByText('Saved in your draft')).toBeVisible();
}

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish …' }).click();
  await page.getByRole('button', { name: 'Publish now' }).click();
}

function listHosts(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `pasted${index + 1}.example`);
}
