import { expect, test } from './support/test.ts';

test('the landing page shows the measured time of each line', async ({ page, lines }) => {
  lines.set('line1.localhost', { delayMs: 80 });
  lines.set('line2.localhost', { delayMs: 10 });
  await page.goto('/');
  await expect(page.locator('[data-row]')).toHaveCount(4);
  await expect(page.locator('[data-row] [data-speed]')).toHaveText(
    Array.from({ length: 4 }, () => /^\d+ms$/),
  );
});

test('the landing page fills the rows that the list leaves with backups', async ({ page }) => {
  await page.route('**/api/hostnames', (route) => route.fulfill({ json: [] }));
  await page.goto('/');
  await expect(page.locator('[data-row]').first()).toContainText('备用');
  await expect(page.locator('[data-row] [data-speed]')).toHaveText(
    Array.from({ length: 4 }, () => /^\d+ms$/),
  );
});

test('nothing leaves before the links have loaded', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/json/link.json', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await expect(page.locator('[data-row]')).toHaveCount(4);
  expect(asked.filter((path) => path.startsWith('/api') || path === '/speed.php')).toEqual([]);
  release();
  await expect(page.locator('[data-row] [data-speed]').first()).toHaveText(/^\d+ms$/);
});

test('/r takes the visitor to the fastest line', async ({ page, lines }) => {
  for (const host of ['line1.localhost', 'line2.localhost', 'line4.localhost'])
    lines.set(host, { delayMs: 800 });
  await page.goto('/r', { waitUntil: 'commit' });
  await page.waitForURL(/line3\.localhost/);
});

test('/t leads to its default target and enters the fastest address', async ({ page, lines }) => {
  lines.set('line1.localhost', { delayMs: 800 });
  await page.goto('/t');
  await expect(page).toHaveURL(/\/t\/localhost$/);
  await page.getByRole('button', { name: '点我进入' }).click();
  await page.waitForURL(/\/\/line2\.localhost/);
});

test('an address that leads nowhere has a way back', async ({ page, expectedErrors }) => {
  expectedErrors.push(/404/);
  await page.goto('/nowhere');
  await expect(page.getByRole('contentinfo')).toContainText('未满18岁');
  await page.getByRole('link', { name: '返回首页' }).click();
  await expect(page.locator('[data-row]')).toHaveCount(4);
});
