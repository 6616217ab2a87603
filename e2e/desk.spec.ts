import encodeQr from 'qr';
import { DESK_PATHS } from '../src/contract/paths.ts';
import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { changeField, openPart, publish, readLiveVersion, typeInstead } from './support/change-site.ts';
import { expectNoViolation } from './support/console-test.ts';
import { NEWCOMER, expect, makeCode, shareDesk, test } from './support/shared-desk-test.ts';

const PHONE = { width: 390, height: 780 };

shareDesk();

test('a person who signs in with two factors replaces a line, checks, previews and publishes it, and brings it back', async ({
  page: visitor,
  openAs,
  portal,
  lines,
  expectedErrors,
}) => {
  // The form.
  expectedErrors.push(/401/);
  const port = lines.ports[0];
  const page = await openAs('editor', '#/');
  await page.context().clearCookies();
  await page.reload();
  await page.getByLabel('Name').fill(NEWCOMER.name);
  await page.getByLabel('Password').fill(NEWCOMER.password);
  await page.getByLabel('Code').fill(makeCode());
  await page.getByRole('button', { name: 'Sign in' }).click();

  await page.getByRole('link', { name: 'Site', exact: true }).click();
  await page.getByRole('button', { name: `Replace line2.localhost:${port}` }).click();
  const field = page.getByLabel(`Replace line2.localhost:${port} with`);
  await expect(field).toBeFocused();
  await typeInstead(field, `http://line4.localhost:${port}/path`);
  await field.press('Enter');
  await expect(page.getByText('has a path: write')).toBeVisible();
  await typeInstead(field, `http://line4.localhost:${port}`);
  await page.getByRole('button', { name: 'Only in the draft' }).click();
  await expect(page.getByText('1 change in your draft')).toBeVisible();

  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText('Lines asked: 1 of 1')).toBeVisible();
  await expect(page.getByText('The check has found nothing wrong.')).toBeVisible();

  await page.getByRole('link', { name: 'Preview', exact: true }).first().click();
  for (const title of ['On a phone', 'On a desktop']) {
    const frame = page.frameLocator(`iframe[title="${title}"]`);
    await expect(frame.locator('[data-row] a[href*=".line4.localhost"]')).toBeVisible();
  }
  await visitor.goto(portal.url);
  await expect(visitor.locator('[data-row] a[href*=".line2.localhost"]')).toBeVisible();

  await page.bringToFront();
  await page.getByRole('button', { name: 'Publish …' }).click();
  const dialog = page.getByRole('dialog');
  const replacement = `Line 2: http://line2.localhost:${port} → http://line4.localhost:${port}`;
  await expect(dialog).toContainText(replacement);
  await typeInstead(dialog.getByLabel(/^Why\?/), 'line 2 is blocked');
  await dialog.getByRole('button', { name: 'Publish now' }).click();
  const live = await readLiveVersion(page);
  await visitor.reload();
  await expect(visitor.locator('[data-row] a[href*=".line4.localhost"]')).toBeVisible();
  await expect(visitor.locator('[data-row] a[href*=".line2.localhost"]')).toHaveCount(0);

  await openPart(page, 'Versions');
  const newest = page.locator(`[data-version="${live}"]`);
  await expect(newest).toContainText('line 2 is blocked');
  await expect(newest).toContainText(NEWCOMER.name);
  await newest.getByRole('button', { name: `What changed in version ${live}` }).click();
  await expect(page.getByRole('group', { name: 'Compare' })).toContainText(replacement);
  await expect(page.locator('[data-version="1"]')).toContainText('the server');
  await expect(page.locator('[data-version="1"]')).toContainText('taken from the site folder');
  await page.getByRole('button', { name: `Bring back version 1`, exact: true }).click();
  await dialog.getByRole('button', { name: 'Bring it back' }).click();
  await expect(page.getByText(`Live as version ${live + 1}.`)).toBeVisible();
  await expect(page.locator(`[data-version="${live + 1}"]`)).toContainText('brought back');
  await visitor.reload();
  await expect(visitor.locator('[data-row] a[href*=".line2.localhost"]')).toBeVisible();
});

test(
  'a line that is down is replaced from a phone with one text and three taps',
  IN_CHROMIUM,
  async ({ openAs, lines }) => {
    const port = lines.ports[0];
    const page = await openAs('editor', '#/');
    await page.setViewportSize(PHONE);
    lines.set('line2.localhost', { fault: 'refuse' });
    // The headline and the row of the line have it.
    const replace = page.getByRole('link', { name: `Replace line2.localhost:${port}` });
    await expect(replace).toHaveCount(2);
    await expect(replace.first()).toBeInViewport();
    await expectNoViolation(page, 'a line is down');
    await page.setViewportSize(PHONE);
    await replace.first().click();
    await expect(page.getByLabel(`Replace line2.localhost:${port} with`)).toBeFocused();
    await page.keyboard.type(`http://line4.localhost:${port}`);
    await page.getByRole('button', { name: 'Replace and publish …' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Lines asked: 1 of 1');
    await expectNoViolation(page, 'publishing');
    await page.setViewportSize(PHONE);
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await readLiveVersion(page);
    await expect(page.locator(`[data-line="line4.localhost:${port}"]`)).toContainText('Up');
    // Nothing is left of the check of a draft that is live.
    await expect(page.getByText('Lines asked: 1 of 1')).toHaveCount(0);
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
    const first = await readLiveVersion(mei);

    await expect(li.getByText(`Meanwhile mei published version ${first}.`)).toBeVisible();
    await expect(li.getByText('Default language: zh-CN → en')).toBeVisible();
    await li.getByRole('button', { name: 'Apply my changes on top of it' }).click();
    await expect(li.getByText(`Meanwhile mei published version ${first}.`)).toHaveCount(0);
    await publish(li);
    await expect(li.getByText(`Live as version ${first + 1}.`)).toBeVisible();
    await expect(li.getByLabel('Default language')).toHaveValue('en');

    // Both change the same value.
    await changeField(mei, 'Default language', 'zh-TW');
    await changeField(li, 'Default language', 'zh-CN');
    await publish(mei);
    await li.getByRole('button', { name: 'Apply my changes on top of it' }).click();
    await expect(li.getByText('You both have changed:')).toBeVisible();
    for (const value of ['en → zh-TW', 'en → zh-CN'])
      await expect(li.getByRole('alert').getByText(`Default language: ${value}`)).toBeVisible();
    await li.getByRole('button', { name: 'keep mine where both changed' }).click();
    // The page moves when the notice goes.
    await expect(li.getByText('You both have changed:')).toHaveCount(0);
    await publish(li);
    await expect(li.getByText(`Live as version ${first + 3}.`)).toBeVisible();
    await expect(li.getByLabel('Default language')).toHaveValue('zh-CN');
  },
);

test(
  'what was typed outlives the session',
  FIREFOX_IN_SOAK,
  async ({ openAs, signInAgain, expectedErrors }) => {
    // Signed out.
    expectedErrors.push(/401/);
    const page = await openAs('editor', '#/site/settings');
    const field = page.getByLabel('Public URL of the site');
    await expect(field).toBeEnabled();
    await page.context().clearCookies();
    await typeInstead(field, 'https://kept.example/');
    await field.press('Tab');
    await expect(page.getByText('Your session has ended.')).toBeVisible();
    await page.getByRole('link', { name: 'Why these four' }).click();
    await page.getByRole('link', { name: 'Site', exact: true }).click();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await expect(field).toHaveValue('https://kept.example/');
    await expect(page.getByText('1 field is not saved yet')).toBeVisible();

    await signInAgain(page, 'editor');
    await page.getByRole('button', { name: 'I have signed in: go on' }).click();
    await expect(page.getByText('1 change in your draft')).toBeVisible();
    await expect(page.getByText('Your session has ended.')).toHaveCount(0);
  },
);

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

  // An empty list is not the default.
  await page.evaluate(async (url) => {
    const body = JSON.stringify({ file: 'site.json', edits: [{ path: ['lines', 'ports'], value: [] }] });
    await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  }, DESK_PATHS.edit);
  await page.reload();
  await expect(page.getByText('Now an empty list, and not the default: 9900')).toBeVisible();

  // The draft outlives a reload.
  await page.reload();
  await expect(page.locator('[data-line="pasted50.example"]')).toContainText('not live yet');
  await page.getByRole('button', { name: 'Discard …' }).click();
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await expect(page.getByText('No changes: this is what is live.')).toBeVisible();
});

test(
  'a person who publishes sees all that the check knows first, and no QR code of a foreign address goes live',
  IN_CHROMIUM,
  async ({ openAs, portal, expectedErrors }) => {
    // The check that is cut off.
    expectedErrors.push(/ERR_FAILED/);
    const page = await openAs('editor', '#/site/links');
    const dialog = page.getByRole('dialog');
    const open = () => page.getByRole('button', { name: 'Publish …' }).click();
    const publishNow = dialog.getByRole('button', { name: 'Publish now' });

    await page
      .getByRole('group', { name: 'Android browser', exact: true })
      .getByRole('button', { name: 'One for all' })
      .click();
    await changeField(page, 'Android browser', 'htps:/app.example');
    const fault = 'must be a link that starts with https:, http:';
    await expect(page.getByRole('group', { name: 'Android browser', exact: true })).toContainText(fault);
    await open();
    await expect(dialog.getByRole('alert')).toContainText(fault);
    await expect(publishNow).toBeDisabled();
    await page.keyboard.press('Escape');

    // A link that is left out is no fault, and is not left out without a word.
    await changeField(page, 'Android browser', '');
    await open();
    await expect(dialog.getByText('There is 1 warning.')).toBeVisible();
    await expect(dialog).toContainText('json/link.json: esb is missing');
    await expect(publishNow).toBeEnabled();
    await page.keyboard.press('Escape');

    await openPart(page, 'Images');
    await page.getByLabel('Choose or drop a file: QR code: wallet tutorial').setInputFiles({
      name: 'wallet.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(encodeQr('https://phishing.example/', 'svg')),
    });
    const foreign = 'is one of "https://phishing.example/"';
    await expect(page.getByText(foreign).first()).toBeVisible();
    await open();
    await expect(dialog.getByRole('alert')).toContainText(foreign);
    await expect(publishNow).toBeDisabled();
    await expectNoViolation(page, 'a draft with a fault and a warning');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove: QR code: wallet tutorial' }).click();

    // While the files are checked, and after a check that failed, the dialog says so.
    await expect(page.getByText(foreign)).toHaveCount(0);
    let isHeld = true;
    await page.route(`**${DESK_PATHS.check}`, async (route) => {
      await expect.poll(() => isHeld).toBe(false);
      await route.abort();
    });
    await open();
    await expect(dialog.getByText('Checking …')).toBeVisible();
    await expect(publishNow).toBeDisabled();
    isHeld = false;
    await expect(dialog.getByText('The check did not finish')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Publish unchecked' })).toBeEnabled();
    await page.unroute(`**${DESK_PATHS.check}`);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await publishNow.click();
    await readLiveVersion(page);
    expect(await (await page.request.get(`${portal.url}/json/link.json`)).json()).not.toHaveProperty('esb');
  },
);

test(
  'what cannot be loaded says why, and is asked for again',
  IN_CHROMIUM,
  async ({ openAs, expectedErrors }) => {
    expectedErrors.push(/503/, /ERR_FAILED/);
    const page = await openAs('editor', '#/site/lines');
    const error = { code: 'store-away', message: 'The database is away.' };
    await page.route(`**${DESK_PATHS.versions}`, (route) => route.fulfill({ status: 503, json: { error } }));
    await page.route(`**${DESK_PATHS.preview}`, (route) => route.abort());
    await openPart(page, 'Versions');
    await expect(page.getByText('The database is away.')).toBeVisible();
    await page.unroute(`**${DESK_PATHS.versions}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.locator('[data-version="1"]')).toBeVisible();

    await openPart(page, 'Preview');
    await expect(page.getByText('The server could not be reached.')).toBeVisible();
    await expect(page.getByText('What you typed')).toHaveCount(0);
    await page.unroute(`**${DESK_PATHS.preview}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByTitle('On a phone')).toBeVisible();
  },
);

// Engines differ in what they do to an element that can be edited.
test('JSON is completed by the schema, marked where it is wrong, and saved as it is written', async ({
  openAs,
}) => {
  const page = await openAs('owner', '#/site/json');
  const editor = page.getByRole('textbox', { name: 'Content of site.json' });
  await editor.click();
  await page.keyboard.press('Control+Home');
  // An empty line after the first bracket.
  for (const key of ['ArrowRight', 'Enter', 'ArrowUp', 'End', 'Enter']) await page.keyboard.press(key);
  await page.keyboard.type('"publ');
  await page.getByRole('option', { name: 'publicUrl' }).click();
  await page.keyboard.type(': "nowhere",');
  await page.getByRole('button', { name: 'Save in the draft' }).click();
  await expect(page.getByText('publicUrl must be an absolute URL that starts with').first()).toBeVisible();
  await expect(page.locator('.cm-lintRange-error').first()).toBeVisible();
  await expect(editor).toContainText('"publicUrl": "nowhere",');
});

test(
  'what another window has changed is not published unseen, and not written over',
  IN_CHROMIUM,
  async ({ openAs, expectedErrors }) => {
    // The draft has changed.
    expectedErrors.push(/409/);
    const page = await openAs('editor', '#/site/json');
    const editor = page.getByRole('textbox', { name: 'Content of site.json' });
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await changeElsewhere('#5ec28f');
    await page.getByRole('button', { name: 'Save in the draft' }).click();
    await expect(page.getByText('This file has changed since you began to type')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Replace the file' })).toBeEnabled();
    await page.getByRole('button', { name: 'Undo unsaved changes' }).click();
    await expect(editor).toContainText('#5ec28f');
    await expect(page.getByText('This file has changed since you began to type')).toHaveCount(0);

    await page.getByRole('button', { name: 'Publish …' }).click();
    await expect(page.getByRole('dialog')).toContainText('#5ec28f');
    await changeElsewhere('#123456');
    await page.getByRole('button', { name: 'Publish now' }).click();
    const notice = page
      .getByRole('alert')
      .filter({ hasText: 'The draft has changed since you looked at it' });
    await expect(notice).toContainText('#123456');
    await publish(page);
    await readLiveVersion(page);

    function changeElsewhere(accent: string): Promise<void> {
      return page.evaluate(
        async ({ url, body }) => {
          await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
        },
        {
          url: DESK_PATHS.edit,
          body: JSON.stringify({ file: 'site.json', edits: [{ path: ['theme', 'accent'], value: accent }] }),
        },
      );
    }
  },
);

test(
  'an editor sees what only an owner may change, and a viewer sees all of it',
  IN_CHROMIUM,
  async ({ openAs }) => {
    const editor = await openAs('editor', '#/site/settings');
    await expect(editor.getByLabel('Minimum age')).toBeDisabled();
    await expect(editor.getByText('Only an owner may change this').first()).toBeVisible();
    await expect(editor.getByLabel('API requests of one address a minute')).toBeDisabled();
    await expect(editor.getByLabel('Public URL of the site')).toBeEnabled();
    await openPart(editor, 'Lines');
    await expect(editor.getByLabel('Path of the application')).toBeDisabled();
    await expect(editor.getByLabel('Header with the marker')).toBeDisabled();
    await expect(editor.getByLabel('Marker', { exact: true })).toBeEnabled();
    const viewer = await openAs('viewer', '#/site/lines');
    await expect(viewer.getByText('You may look at this, but not change it.')).toBeVisible();
    await expect(viewer.getByRole('button', { name: 'Publish …' })).toHaveCount(0);
    await expect(viewer.getByRole('button', { name: /^Replace/ })).toHaveCount(0);
  },
);

function listHosts(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `pasted${index + 1}.example`);
}
