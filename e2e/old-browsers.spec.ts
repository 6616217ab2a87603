import type { Page } from '@playwright/test';
import { FIREFOX_IN_SOAK } from './support/browsers.ts';
import { expectEntered } from './support/expect-entered.ts';
import { expect, test } from './support/test.ts';

// The oldest browsers of docs/browsers.md have all that the pages need. Older ones cannot parse the scripts, or lack
// something that these use: they get the page for visitors without JavaScript.

const PATHS = ['/', '/r', '/t/localhost'];
const INLINE_SCRIPT = /<script>[^]*?<\/script>/;

test('the oldest browsers measure, offer and enter lines, without all that came later', async ({
  page,
  lines,
  expectedErrors,
}) => {
  expectedErrors.push(/speed\.php/);
  lines.set('line1.localhost', { fault: 'wrong-marker' });
  await page.addInitScript(removeNewer);
  await page.goto('/');
  await expect(page.locator('[data-row] [data-speed]')).toHaveText([
    /^\d+ms$|5/,
    /^\d+ms$|5/,
    /^\d+ms$|5/,
    /^\d+ms$|5/,
  ]);
  await test.step('a line of the wrong server is warned of, although there are no dialogs', async () => {
    await page.locator('[data-row] button[aria-haspopup="dialog"]').click();
    await expect(page.getByText('未通过身份验证', { exact: false }).first()).toBeVisible();
    await page.getByRole('button', { name: '关闭' }).last().click();
    await expect(page.locator('dialog')).toHaveCount(0);
  });
  await test.step('the rows can be measured again, and an address copied', async () => {
    await page.locator('[data-phase="ready"]').waitFor();
    await page.getByRole('button', { name: '重新测速' }).click();
    await page.locator('[data-phase="loading"]').waitFor();
    // The address of the wrong server is not copied.
    await page.locator('[data-row] [data-silent="copy"]:enabled').first().click();
    await expect(page.getByText('已复制')).toBeVisible();
  });
  await page.goto('/t/localhost');
  await page.getByRole('button').click();
  await expectEntered(page, 'line2.localhost');
  await page.goto('/r');
  await expectEntered(page, /line[234]\.localhost/);
});

test('a script that the browser cannot parse leaves plain links, on every page', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/Syntax ?Error/i);
  const broken = 'var unknown = #;';
  await page.route(/\/assets\/(?:main|start)-/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: broken }),
  );
  await editPages(page, ['/r', '/t/localhost'], (html) =>
    html.replace(INLINE_SCRIPT, `<script>${broken}</script>`),
  );
  for (const path of PATHS) {
    await page.goto(path);
    await expectPlainLinks(page);
  }
});

test(
  'a browser without modules gets the plain links of /',
  FIREFOX_IN_SOAK,
  async ({ page, expectedErrors }) => {
    // A page that Playwright has answered may not ask hosts of this machine.
    expectedErrors.push(/speed\.php/);
    await editPages(page, ['/'], (html) => html.replace('type="module"', 'type="unknown"'));
    await page.goto('/');
    await expectPlainLinks(page);
  },
);

test('a browser that lacks what every script needs gets plain links on every page', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/AbortController|the start script broke/);
  await page.addInitScript(() => Reflect.deleteProperty(window, 'AbortController'));
  for (const path of PATHS) {
    await page.goto(path);
    await expectPlainLinks(page);
  }
});

test(
  'a page that breaks while React shows it is replaced by plain links',
  FIREFOX_IN_SOAK,
  async ({ page, expectedErrors }) => {
    // As in Chrome 84.
    expectedErrors.push(/replaceAll/);
    await page.addInitScript(() => Reflect.deleteProperty(String.prototype, 'replaceAll'));
    await page.goto('/');
    await expectPlainLinks(page);
  },
);

/** Runs in the page, before anything else does: takes what one of Chrome 86, Firefox 78 and Safari 14 lacks away. */
function removeNewer(): void {
  const remove = (owner: object, ...names: readonly string[]): void => {
    for (const name of names) Reflect.deleteProperty(owner, name);
  };
  remove(window, 'WeakRef', 'FinalizationRegistry', 'structuredClone', 'reportError', 'BroadcastChannel');
  remove(window, 'requestIdleCallback', 'cancelIdleCallback', 'CompressionStream', 'scheduler', 'navigation');
  remove(Array.prototype, 'at', 'findLast', 'findLastIndex', 'toSorted', 'toReversed', 'toSpliced');
  remove(String.prototype, 'at', 'isWellFormed');
  remove(Object, 'hasOwn', 'groupBy');
  remove(Promise, 'any', 'withResolvers', 'try');
  remove(AbortSignal, 'any', 'timeout');
  remove(AbortSignal.prototype, 'throwIfAborted', 'reason');
  remove(Performance.prototype, 'timeOrigin');
  remove(HTMLDialogElement.prototype, 'showModal', 'show', 'close');
  remove(Navigator.prototype, 'clipboard');
  remove(Crypto.prototype, 'randomUUID');
  // A storage that may not be used, as where all cookies are blocked.
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  }
}

/** The day's links to the fallback hosts, and nothing that needs a script. */
async function expectPlainLinks(page: Page): Promise<void> {
  for (const number of [1, 2, 3, 4]) {
    const line = page.getByRole('link', { name: `官方线路${number}`, exact: true });
    await expect(line).toHaveAttribute('href', new RegExp(`^http://www\\d+\\.backup${number}\\.localhost`));
    await expect(line).toBeVisible();
  }
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('contentinfo')).toContainText('18');
}

/** Changes the documents on their way, and drops the policy that would refuse a changed script. */
async function editPages(
  page: Page,
  paths: readonly string[],
  edit: (html: string) => string,
): Promise<void> {
  await page.route(
    (url) => paths.includes(url.pathname),
    async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': _policy, ...headers } = response.headers();
      const sent = await response.text();
      const html = edit(sent);
      expect(html).not.toBe(sent);
      await route.fulfill({ response, headers, body: html });
    },
  );
}
