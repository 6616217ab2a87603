import { FOREIGN_SERVERS } from '../../src/line/line-behaviour.ts';
import { startLineHosts } from '../../src/line/start-line-hosts.ts';
import { makeCertificate } from '../support/make-certificate.ts';
import { LINES } from '../support/test.ts';
import type { WebKitPage } from './support/create-page.ts';
import { PHONE, expect, expectEntered, takeShot, test } from './support/webkit-test.ts';

test.use({ viewport: PHONE });

const countRows = async (webkit: WebKitPage, text: string): Promise<number> =>
  (await webkit.texts('[data-row]')).filter((row) => row.includes(text)).length;

test('on /, no line whose domain somebody else has taken over is entered with one click', async ({
  webkit,
  front,
  lines,
}) => {
  front.route(/^\/api\/hostnames/, { json: LINES.map((host) => `http://${host}:${lines.ports[0]}`) });
  for (const foreigners of [FOREIGN_SERVERS.slice(0, 4), FOREIGN_SERVERS.slice(4)]) {
    await test.step(foreigners.join(', '), async () => {
      lines.reset();
      for (const [index, fault] of foreigners.entries()) lines.set(LINES[index] ?? '', { fault });
      await webkit.goto('/');
      // Results of this visit would count for the next.
      await expect.poll(() => countRows(webkit, '未通过验证')).toBe(foreigners.length);
      expect(await webkit.attributes('[data-row] a[href]', 'href')).toHaveLength(4 - foreigners.length);
      await expect
        .poll(() => webkit.attributes('button[aria-haspopup]', 'type'))
        .toHaveLength(foreigners.length);
      const names = await webkit.texts('button[aria-haspopup]');
      for (const name of names) {
        await webkit.click('button', name);
        await expect.poll(() => webkit.count('dialog', `${name}未通过身份验证`)).toBe(1);
        await webkit.press('Escape');
        await expect.poll(() => webkit.texts('dialog')).toEqual([]);
      }
      expect(foreigners.map((_, index) => lines.requests(LINES[index] ?? '').pages)).toEqual(
        foreigners.map(() => 0),
      );
      await webkit.evaluate(() => sessionStorage.clear());
    });
  }
});

test('on /t, the click on an address of somebody else warns, and offers the next one', async ({
  webkit,
  lines,
}) => {
  lines.set('line1.localhost', { fault: 'redirect-to-login' });
  lines.set('line2.localhost', { fault: 'refuse' });
  await webkit.goto('/t/localhost');
  await expect.poll(() => webkit.focused()).toBe('button 重试');
  expect(await webkit.attributes('[data-when="found"] [href]', 'href')).toEqual(['/']);
  await webkit.click('button', '点我进入');
  await expect
    .poll(() => webkit.texts('[role="alert"]'))
    .toEqual([expect.stringContaining('无法确认该地址属于')]);
  expect(await webkit.focused()).toContain('改用其他地址');
  await takeShot(webkit, 'type-redirect-unproven-390');
  expect(lines.requests('line1.localhost').pages).toBe(0);
  await webkit.click('button', '仍要打开');
  await expectEntered(webkit, 'line1.localhost');
});

test.describe('a redirect from https to http, which the page’s own policy forbids,', () => {
  test.use({
    ignoreHTTPSErrors: true,
    // No address is http, so the policy of the pages does not allow http.
    changes: {
      site: {
        lines: { hosts: ['line.example'], fallback: ['a.example', 'b.example', 'c.example', 'd.example'] },
      },
      targets: { localhost: { one: 'line.example' } },
    },
  });

  test('is an answer of somebody else', async ({ webkit, front, expectedErrors }) => {
    expectedErrors.push(/against the policy: connect-src/);
    const tls = await makeCertificate(LINES.map((host) => `*.${host}`));
    const hosts = Object.fromEntries(LINES.map((host) => [host, {}]));
    const lines = await startLineHosts({ marker: 'waypost-test', ports: [0], hosts, tls });
    lines.set('line1.localhost', { fault: 'redirect-to-http' });
    lines.set('line2.localhost', { fault: 'refuse' });
    front.route(/^\/api\/hostnames/, { json: LINES.map((host) => `https://${host}:${lines.ports[0]}`) });
    await webkit.goto('/');
    await expect.poll(() => countRows(webkit, '未通过验证')).toBe(1);
    await expect.poll(() => countRows(webkit, '无法连接')).toBe(1);
    expect(await webkit.attributes('[data-row] a[href*="line1.localhost"]', 'href')).toEqual([]);
    await lines.close();
  });
});
