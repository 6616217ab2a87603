import { startLineHosts } from '../src/line/start-line-hosts.ts';
import { IN_CHROMIUM } from './support/browsers.ts';
import { expectEntered } from './support/expect-entered.ts';
import { makeCertificate } from './support/make-certificate.ts';
import { startReplicas } from './support/start-replicas.ts';
import { BACKUPS, LINES, expect, test } from './support/test.ts';

// The certificate is the test's own.
test.use({ ignoreHTTPSErrors: true, baseURL: undefined });

// The pages are those of the other tests. What is new is nginx, which every browser asks alike.
test('two portals behind nginx serve every page over https', IN_CHROMIUM, async ({ page }) => {
  const certificate = await makeCertificate(['localhost', '*.localhost']);
  const hosts = Object.fromEntries([...LINES, ...BACKUPS].map((host) => [host, {}]));
  const lines = await startLineHosts({ marker: 'waypost-test', ports: [0], hosts, tls: certificate });
  const withPort = (host: string): { host: string; noWWW: true } => ({
    host: `https://${host}:${lines.ports[0]}`,
    noWWW: true,
  });
  const replicas = await startReplicas(certificate, {
    site: {
      lines: {
        marker: 'waypost-test',
        hosts: LINES.map(withPort),
        fallback: BACKUPS.map((host) => withPort(host).host),
      },
    },
    targets: { localhost: { one: withPort('line2.localhost').host } },
  });
  try {
    await page.goto(replicas.url);
    await expect(page.locator('[data-row] [data-speed]')).toHaveText(
      Array.from({ length: 4 }, () => /^\d+ms$/),
    );
    await page.goto(`${replicas.url}/t`);
    await page.getByRole('button', { name: '点我进入' }).click();
    await expectEntered(page, 'line2.localhost');
    // Firefox starts over where the page before is still on its way.
    await page.waitForLoadState();
    await page.goto(`${replicas.url}/r`, { waitUntil: 'commit' });
    await expectEntered(page, /^line\d\.localhost$/);
  } finally {
    await replicas.close();
    await lines.close();
  }
});
