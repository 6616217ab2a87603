import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConsoleNetworks } from '../src/contract/console.ts';
import { isSoak } from '../src/engine/testing/tenth-of.ts';
import { FIREFOX_IN_SOAK, IN_CHROMIUM } from './support/browsers.ts';
import { expect, expectAccessible, expectNoViolation, openView, test } from './support/console-test.ts';
import { findCutOff } from './support/find-cut-off.ts';
import { type PlainVisit, endVisits, startVisits } from './support/plain-visits.ts';
import { requestRaw } from './support/request-raw.ts';

// Each has a portal of its own.
test.describe.configure({ mode: 'parallel' });

// In both browsers: what an operator does with keys and cookies, and a script that is lost. What the server tells the console is
// the same for both, and is in one.

/** The promise to the operator, who has a portal that probes its lines every 30 s. */
const TURNS_WITHIN_MS = 40_000;
/** What visitors tell is counted in windows of 10 s. */
const PATIENCE = { timeout: 60_000 };
/** Half of them is enough for a window: of one address range, two failures of a window count, and four are a loss. */
const ENOUGH_VISITS = 10;

/** Visitors report, in two windows of ten seconds, that they did not reach a line. */
async function loseLine(
  { url, opsUrl }: { readonly url: string; readonly opsUrl: string },
  visits: readonly PlainVisit[],
  host: string,
): Promise<void> {
  const half = visits.length / 2;
  await endVisits(url, visits.slice(0, half), host);
  const countLost = async (): Promise<number> => {
    const { networks } = (await (await fetch(`${opsUrl}/api/console/networks`)).json()) as ConsoleNetworks;
    return networks.flatMap(({ lost }) => lost).reduce((sum, lost) => sum + lost, 0);
  };
  await expect.poll(countLost, PATIENCE).toBeGreaterThan(0);
  await endVisits(url, visits.slice(half), host);
}

test.describe('with probes as they are in a soak, or 15 times as often', () => {
  test.use({ probeEveryMs: isSoak() ? undefined : 2_000 });

  test(
    'a line that is killed turns, in the table and in its network, and turns back when it recovers',
    IN_CHROMIUM,
    async ({ page, context, portal, lines, consoleUrl }) => {
      test.setTimeout(300_000);
      const host = `line2.localhost:${lines.ports[0]}`;
      await openView(page, consoleUrl);
      const row = page.locator(`tr[data-line="${host}"]`);
      await expect(row).toHaveAttribute('data-status', /up|unknown/);
      await expect(page.getByText('No visitor has been counted yet.')).toBeVisible();
      await expectAccessible(page, consoleUrl);

      const where = await context.newPage();
      await openView(where, consoleUrl, '#/where');
      const visitor = await context.newPage();
      await visitor.goto(portal.url);
      await visitor.locator('[data-phase="ready"]').waitFor();
      // What a page has measured, it reports as it goes.
      await visitor.goto('about:blank');
      await visitor.close();
      await expect(where.getByText('No line fails in any of these networks.')).toBeVisible(PATIENCE);
      await openView(page, consoleUrl);
      await expect(page.getByText('Every line is up.')).toBeVisible(PATIENCE);

      // They were handed the line before the server found it down, and have it no more when they want to enter it.
      const unlucky = await startVisits(portal.url, ENOUGH_VISITS);
      lines.set('line2.localhost', { fault: 'refuse' });
      await loseLine(portal, unlucky, host);
      await Promise.all([
        expect(row).toHaveAttribute('data-status', 'down', { timeout: TURNS_WITHIN_MS }),
        expect(where.getByRole('button', { name: `${host} fails in 127.0.0.0/16` })).toBeVisible({
          timeout: TURNS_WITHIN_MS,
        }),
      ]);
      await expect(page.getByText(new RegExp(`${host} has been down since \\d\\d:\\d\\d`))).toBeVisible();
      await expect(page).toHaveTitle(/^(\(\d\) )?1 down · Waypost console$/);
      await expect(where.getByText(/^failing since \d\d:\d\d$/)).toBeVisible();
      await expect(where.getByRole('button', { name: `${host}, 127.0.0.0/16: fails` })).toBeVisible();
      await expectAccessible(
        page,
        consoleUrl,
        await row.getByRole('link').evaluate((link: HTMLAnchorElement) => link.hash),
      );

      lines.set('line2.localhost', {});
      await openView(page, consoleUrl);
      await expect(row).not.toHaveAttribute('data-status', 'down', PATIENCE);
      // Now it is handed out again.
      await endVisits(portal.url, await startVisits(portal.url, ENOUGH_VISITS));
      await expect(where.getByText('No line fails in any of these networks.')).toBeVisible(PATIENCE);
    },
  );
});

test.describe('lines whose marker no page may read', () => {
  // From the portal's first look on, so that nobody waits for its next one.
  test.use({
    lines: async ({ lines }, use) => {
      for (const number of [1, 2, 3, 4]) lines.set(`line${number}.localhost`, { fault: 'not-exposed' });
      lines.set('backup1.localhost', { fault: 'refuse' });
      await use(lines);
    },
  });

  test(
    'are down for the server, too, and so is a backup',
    IN_CHROMIUM,
    async ({ page, context, portal, consoleUrl }) => {
      const visitor = await context.newPage();
      await visitor.goto(portal.url);
      await expect(visitor.locator('[data-row="1"]')).toContainText('identity check failed', {
        ignoreCase: true,
      });
      await openView(page, consoleUrl);
      await expect(page.getByText(/^4 lines are down\. The first is line\d\.localhost/)).toBeVisible({
        timeout: TURNS_WITHIN_MS,
      });
      await expect(page.getByText('It does not let a page read its marker.').first()).toBeVisible();
      await expect(page.getByText(/^The backup backup1\.localhost:\d+ has been down since/)).toBeVisible();
      const metrics = await (await fetch(`${portal.opsUrl}/metrics`)).text();
      expect(metrics.match(/^waypost_line_up\{.*role="line"\} 0$/gm)).toHaveLength(4);
      expect(metrics.match(/^waypost_line_up\{.*role="backup"\} 0$/gm)).toHaveLength(1);
      const findLogged = () => portal.log.filter((line) => line.includes('"msg":"line down"'));
      // The log is written a little later.
      await expect.poll(findLogged).toHaveLength(4);
      expect(findLogged()[0]).toContain('"cause":"does not let a page read its marker"');
      await expectNoViolation(page, 'headline');
    },
  );
});

test.describe('a portal that reaches no line', () => {
  test.use({
    lines: async ({ lines }, use) => {
      for (const number of [1, 2, 3, 4]) {
        lines.set(`line${number}.localhost`, { fault: 'refuse' });
        lines.set(`backup${number}.localhost`, { fault: 'refuse' });
      }
      await use(lines);
    },
  });

  test(
    'says so everywhere, and not that the lines are down',
    IN_CHROMIUM,
    async ({ page, lines, consoleUrl }) => {
      await openView(page, consoleUrl);
      await expect(page.getByText('This portal reaches no line.')).toBeVisible(PATIENCE);
      await expect(page.getByText('What it sees does not count: the states are')).toBeVisible();
      await expect(page).toHaveTitle(/^(\(\d\) )?Reaches no line · Waypost console$/);
      await expect(
        page.getByText('reaches none of the lines: what it sees of them does not count'),
      ).toBeVisible();
      await expect(page.locator('tr[data-status="unknown"]')).toHaveCount(8);
      await expect(page.getByText(/\d lines are down/)).toHaveCount(0);
      await expectNoViolation(page, 'cut off');
      await page.getByRole('link', { name: `line1.localhost:${lines.ports[0]}` }).click();
      await expect(page.getByText('This portal reaches no line, and too few visitors')).toBeVisible();
      await expect(page.getByText('This portal reaches none of the lines, so this')).toBeVisible();
      await expect(page.locator('[data-status="down"]')).toHaveCount(0);
      await expectNoViolation(page, 'line of a portal that is cut off');
    },
  );
});

test(
  'on a phone, the map names whole address ranges, and the line that fails comes first',
  IN_CHROMIUM,
  async ({ page, portal, lines, consoleUrl }) => {
    const host = `line2.localhost:${lines.ports[0]}`;
    await loseLine(portal, await startVisits(portal.url, ENOUGH_VISITS), host);
    await page.setViewportSize({ width: 390, height: 844 });
    await openView(page, consoleUrl, '#/where');
    const frame = page.getByRole('button', { name: `${host}, 127.0.0.0/16: fails` });
    await expect(frame).toBeVisible(PATIENCE);
    await frame.press('Home');
    await expect(frame).toBeFocused();
    expect(await findCutOff(page)).toEqual([]);
  },
);

test('everything is reached by keyboard: a line, its network, and why; a script that is lost is loaded again', async ({
  page,
  portal,
  lines,
  consoleUrl,
  expectedErrors,
}) => {
  const host = `line1.localhost:${lines.ports[0]}`;
  await loseLine(portal, await startVisits(portal.url, ENOUGH_VISITS), host);
  await openView(page, consoleUrl, '#/where');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  const first = page.getByRole('button', { name: `${host}, 127.0.0.0/16: fails` });
  await expect(first).toBeVisible(PATIENCE);
  await first.focus();
  await page.keyboard.press('ArrowRight');
  const next = page.getByRole('button', { name: `line2.localhost:${lines.ports[0]}, 127.0.0.0/16: reached` });
  await expect(next).toBeFocused();
  // A screen reader says this, and not the numbers, which change with every visit.
  const said = page.getByRole('main').getByRole('status');
  await expect(said).toHaveText(`line2.localhost:${lines.ports[0]}, 127.0.0.0/16: reached`);
  await expect(page.getByRole('heading', { name: `line2.localhost:${lines.ports[0]}` })).toBeVisible();
  await page.getByRole('link', { name: 'Why these four here' }).press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  const network = page.getByLabel('Network');
  await expect(network).toHaveValue('/127.0');
  // Another one is chosen without losing the place.
  await network.evaluate((select: HTMLSelectElement) => select.add(new Option('elsewhere', 'GB/AS1')));
  await network.focus();
  await network.selectOption('GB/AS1');
  await expect(network).toHaveValue('GB/AS1');
  await expect(network).toBeFocused();
  await expect(page.getByText('everybody gets all of them').first()).toBeVisible();

  await test.step('a view whose script is lost leaves the console in place, and offers to load it again', async () => {
    // Firefox names the script that asked for it.
    expectedErrors.push(/line-view|main-/);
    await page.route('**/assets/line-view-*.js', (route) => route.abort());
    await openView(page, consoleUrl);
    await page.locator('tr[data-line]').first().getByRole('link').first().click();
    await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
    await page.unroute('**/assets/line-view-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect(page.getByRole('heading', { name: /^line\d\.localhost/ })).toBeVisible();
  });

  await test.step('the past is a link with its minute, says that it is over, and is left with one click', async () => {
    // No portal of a test runs for an hour, so what is now stands in for what was.
    const now = Date.now();
    const last = Math.floor(now / 300_000) * 300_000;
    const kept = [[last - 3_600_000, last]];
    await page.route('**/api/console/moments', (route) =>
      route.fulfill({ json: { at: now, kept, changes: [] } }),
    );
    const asked: number[] = [];
    await page.route(/\/api\/console\/.*\?at=/, async (route) => {
      const url = new URL(route.request().url());
      asked.push(Number(url.searchParams.get('at')));
      await route.fulfill({ response: await route.fetch({ url: url.href.replace(url.search, '') }) });
    });
    const link = (time: number): string => `?at=${new Date(time).toISOString().slice(0, 16)}Z`;
    await openView(page, consoleUrl, '#/incidents');
    await expect(page.getByRole('heading', { name: 'Channels' })).toBeVisible();
    const bar = page.getByRole('slider', { name: 'Time that is shown' });
    await expect(bar).toHaveAttribute('aria-valuetext', 'Now');
    await bar.focus();
    await bar.press('ArrowLeft');
    await bar.press('PageDown');
    await expect(page).toHaveURL(`${consoleUrl}/#/incidents${link(last - 3_600_000)}`);
    await expect(page.getByText(/^You see \d\d:\d\d/)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Channels' })).toHaveCount(0);
    await page.getByRole('navigation').getByRole('link', { name: 'Where' }).click();
    await expect(page).toHaveURL(`${consoleUrl}/#/where${link(last - 3_600_000)}`);
    await expect(first).toBeVisible();
    expect(new Set(asked.slice(-2))).toEqual(new Set([last - 3_600_000]));
    await expectNoViolation(page, 'the past');
    await bar.press('ArrowLeft');
    await expect(page.getByRole('heading', { name: 'Nothing is kept of this time' })).toBeVisible();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await expect(page).toHaveURL(`${consoleUrl}/#/where`);
    await expect(first).toBeVisible();
    await page.unrouteAll();
  });
});

test.describe('the table of lines', () => {
  test.use({ probeEveryMs: 2_000 });

  test(
    'moves no row while the pointer is in it, or the focus in a row',
    IN_CHROMIUM,
    async ({ page, lines, consoleUrl }) => {
      await openView(page, consoleUrl);
      const rows = page.locator('tr[data-line]');
      await expect(page.locator('tr[data-status="up"]')).toHaveCount(8, PATIENCE);
      const nameLast = async (): Promise<string> => (await rows.last().getAttribute('data-line')) ?? '';
      /** Lets the last line go down, and waits until its row says so. */
      const stopLast = async (): Promise<string> => {
        const host = await nameLast();
        lines.set(host.replace(/:\d+$/, ''), { fault: 'refuse' });
        await expect(page.locator(`tr[data-line="${host}"]`)).toHaveAttribute(
          'data-status',
          'down',
          PATIENCE,
        );
        return host;
      };
      const link = rows.first().getByRole('link').first();
      const leave = () => page.mouse.move(0, 0);

      await rows.first().hover();
      await link.focus();
      await leave();
      const first = await stopLast();
      expect(await nameLast()).toBe(first);
      await link.blur();
      await expect(rows.last()).not.toHaveAttribute('data-line', first);

      await rows.first().hover();
      await link.focus();
      await link.blur();
      const second = await stopLast();
      expect(await nameLast()).toBe(second);
      await leave();
      await expect(rows.last()).not.toHaveAttribute('data-line', second);
    },
  );
});

test(
  'a change that is refused and a connection that is lost are told of, and what was known stays',
  IN_CHROMIUM,
  async ({ page, portal, consoleUrl, expectedErrors }) => {
    await openView(page, consoleUrl);
    await test.step('a change of the site folder that is refused is shown with its reason, until it is corrected', async () => {
      const file = join(portal.siteDir, 'site.json');
      const good = await readFile(file, 'utf8');
      await expect(page.getByText('No change has been refused since the start.')).toBeVisible();
      await writeFile(file, JSON.stringify({ ...JSON.parse(good), colour: 'red' }));
      const refusal = page.getByRole('alert');
      await expect(refusal).toContainText(/The change of \d\d:\d\d was refused/);
      await expect(refusal).toContainText('colour is not a known key');
      await expect(refusal).toContainText('[unknown-key]');
      await expect(
        page.getByText(/^The last change of the site folder was refused at \d\d:\d\d\.$/),
      ).toBeVisible();
      await expect(page).toHaveTitle(/^(\(\d\) )?Change refused · Waypost console$/);
      await writeFile(file, good);
      await expect(
        page.getByText(/^A change was refused at \d\d:\d\d\. A later one went live at/),
      ).toBeVisible();
      await expect(page.getByText(/^version 2 of this server, live since/)).toBeVisible();
    });
    await test.step('a page that points its own name at this machine gets nothing', async () => {
      for (const path of ['/', '/api/console/overview', '/api/console/events']) {
        const { status } = await requestRaw(consoleUrl, path, 'rebound.example');
        expect([path, status]).toEqual([path, 421]);
      }
      expect((await requestRaw(consoleUrl, '/healthz', 'rebound.example')).status).toBe(200);
    });
    await test.step('a connection that is lost is told of, and what was known stays', async () => {
      // Nobody answers any more: an answer that says no is still an error that nobody expects.
      expectedErrors.push(/net::ERR_\S+ \S+\/api\/console\//);
      const rows = page.locator('tr[data-line]');
      await expect(rows).toHaveCount(8);
      await portal.close();
      await expect(page.getByText(/^Connection lost at \d\d:\d\d\. Trying again …$/)).toBeVisible();
      await expect(rows).toHaveCount(8);
    });
  },
);

test.describe('with a token', () => {
  test.use({ environment: { WAYPOST_OPS_TOKEN: 'a-long-token' } });

  test(
    'it is asked for once, kept in a cookie that no script sees, and may be guessed ten times',
    FIREFOX_IN_SOAK,
    async ({ page, context, consoleUrl, expectedErrors }) => {
      expectedErrors.push(/401|console\/account/);
      expect((await page.request.get(`${consoleUrl}/api/console/overview`)).status()).toBe(401);
      await page.goto(`${consoleUrl}/#/where`);
      await expectNoViolation(page, 'the form');
      const token = page.getByLabel('Token');
      await token.fill('a-guess');
      await token.press('Enter');
      await expect(page.getByRole('alert')).toHaveText('That is not the token.');
      await token.fill('a-long-token');
      await token.press('Enter');
      await expect(page.getByText('Live', { exact: true })).toBeVisible();
      await test.step('a link to a view leads there, also after a wrong try', async () => {
        await expect(page).toHaveURL(`${consoleUrl}/#/where`);
        await expect(page.getByRole('link', { name: 'Where', exact: true })).toHaveAttribute(
          'aria-current',
          'page',
        );
      });
      const [cookie] = await context.cookies();
      expect(cookie).toMatchObject({
        name: 'waypost.console',
        httpOnly: true,
        sameSite: 'Strict',
        path: '/',
      });
      expect(cookie?.value).not.toContain('a-long-token');
      await page.clock.install();
      await page.route('**/api/console/account', (route) => route.abort(), { times: 1 });
      const failed = page.waitForEvent('requestfailed');
      await page.reload();
      await expect(page.getByText('Live', { exact: true })).toBeVisible();
      // Without the account, nobody could sign out.
      await failed;
      await page.clock.fastForward(5_000);
      // The page is as wide as a phone since the form was looked at.
      await page.getByRole('button', { name: 'Settings of the console' }).click();
      await page.getByRole('button', { name: '中文' }).click();
      await page.getByRole('button', { name: '退出' }).click();
      await test.step('the form speaks the language that was chosen in the console', async () => {
        await expect(page.getByLabel('令牌')).toBeVisible();
        expect((await context.cookies()).map(({ name }) => name)).toEqual(['waypost.console-language']);
      });
      await test.step('it may be guessed ten times, and then not for a while', async () => {
        const ask = (guess: string) =>
          page.request.get(`${consoleUrl}/api/console/lines`, {
            headers: { Authorization: `Bearer ${guess}` },
          });
        expect((await ask('a-long-token')).status()).toBe(200);
        // The first one was typed into the form.
        for (let guess = 2; guess <= 10; guess += 1) expect((await ask(`guess-${guess}`)).status()).toBe(401);
        const locked = await ask('a-long-token');
        expect([locked.status(), Number(locked.headers()['retry-after']) > 0]).toEqual([429, true]);
      });
    },
  );
});
