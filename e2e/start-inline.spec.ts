import type { StartAnswers } from '../src/contract/page/start-answers.ts';
import { FIREFOX_IN_SOAK } from './support/browsers.ts';
import { expectEntered } from './support/expect-entered.ts';
import { type Front, startFront } from './support/start-front.ts';
import type { Portal } from './support/create-portal-host.ts';
import { BACKUPS, expect, LINES, test } from './support/test.ts';
import { FAILED_CALL, isProbe, watchRequests } from './support/watch-requests.ts';

const CALLS = ['/api/get_ip', '/api/hostnames', '/json/link.json'];
const ELEMENT = /(<script type="application\/json" id="waypost-start">)(.*?)(<\/script>)/;

test.use({ changes: { site: { start: 'inline' } } });

/** The calls to the portal that left, in the order of their names. */
function callsOf(requests: readonly string[]): readonly string[] {
  return requests.filter((request) => CALLS.includes(request)).toSorted();
}

/** Starts a server whose pages are copies with changed start answers, as a file or a cache may keep one. */
function startCopies({ url }: Portal, change: (json: string) => string): Promise<Front> {
  return startFront(url, {
    changePage: ({ html, headers }) => ({
      html: html.replace(ELEMENT, (_, start, json, end) => start + change(json) + end),
      headers,
    }),
  });
}

function edit(change: (start: StartAnswers) => unknown): (json: string) => string {
  return (json) => JSON.stringify(change(JSON.parse(json) as StartAnswers));
}

const OLD = edit((start) => ({ ...start, until: start.until - 600_000 }));
const BROKEN = (json: string): string => json.slice(0, -9);

test.describe('a document that carries its start', () => {
  test('on /r sends nothing but probes, and goes to the fastest line', async ({ page, lines }) => {
    for (const host of LINES.slice(1)) lines.set(host, { delayMs: 2_000 });
    const requests = watchRequests(page);
    await page.goto('/r', { waitUntil: 'commit' });
    await expectEntered(page, 'line1.localhost');
    expect(requests[0]).toBe('/r');
    expect(requests.slice(1, 5).toSorted()).toEqual(LINES.map((host) => `${host}/speed.php`));
    expect(requests.slice(5)).toEqual(['line1.localhost/']);
  });

  test('on / measures without a call, a retest uses the calls, and when it is restored it loads anew and uses what the new one carries', async ({
    page,
  }) => {
    const requests = watchRequests(page);
    const report = page.waitForRequest('**/api/measurements');
    await page.goto('/');
    await page.locator('[data-phase="ready"]').waitFor();
    await expect(page.locator('[data-row] [data-speed]')).toHaveText(Array(4).fill(/^\d+ms$/));
    expect(callsOf(requests)).toEqual([]);
    expect(requests.filter(isProbe).toSorted()).toEqual(LINES.map((host) => `${host}/speed.php`));
    await page.getByRole('button', { name: '重新测速' }).click();
    await page.locator('[data-phase="loading"]').waitFor();
    await page.locator('[data-phase="ready"]').waitFor();
    expect(callsOf(requests)).toEqual(['/api/get_ip', '/api/hostnames']);
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    expect((await report).method()).toBe('POST');
    await page.goto('/t/localhost');
    await page.goBack();
    await page.locator('[data-phase="ready"]').waitFor();
    await expect(page.locator('[data-row] [data-speed]')).toHaveText(Array(4).fill(/^\d+ms$/));
    // That of the retest.
    expect(requests.filter((request) => request === '/api/hostnames')).toHaveLength(1);
  });
});

for (const [what, change] of [
  ['older than its ticket', OLD],
  ['cut off', BROKEN],
  ['empty', () => ''],
] as const) {
  const where = what === 'older than its ticket' ? {} : FIREFOX_IN_SOAK;
  test(
    `start answers that are ${what} are left alone: /r and / use the calls`,
    where,
    async ({ page, portal }) => {
      const copies = await startCopies(portal, change);
      const requests = watchRequests(page);
      await page.goto(`${copies.url}/r`, { waitUntil: 'commit' });
      await expectEntered(page);
      expect(callsOf(requests)).toEqual(CALLS);
      await page.goto(copies.url);
      await expect(page.locator('[data-row] [data-speed]').first()).toHaveText(/^\d+ms$/);
      expect(callsOf(requests)).toEqual([...CALLS, ...CALLS].toSorted());
      copies.close();
    },
  );
}

test('a forged copy leads nowhere outside the identity check', async ({
  page,
  portal,
  lines,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_CALL);
  const [port] = lines.ports;
  lines.set('evil.localhost', { fault: 'wrong-marker' });
  for (const host of LINES) lines.set(host, { fault: 'refuse' });
  for (const host of BACKUPS.slice(1)) lines.set(host, { fault: 'refuse' });
  const hosts = [`http://evil.localhost:${port}`, 'javascript:alert(1)', `//evil.localhost:${port}`];
  const copies = await startCopies(
    portal,
    edit(({ until, answers }) => ({ until, answers: { ...answers, '/api/hostnames': { body: hosts } } })),
  );
  await page.goto(`${copies.url}/r`, { waitUntil: 'commit' });
  await expectEntered(page, 'backup1.localhost');
  expect(lines.requests('evil.localhost').probes).toBe(1);
  copies.close();
});
