import { expect, expectEntered, test } from './support/webkit-test.ts';

const LINE = 'line1.localhost';

test.use({ serviceWorkers: 'allow' });

test('a visitor whose line dies goes on at the same page of a sibling', async ({
  webkit,
  front,
  lines,
  portal,
}) => {
  lines.setPortal(portal.url);
  const go = (path: string) =>
    webkit.evaluate((url) => void (location.href = url), `http://${LINE}:${lines.ports[0]}${path}`);
  await webkit.goto('/nowhere');
  await go('/');
  await expectEntered(webkit, LINE);
  const readState = () =>
    webkit.evaluate(async () => {
      const cache = await caches.open('waypost.stay');
      const kept = (await (await cache.match('/waypost/siblings'))?.text()) ?? '';
      return `${isSecureContext} ${navigator.serviceWorker?.controller !== null} ${kept.includes('"hosts"')}`;
    });
  await expect.poll(readState).toBe('true true true');
  lines.set(LINE, { fault: 'refuse' });
  await go('/item/2?a=b#part');
  await expectEntered(webkit, '(?:line[2-4]|backup\\d).localhost');
  const { pathname, search, hash } = new URL(await webkit.url());
  expect(pathname + search + hash).toBe('/item/2?a=b#part');
  expect(front.requests).toContain('/nowhere');
});
