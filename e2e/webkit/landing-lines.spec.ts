import { BACKUPS, LINES } from '../support/test.ts';
import type { WebKitPage } from './support/create-page.ts';
import {
  DESKTOP,
  MEASURED,
  PHONE,
  expect,
  speedsOf,
  takeShot,
  test,
  waitUntilReady,
} from './support/webkit-test.ts';

const TESTING = ['测速中', '测速中', '测速中', '测速中'];
const ALL_MEASURED = [MEASURED, MEASURED, MEASURED, MEASURED];

test.describe('the lines, on a phone', () => {
  test.use({ viewport: PHONE });

  test('are tested, measured, kept for 10 s, and measured again', async ({ webkit, front, lines }) => {
    const release = front.holdBack(/^\/json\/link\.json/);
    await webkit.goto('/');
    await test.step('every row says that it is being tested, and nothing leaves before the links are there', async () => {
      expect(await speedsOf(webkit)).toEqual(TESTING);
      expect(await webkit.attributes('[data-row] a', 'href')).toEqual([null, null, null, null]);
      expect(front.requests.filter((path) => path.startsWith('/api/'))).toEqual([]);
      await takeShot(webkit, 'testing-390');
    });
    await test.step('a result takes the place of the text', async () => {
      release();
      await expect.poll(() => speedsOf(webkit)).toEqual(ALL_MEASURED);
      await waitUntilReady(webkit);
      await takeShot(webkit, 'measured-390');
    });
    await test.step('the links config is asked for before anything else', () => {
      const calls = front.requests.filter((path) => /^\/(?:json|api\/(?:get_ip|hostnames))/.test(path));
      expect(calls.slice(-3)).toEqual(['/json/link.json', '/api/get_ip', '/api/hostnames']);
    });
    await test.step('a second look within 10 s shows the same results without a probe', async () => {
      const shown = await readTimes(webkit);
      await webkit.goto('/');
      await waitUntilReady(webkit);
      expect(await readTimes(webkit)).toEqual(shown);
      expect(countProbes(lines)).toEqual([1, 1, 1, 1]);
    });
    await test.step('a retest measures again, and the hosts keep their rows', async () => {
      const addresses = await webkit.attributes('[data-row] a', 'href');
      await webkit.click('button', '重新测速');
      await expect.poll(() => countProbes(lines)).toEqual([2, 2, 2, 2]);
      await expect.poll(() => speedsOf(webkit)).toEqual(ALL_MEASURED);
      expect(await webkit.attributes('[data-row] a', 'href')).toEqual(addresses);
    });
    await test.step('a line is entered in a window of its own, and the visit is reported', async () => {
      const [address] = await webkit.attributes('[data-row="2"] a', 'href');
      await webkit.click('link', '官方线路2');
      expect(await webkit.takePopup()).toBe(`${address}/`);
      await expect.poll(() => front.requests.includes('/api/measurements')).toBe(true);
    });
  });
});

test('where the preload of the links stalls, three lines hang and React does not come, the page measures after 10 s, and again when it is told to', async ({
  webkit,
  front,
  lines,
}) => {
  for (const host of LINES.slice(1)) lines.set(host, { fault: 'hang' });
  const countOf = (asked: string) => front.requests.filter((path) => path === asked).length;
  // WebKit does not wait for its preload: the first try is a request of its own.
  for (const stalled of [/^\/json\/link\.json/, /link\.json$/]) front.stallNext(stalled);
  const release = front.holdBack(/^\/assets\/show-page-/);
  await webkit.goto('/');
  await expect.poll(() => countOf('/json/link.json')).toBe(2);
  expect(countOf('/api/get_ip')).toBe(0);
  await expect.poll(() => countOf('/json/link.json')).toBe(3);
  await expect.poll(async () => (await speedsOf(webkit)).filter(isNumber)).toHaveLength(1);
  await webkit.click('button', '重新测速');
  await expect.poll(() => countOf('/api/hostnames')).toBe(2);
  await expect.poll(() => lines.requests('line1.localhost').probes).toBe(2);
  await expect.poll(async () => (await speedsOf(webkit)).filter(isNumber)).toHaveLength(1);
  release();
});

function isNumber(speed: string): boolean {
  return /^\d+ms$/.test(speed);
}

test.describe('the lines, on a desktop', () => {
  test.use({ viewport: DESKTOP });

  test('are backups where the call brings fewer than four, say why they fail, and one of another server is not entered at one click', async ({
    webkit,
    front,
    lines,
  }) => {
    await test.step('where the hostname call brings one, the other three are backups', async () => {
      const repair = front.route(/^\/api\/hostnames/, { json: [`http://line1.localhost:${lines.ports[0]}`] });
      await webkit.goto('/');
      await expect.poll(() => speedsOf(webkit)).toEqual(ALL_MEASURED);
      const addresses = await webkit.attributes('[data-row] a', 'href');
      expect(addresses[0]).toContain('.line1.localhost:');
      for (const address of addresses.slice(1)) {
        expect(BACKUPS.some((host) => address?.includes(`.${host}:`))).toBe(true);
      }
      // React adds the badges; the speeds do not wait for it.
      await waitUntilReady(webkit);
      const rows = await webkit.texts('[data-row]');
      expect(rows.map((row) => row.includes('备用'))).toEqual([false, true, true, true]);
      await takeShot(webkit, 'backup-1440');
      repair();
      // Results of this visit would count for the next.
      await webkit.evaluate(() => sessionStorage.clear());
    });
    lines.set('line1.localhost', { fault: 'wrong-marker' });
    lines.set('line2.localhost', { fault: 'refuse' });
    lines.set('line3.localhost', { delayMs: 10 });
    lines.set('line4.localhost', { fault: 'hang' });
    await webkit.goto('/');
    await test.step('each row names its cause, and the fastest is marked', async () => {
      await expect.poll(() => rowWith(webkit, '无法连接')).toContain('大于5秒');
      await expect.poll(() => rowWith(webkit, '未通过验证')).toContain('大于5秒');
      await expect.poll(() => rowWith(webkit, '最快')).toContain('ms');
      // Nothing but the limit of 5 s ends this probe.
      await expect.poll(() => rowWith(webkit, '连接超时')).toContain('大于5秒');
      await takeShot(webkit, 'mixed-1440');
    });
    const number = await webkit.evaluate(
      () => document.querySelector('[data-row]:has(button[aria-haspopup])')?.getAttribute('data-row') ?? '',
    );
    const fastest = await webkit.evaluate(
      () =>
        document.querySelector<HTMLAnchorElement>('[data-row] a[href*="line3.localhost"]')?.textContent ?? '',
    );
    await test.step('a click opens a warning, which offers the fastest line first', async () => {
      await webkit.click('button', `官方线路${number}`);
      await expect.poll(() => webkit.count('dialog', `官方线路${number}未通过身份验证`)).toBe(1);
      await expect.poll(() => webkit.focused()).toBe(`link 改用${fastest}`);
      await takeShot(webkit, 'unproven-1440');
      const height = await webkit.evaluate(() => document.querySelector('dialog')?.offsetHeight ?? 0);
      expect(height).toBeLessThan(400);
      await webkit.resize({ width: 390, height: 844 });
      await takeShot(webkit, 'unproven-390');
      expect(await webkit.evaluate(() => document.querySelector('dialog')?.offsetHeight ?? 0)).toBeLessThan(
        400,
      );
      await webkit.resize({ width: 1440, height: 1000 });
    });
    await test.step('Escape closes it, and the focus goes back', async () => {
      await webkit.press('Escape');
      await expect.poll(() => webkit.texts('dialog')).toEqual([]);
      expect(await webkit.focused()).toBe(`button 官方线路${number}`);
    });
    await test.step('the second click opens the line all the same', async () => {
      await webkit.press('Enter');
      await webkit.click('link', '仍要打开');
      expect(await webkit.takePopup()).toContain('line1.localhost');
      await expect.poll(() => webkit.texts('dialog')).toEqual([]);
    });
  });
});

function countProbes(lines: { requests: (host: string) => { probes: number } }): readonly number[] {
  return LINES.map((host) => lines.requests(host).probes);
}

async function rowWith(webkit: WebKitPage, text: string): Promise<string> {
  return (await webkit.texts('[data-row]')).find((row) => row.includes(text)) ?? '';
}

/** The speed texts by address. */
async function readTimes(webkit: WebKitPage): Promise<Readonly<Record<string, string>>> {
  const [addresses, times] = [await webkit.attributes('[data-row] a', 'href'), await speedsOf(webkit)];
  return Object.fromEntries(addresses.map((address, index) => [address ?? '', times[index] ?? '']));
}
