import { BACKUPS, LINES } from '../support/test.ts';
import { PHONE, expect, expectEntered, takeShot, test } from './support/webkit-test.ts';

const ENTER = 'button 点我进入';

test.use({ viewport: PHONE });

test.describe('/r', () => {
  test('takes the visitor to the fastest line, and Back leads to the page before', async ({
    webkit,
    front,
    lines,
  }) => {
    for (const host of LINES) lines.set(host, { delayMs: 3_000 });
    lines.set('line1.localhost', { fault: 'wrong-marker' });
    lines.set('line3.localhost', { delayMs: 300 });
    await webkit.goto('/nowhere');
    await webkit.goto('/r?code=7#top');
    await expectEntered(webkit, 'line3.localhost');
    await test.step('in the order of the calls, without the query', async () => {
      const calls = front.requests.filter((path) => /^\/(?:json|api)\//.test(path));
      // The first two leave together, on two connections.
      expect(calls.slice(0, 2).toSorted()).toEqual(['/api/get_ip', '/json/link.json']);
      expect(calls.slice(2).filter((path) => path !== '/api/measurements')).toEqual(['/api/hostnames']);
      expect(new URL(await webkit.url()).search + new URL(await webkit.url()).hash).toBe('');
    });
    await test.step('the losers are aborted, and the visit is reported', async () => {
      for (const host of ['line2.localhost', 'line4.localhost']) {
        await expect.poll(() => lines.requests(host).probes - lines.requests(host).aborted).toBe(0);
      }
      await expect.poll(() => front.requests.includes('/api/measurements')).toBe(true);
    });
    await webkit.goBack();
    expect(await webkit.url()).toBe(`${front.url}/nowhere`);
  });

  test('goes to a fallback line where all others hang, and the hostname call too', async ({
    webkit,
    front,
    lines,
  }) => {
    await test.step('where the lines hang', async () => {
      for (const host of [...LINES, ...BACKUPS.slice(1)]) lines.set(host, { fault: 'hang' });
      await webkit.goto('/r');
      await expectEntered(webkit, 'backup1.localhost');
    });
    await test.step('where the call hangs', async () => {
      lines.reset();
      front.holdBack(/^\/api\/hostnames/);
      await webkit.goto('/r');
      await expectEntered(webkit, 'backup\\d.localhost');
      expect(LINES.map((host) => lines.requests(host).probes)).toEqual([0, 0, 0, 0]);
    });
  });

  test('says so where no line can be reached, and tries again', async ({ webkit, front, lines }) => {
    for (const host of [...LINES, ...BACKUPS]) lines.set(host, { fault: 'refuse' });
    await webkit.goto('/r');
    await expect
      .poll(() => webkit.texts('[role="alert"]'))
      .toEqual([expect.stringContaining('暂时没有可用的线路')]);
    expect(await webkit.count('link', '返回首页')).toBe(1);
    expect(await webkit.attributes('a', 'href')).toContain('/');
    expect(new URL(await webkit.url()).pathname).toBe('/r');
    await takeShot(webkit, 'redirect-none-390');
    lines.set('line3.localhost', {});
    await webkit.click('button', '重试');
    await expectEntered(webkit, 'line3.localhost');
    expect(front.requests.filter((path) => path.startsWith('/api/hostnames'))).toHaveLength(2);
  });
});

test.describe('/t', () => {
  test('leads to its default target, and enters the fastest address, with the Enter key too', async ({
    webkit,
    front,
    lines,
  }) => {
    lines.set('line1.localhost', { delayMs: 2_000 });
    const release = front.holdBack(/^\/json\/urls\//);
    await webkit.goto('/t');
    expect(await webkit.url()).toBe(`${front.url}/t/localhost`);
    await expect
      .poll(() => webkit.texts('[role="status"]'))
      .toEqual([expect.stringContaining('正在选择最快的地址')]);
    expect(await webkit.texts('#enter')).toEqual([]);
    await takeShot(webkit, 'type-redirect-choosing-390');
    release();
    await expect.poll(() => webkit.focused()).toBe(ENTER);
    await takeShot(webkit, 'type-redirect-390');
    await expect.poll(() => webkit.evaluate(() => document.readyState)).toBe('complete');
    await webkit.click('button', '点我进入');
    await expectEntered(webkit, 'line2.localhost');
    await test.step('and comes back with the button', async () => {
      await webkit.goBack();
      expect(await webkit.url()).toBe(`${front.url}/t/localhost`);
      await expect.poll(() => webkit.focused()).toBe(ENTER);
      await webkit.press('Enter');
      await expectEntered(webkit, 'line2.localhost');
    });
  });

  test('uses the first address where none answers, and says so where there is none', async ({
    webkit,
    front,
    lines,
  }) => {
    for (const host of LINES) lines.set(host, { fault: 'refuse' });
    await webkit.goto('/t/localhost');
    await expect.poll(() => webkit.focused()).toBe('button 重试');
    expect(await webkit.count('button', '仍要打开')).toBe(1);
    expect(await webkit.count('button', '点我进入')).toBe(0);
    await takeShot(webkit, 'type-redirect-none-390');
    expect(await webkit.attributes('a[href*="line1.localhost"]', 'href')).toHaveLength(1);
    front.route(/^\/json\/urls\//, { status: 404 });
    await webkit.goto('/t/nowhere?lang=en');
    await expect.poll(() => webkit.texts('[role="alert"]')).toHaveLength(1);
    expect(await webkit.attributes('html', 'lang')).toEqual(['en']);
    await takeShot(webkit, 'type-redirect-missing-390');
  });
});

test.describe('/c', () => {
  test.use({
    changes: {
      site: {
        campaigns: {
          spring: { name: 'Spring cup', path: '/promo/spring', query: { utm_source: 'channel' } },
          over: { name: 'Over', until: '2000-01-01T00:00Z' },
        },
      },
    },
  });

  test('a link ends at its path of a line, and one that is over says so', async ({ webkit }) => {
    await webkit.goto('/c/spring');
    await expectEntered(webkit, 'line\\d.localhost');
    const { pathname, search } = new URL(await webkit.url());
    expect(pathname + search).toBe('/promo/spring?utm_source=channel');
    await webkit.goto('/c/over');
    await expect.poll(() => webkit.texts('#campaign-note')).toEqual(['活动已结束，您可以使用以下官方线路。']);
  });
});
