import type { Page } from '@playwright/test';
import { HEADLESS_CHROMIUM, IN_CHROMIUM } from './support/browsers.ts';
import { makeCertificate, trustCertificate } from './support/make-certificate.ts';
import { startCaddyLine } from './support/start-caddy-line.ts';
import { startNginxLine } from './support/start-nginx-line.ts';
import { expect, test } from './support/test.ts';

// No portal is needed.
test.use({ baseURL: '' });

let harnessPage: Page;

test.beforeAll(async ({ browser, harnessUrl }) => {
  // The certificate is the test's own.
  harnessPage = await browser.newPage({ ignoreHTTPSErrors: true });
  await harnessPage.goto(harnessUrl);
});

test.afterAll(() => harnessPage.close());

for (const [program, start] of [
  ['nginx', startNginxLine],
  ['Caddy', startCaddyLine],
] as const) {
  for (const scheme of ['http', 'https'] as const) {
    test(`a page's probe accepts ${program} over ${scheme}, on the shipped config`, async () => {
      const line = await start(
        scheme === 'https' ? { certificate: await makeCertificate(['line1.localhost']) } : {},
      );
      const results = await harnessPage.evaluate(
        ([addresses, marker]) =>
          Promise.all(addresses.map((address) => globalThis.harness.probe(address, marker))),
        [line.ports.map((port) => `${scheme}://line1.localhost:${port}`), line.marker] as const,
      );
      await line.close();
      expect(results).toHaveLength(5);
      for (const result of results) expect(result?.time).toBeLessThan(5_000);
    });
  }
}

test(
  'a page reaches Caddy over HTTP/3, on the shipped config',
  IN_CHROMIUM,
  async ({ playwright, harnessUrl }) => {
    const certificate = await makeCertificate(['line1.localhost']);
    const line = await startCaddyLine({ certificate });
    const origins = line.ports.map((port) => `line1.localhost:${port}`);
    const { executablePath, args } = HEADLESS_CHROMIUM.launchOptions;
    const browser = await playwright.chromium.launch({
      executablePath,
      args: [
        ...args.filter((arg) => arg !== '--disable-quic'),
        // In the place of a DNS record, which a name of this machine cannot have.
        `--origin-to-force-quic-on=${origins.join(',')}`,
        // Over QUIC, Chromium tries one address only, and would take ::1.
        '--host-resolver-rules=MAP line1.localhost 127.0.0.1',
        // Over QUIC, Chromium forgives an unknown certificate only by its key.
        trustCertificate(certificate),
      ],
    });
    const page = await browser.newPage();
    await page.goto(harnessUrl);
    const probed = await page.evaluate(
      ([addresses, marker]) =>
        Promise.all(
          addresses.map(async (address) => {
            const result = await globalThis.harness.probe(address, marker);
            const [entry] = performance.getEntriesByName(`${address}/speed.php`);
            return { result, protocol: (entry as PerformanceResourceTiming | undefined)?.nextHopProtocol };
          }),
        ),
      [origins.map((origin) => `https://${origin}`), line.marker] as const,
    );
    await browser.close();
    await line.close();
    expect(probed).toHaveLength(5);
    for (const { result, protocol } of probed) {
      expect(protocol).toBe('h3');
      expect(result?.time).toBeLessThan(5_000);
    }
  },
);
