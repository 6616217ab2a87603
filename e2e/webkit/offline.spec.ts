import { expect, test } from './support/webkit-test.ts';

test.use({ serviceWorkers: 'allow' });

test('a page that was kept is shown where a proxy finds no portal', async ({ webkit, front }) => {
  await webkit.goto('/t/localhost');
  const listKept = () =>
    webkit.evaluate(async () => {
      const cache = await caches.open('waypost.offline');
      return (await cache.keys()).map(({ url }) => new URL(url).pathname);
    });
  await expect.poll(listKept).toEqual(expect.arrayContaining(['/offline/t', '/json/urls/localhost.json']));
  await webkit.evaluate(async () => void (await navigator.serviceWorker.ready));
  front.route(/^\/t\//, { status: 502 });
  await webkit.goto('/t/localhost');
  await expect.poll(() => webkit.count('button', '点我进入')).toBe(1);
  expect(await webkit.evaluate(() => document.querySelector('#waypost-start')?.textContent)).toContain(
    'isKept',
  );
});
