import { expect, test } from '@playwright/test';
import { makeCertificate } from './support/make-certificate.ts';
import { startCaddyLine } from './support/start-caddy-line.ts';
import { startHarness } from './support/start-harness.ts';
import { startNginxLine } from './support/start-nginx-line.ts';

// The certificate is the test's own.
test.use({ ignoreHTTPSErrors: true });

for (const [program, start] of [
  ['nginx', startNginxLine],
  ['Caddy', startCaddyLine],
] as const) {
  for (const scheme of ['http', 'https'] as const) {
    test(`a page's probe accepts ${program} over ${scheme}, on the shipped config`, async ({ page }) => {
      const line = await start(
        scheme === 'https' ? { certificate: await makeCertificate(['line1.localhost']) } : {},
      );
      const harness = await startHarness();
      await page.goto(harness.url);
      const results = await page.evaluate(
        ([addresses, marker]) =>
          Promise.all(addresses.map((address) => globalThis.harness.probe(address, marker))),
        [line.ports.map((port) => `${scheme}://line1.localhost:${port}`), line.marker] as const,
      );
      harness.close();
      await line.close();
      expect(results).toHaveLength(5);
      for (const result of results) expect(result?.time).toBeLessThan(5_000);
    });
  }
}
