import { FIREFOX_IN_SOAK } from './support/browsers.ts';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page, Route } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { PEOPLE_PATHS } from '../src/contract/paths.ts';
import { expect, expectNoViolation, test } from './support/console-test.ts';
import type { Portal } from './support/create-portal-host.ts';

test.use({ environment: {} });

const PASSWORD = 'violet kettle under the seventh bridge';

/** Makes a link on the command line of the server. */
async function addPerson(portal: Portal, consoleUrl: string, name: string): Promise<string> {
  const args = ['operator', 'add', name, '--role', 'owner', '--data', `${portal.siteDir}-data`];
  const { stdout } = await promisify(execFile)('node', [
    'dist/cli/main.js',
    ...args,
    '--console',
    consoleUrl,
  ]);
  return /http\S+/.exec(stdout)?.[0] ?? '';
}

/** Looks at a page once, in Chromium: what axe finds is in the document, which is the same in every browser. */
async function look(page: Page, what: string): Promise<void> {
  if (page.context().browser()?.browserType().name() === 'chromium') await expectNoViolation(page, what);
}

/** An authenticator app. It shows each code once, and is at most one step ahead of the clock. */
function openAuthenticator(secret: string): { readonly next: () => string } {
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
  let last = 0;
  return {
    next: () => {
      last = Math.max(Math.floor(Date.now() / 30_000), last + 1);
      return totp.generate({ timestamp: last * 30_000 });
    },
  };
}

/** Uses an invitation, after trying to do so with a weak password. The console knows the invitation after a second. */
async function setUp(page: Page, link: string, weakPassword?: string) {
  await expect(async () => {
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Set up your account' })).toBeVisible({ timeout: 500 });
  }).toPass();
  const app = openAuthenticator((await page.locator('main code').textContent()) ?? '');
  if (weakPassword !== undefined) {
    await look(page, 'the invitation');
    const inApp = page.getByRole('link', { name: 'Open the app on this phone' });
    await expect(inApp).toHaveAttribute('href', /^otpauth:\/\/totp\/.+secret=[A-Z2-7]{16}/);
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByLabel('New password').fill(weakPassword);
    await page.getByLabel('Code').fill(app.next());
    await page.getByRole('button', { name: 'Set up the account' }).click();
    await expect(page.getByRole('alert')).toContainText('easy to guess');
  }
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Code').fill(app.next());
  await page.getByRole('button', { name: 'Set up the account' }).dblclick();
  const codes = page.getByRole('listitem').locator('code');
  await expect(codes).toHaveCount(10);
  await look(page, 'the recovery codes');
  const recoveryCodes = await codes.allTextContents();
  // Headless Chromium forbids the clipboard, and then the codes are selected. Firefox copies them.
  await page.getByRole('button', { name: 'Copy them all' }).click();
  const readTaken = () =>
    page.evaluate(
      () => `${getSelection()?.toString()}${document.querySelector('#copy')?.textContent?.trim()}`,
    );
  await expect.poll(readTaken).toMatch(/Copied$|^(?:[\w-]+\s+){9}[\w-]+Copy them all$/);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as a text file' }).click();
  expect(await readFile(await (await downloading).path(), 'utf8')).toBe(`${recoveryCodes.join('\n')}\n`);
  await page.getByRole('link', { name: 'Open the console' }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  return { app, recoveryCodes };
}

async function signIn(page: Page, name: string, code: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Code').fill(code);
  await page.getByLabel('Code').press('Enter');
}

const countRows = (page: Page): Promise<number> =>
  page
    .getByRole('navigation')
    .getByRole('link')
    .evaluateAll((links) => new Set(links.map((link) => link.getBoundingClientRect().top)).size);

const findView = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true });

const openNav = (page: Page, name: string) => findView(page, name).click();

test(
  'people are invited, sign in with two factors, do what their role allows, and leave',
  FIREFOX_IN_SOAK,
  async ({ page, browser, portal, consoleUrl, expectedErrors }) => {
    // A link that the portal does not know yet, a wrong password, and sessions that end.
    expectedErrors.push(/4(?:0[013]|10)/);
    const owner = await setUp(page, await addPerson(portal, consoleUrl, 'mei'), 'password12345');
    await expect(page.getByRole('navigation').getByRole('link')).toHaveText([
      'Overview',
      'Incidents',
      'Where',
      'Why these four',
      'History',
      'Visitors',
      'Campaigns',
      'Sessions',
      'Site',
      'Account',
      'People',
      'Audit',
    ]);
    for (const width of [1440, 1024, 320]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await countRows(page), `rows of the menu at ${width} px`).toBe(1);
    }
    const header = page.getByRole('banner');
    await expect(header).toContainText('mei · owner');
    expect(await header.evaluate(({ clientHeight }) => clientHeight), 'height on a phone').toBeLessThan(120);
    await openNav(page, 'Audit');
    await expect(page.getByRole('heading', { name: 'Audit' })).toBeVisible();
    await expect(findView(page, 'Audit')).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1024, height: 900 });

    // An owner invites.
    await openNav(page, 'People');
    const invite = page.getByRole('form', { name: 'Invite somebody' });
    await invite.getByLabel('Name').fill('li.wei');
    await invite.getByLabel('Role').selectOption('viewer');
    // As if password and code were older than ten minutes.
    const body = { error: { code: 'confirm-required', message: '' } };
    await page.route('**/people/invite', (route) => route.fulfill({ status: 403, json: body }), { times: 1 });
    await invite.getByRole('button', { name: 'Invite' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Please confirm that it is you' });
    await look(page, 'the confirmation');
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByLabel('Code').fill('000000');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Password or code is wrong.');
    await dialog.getByLabel('Code').fill(owner.recoveryCodes[0] ?? '');
    const confirmations: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith(PEOPLE_PATHS.confirm)) confirmations.push(request.url());
    });
    await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
    const link = await page
      .getByRole('region', { name: 'The link for li.wei' })
      .locator('code')
      .textContent();
    expect(confirmations).toHaveLength(1);
    await look(page, 'people');

    // A viewer looks, and is told nothing about people.
    const context = await browser.newContext({ locale: 'en-GB' });
    const guest = await context.newPage();
    const viewer = await setUp(guest, link ?? '');
    await expect(guest.getByRole('navigation').getByRole('link')).toHaveText([
      'Overview',
      'Incidents',
      'Where',
      'Why these four',
      'History',
      'Visitors',
      'Campaigns',
      'Sessions',
      'Site',
      'Account',
    ]);
    for (const path of ['people', 'audit', 'audit.jsonl']) {
      expect((await guest.request.get(`${consoleUrl}/api/console/${path}`)).status()).toBe(403);
    }

    // Another role ends the session at once, on an open page, too.
    await page.getByLabel('Role of li.wei').selectOption('editor');
    await expect(guest.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await look(guest, 'the form');
    await signIn(guest, 'li.wei', '000000');
    await expect(guest.getByRole('alert')).toContainText('Name, password or code is wrong.');
    await signIn(guest, 'li.wei', viewer.recoveryCodes[0] ?? '');
    await expect(guest.getByText('Live', { exact: true })).toBeVisible();
    await openNav(guest, 'Account');
    await expect(guest.getByText('li.wei, Editor')).toBeVisible();
    await expect(guest.getByText('Recovery codes left: 9.')).toBeVisible();
    await look(guest, 'account');

    // The person who ends a session stays signed in.
    const second = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    await second.goto(consoleUrl);
    await signIn(second, 'li.wei', viewer.recoveryCodes[1] ?? '');
    await expect(second.getByText('Live', { exact: true })).toBeVisible();
    await guest.reload();
    await guest.getByRole('button', { name: 'End', exact: true }).click();
    await expect(second.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(guest.getByRole('button', { name: 'End', exact: true })).toHaveCount(0);
    await guest.getByRole('button', { name: 'Settings of the console' }).click();
    await guest.getByRole('button', { name: 'Sign out' }).click();
    await expect(guest.getByRole('button', { name: 'Sign in' })).toBeVisible();
    expect(await context.cookies()).toEqual([]);

    // All of it is in the audit log.
    await openNav(page, 'Audit');
    await expect(page.getByText('invited li.wei (Viewer)')).toBeVisible();
    await expect(page.getByText('changed the role of li.wei to Editor')).toBeVisible();
    await expect(page.getByText('used a recovery code')).toHaveCount(3);
    await look(page, 'audit');
    await page.getByLabel('Person').selectOption('mei');
    await expect(page.getByText('used a recovery code')).toHaveCount(1);
    await expect(page.getByText('invited li.wei (Viewer)')).toBeVisible();

    // A removed person is gone.
    await openNav(page, 'People');
    await page.getByRole('listitem', { name: 'li.wei' }).getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('dialog', { name: 'Remove li.wei?' })
      .getByRole('button', { name: 'Remove' })
      .click();
    await expect(page.getByRole('listitem', { name: 'li.wei' })).toHaveCount(0);
    // The keyboard goes on beside the row that is gone.
    await expect(page.getByRole('listitem', { name: 'mei' })).toBeFocused();
    // Nobody else could manage people.
    const mei = page.getByRole('listitem', { name: 'mei' });
    await expect(mei).toContainText('The only owner');
    await expect(mei.getByRole('combobox')).toBeDisabled();
    for (const name of ['Remove', 'Reset sign-in'])
      await expect(mei.getByRole('button', { name })).toHaveCount(0);
    await signIn(guest, 'li.wei', viewer.app.next());
    await expect(guest.getByRole('alert')).toContainText('Name, password or code is wrong.');
    await context.close();

    // What is typed while a form is under way stays in it.
    const typeNext = async (route: Route): Promise<void> => {
      await invite.getByLabel('Name').fill('next');
      await route.continue();
    };
    await page.route('**/people/invite', typeNext, { times: 1 });
    await invite.getByLabel('Name').fill('wang');
    await invite.getByRole('button', { name: 'Invite' }).click();
    await expect(page.getByRole('region', { name: 'The link for wang' })).toBeVisible();
    await expect(invite.getByLabel('Name')).toHaveValue('next');
  },
);
