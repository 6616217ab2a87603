import { once } from 'node:events';
import { connect } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test as base } from './support/test.ts';

const HOSTS = ['line1.localhost', 'line2.localhost', 'line3.localhost', 'line4.localhost'] as const;

const test = base.extend<{ addressOf: (host: string) => string }>({
  // No portal is needed.
  baseURL: '',
  addressOf: async ({ lines }, use) => {
    await use((host) => `http://${host}:${lines.ports[0]}`);
  },
  // One for all: a probe leaves nothing behind in its page.
  page: async ({}, use) => {
    await use(harnessPage);
  },
});

let harnessPage: Page;

test.beforeAll(async ({ browser, harnessUrl }) => {
  harnessPage = await browser.newPage();
  await harnessPage.goto(harnessUrl);
});

test.afterAll(() => harnessPage.close());

test.describe('a probe', () => {
  test('measures a line that answers, to the ms', async ({ page, lines, addressOf }) => {
    lines.set('line1.localhost', { delayMs: 120 });
    const result = await page.evaluate((address) => harness.probe(address), addressOf('line1.localhost'));
    expect(result).toEqual({ host: addressOf('line1.localhost'), time: expect.any(Number) });
    expect(result?.time).toBeGreaterThanOrEqual(119);
    expect(result?.time).toBeLessThan(5_000);
  });

  test('of a line with a fault fails with its cause, and aborts for real after 5 s', async ({
    page,
    lines,
    addressOf,
  }) => {
    const causes = {
      refuse: 'unreachable',
      hang: 'timeout',
      'wrong-marker': 'wrong-server',
      'no-marker': 'wrong-server',
      redirect: 'unreachable',
      error: 'wrong-server',
      'reset-head': 'unreachable',
    } as const;
    const hosts = Object.entries(causes).map(([fault, cause]) => ({ host: `${fault}.localhost`, cause }));
    for (const fault of Object.keys(causes) as (keyof typeof causes)[]) {
      lines.set(`${fault}.localhost`, { fault });
    }
    const probe = (host: string) => page.evaluate((address) => harness.probe(address), addressOf(host));
    // On a busy machine any line may take 5 s, and is asked again.
    await Promise.all(
      hosts.map(({ host, cause }) =>
        expect.poll(() => probe(host)).toEqual({ host: addressOf(host), time: 99_999, cause }),
      ),
    );
    // The line sees its client leave.
    await expect.poll(() => lines.requests('hang.localhost')).toMatchObject({ probes: 1, aborted: 1 });
  });

  test('of a port where nothing listens fails as unreachable', async ({ page, lines }) => {
    // The port of a client: nothing listens there, and as long as it is connected no other program can take it.
    const client = connect(Number(lines.ports[0]), '127.0.0.1');
    await once(client, 'connect');
    const address = `http://line1.localhost:${client.localPort}`;
    const result = await page.evaluate((closed) => harness.probe(closed), address);
    client.destroy();
    expect(result).toMatchObject({ cause: 'unreachable' });
  });

  test('decides by the headers: a body that breaks off does not matter', async ({
    page,
    lines,
    addressOf,
  }) => {
    lines.set('line1.localhost', { fault: 'reset-body' });
    const result = await page.evaluate((address) => harness.probe(address), addressOf('line1.localhost'));
    expect(result?.time).toBeLessThan(5_000);
  });

  test('does not download the body, whatever its size', async ({ page, lines, addressOf }) => {
    lines.set('line1.localhost', { fault: 'huge-body' });
    const result = await page.evaluate((address) => harness.probe(address), addressOf('line1.localhost'));
    expect(result?.time).toBeLessThan(5_000);
    // Another probe takes as long as a download of many MB would; by then the line has noticed that nobody reads.
    const probeSlowLine = () =>
      page.evaluate((address) => harness.probe(address), addressOf('line2.localhost'));
    lines.set('line2.localhost', { delayMs: 500 });
    await probeSlowLine();
    const { bodyBytes } = lines.requests('line1.localhost');
    await probeSlowLine();
    // How much it sent before that is up to the machine. That the client has left is not.
    expect(lines.requests('line1.localhost')).toMatchObject({ bodyBytes, aborted: 1 });
  });
});

test.describe('a race', () => {
  test('is won by the fastest line; the line that hangs sees its client leave', async ({
    page,
    lines,
    addressOf,
  }) => {
    lines.set('line1.localhost', { delayMs: 900 });
    lines.set('line2.localhost', { delayMs: 100 });
    lines.set('line3.localhost', { fault: 'hang' });
    lines.set('line4.localhost', { fault: 'wrong-marker' });
    const winner = await page.evaluate((addresses) => harness.race(addresses), HOSTS.map(addressOf));
    expect(winner).toBe(addressOf('line2.localhost'));
    await expect.poll(() => lines.requests('line3.localhost')).toMatchObject({ probes: 1, aborted: 1 });
    await expect.poll(() => lines.requests('line1.localhost')).toMatchObject({ probes: 1, aborted: 1 });
  });

  test('has no winner where every line has a fault', async ({ page, lines, addressOf }) => {
    for (const host of HOSTS) lines.set(host, { fault: 'wrong-marker' });
    const winner = await page.evaluate((addresses) => harness.race(addresses), HOSTS.map(addressOf));
    expect(winner).toBeUndefined();
  });
});
