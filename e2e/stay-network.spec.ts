import { startLineHosts } from '../src/line/start-line-hosts.ts';
import { HEADLESS_CHROMIUM, IN_CHROMIUM } from './support/browsers.ts';
import { makeCertificate, trustCertificate } from './support/make-certificate.ts';
import { startDoor } from './support/start-door.ts';
import { enterLine, expectMoved, readKept, test } from './support/stay-test.ts';
import { LINES, MARKER, expect } from './support/test.ts';

const LINE = 'line1.localhost';

for (const keeper of ['closed', 'reset', 'silent'] as const) {
  test(`a visitor stays in while the portal is ${keeper}, too`, async ({ page, lines, portal, stay }) => {
    const door = await startDoor({ portalUrl: portal.url });
    lines.setPortal(door.url);
    await stay.enter(page, stay.addressOf(LINE));
    await door.set(keeper);
    lines.set(LINE, { fault: 'refuse' });
    await page.goto(`${stay.addressOf(LINE)}/form`);
    await expectMoved(page, '/form');
    await door.close();
  });
}

test(
  'without a network the browser’s own error stays, and the list is there when the network is back',
  IN_CHROMIUM,
  async ({ page, context, lines, stay }) => {
    await stay.enter(page, stay.addressOf(LINE));
    const kept = await readKept(page);
    await context.setOffline(true);
    await expect(page.goto(`${stay.addressOf(LINE)}/form`)).rejects.toThrow();
    await context.setOffline(false);
    await page.goto(`${stay.addressOf(LINE)}/form`);
    await expect(page.getByLabel('留言')).toBeVisible();
    expect(await readKept(page)).toBe(kept);
    expect(lines.requests('line2.localhost').pages).toBe(0);
  },
);

test('the first sibling that proves itself is taken, however slow the others are', async ({
  page,
  lines,
  stay,
}) => {
  await stay.enter(page, stay.addressOf(LINE));
  for (const name of ['line2', 'line3', 'backup1', 'backup2', 'backup3', 'backup4'])
    lines.set(`${name}.localhost`, { fault: 'hang' });
  lines.set('line4.localhost', { delayMs: 3_000 });
  lines.set(LINE, { fault: 'refuse' });
  await page.goto(`${stay.addressOf(LINE)}/item/1`);
  await expect(page).toHaveURL(/\/\/www\d+\.line4\.localhost:\d+\/item\/1$/);
});

test('a form that is under way when its line dies is not sent again', async ({ page, lines, stay }) => {
  lines.set(LINE, { closesConnections: true });
  await stay.enter(page, stay.addressOf(LINE));
  await page.goto(`${stay.addressOf(LINE)}/form`);
  // The server has the form, and says nothing for as long as a page of its own would be waited for.
  lines.set(LINE, { delayMs: 5_000, fault: 'refuse' });
  await page.getByRole('button', { name: '发送' }).click();
  await expect(page.getByRole('link', { name: /前往其他线路|Go on at another one/ })).toBeVisible();
  const posts = ['line1', 'line2', 'line3', 'line4'].map((name) => lines.requests(`${name}.localhost`).posts);
  expect(posts).toEqual([1, 0, 0, 0]);
});

test(
  'a line whose certificate is wrong, or that speaks no TLS any more, is left for one over https',
  IN_CHROMIUM,
  async ({ playwright, portalHost }) => {
    const names = LINES.flatMap((name) => [name, `*.${name}`]);
    const [right, wrong] = await Promise.all([makeCertificate(names), makeCertificate(names)]);
    const lines = await startLineHosts({ marker: MARKER, ports: [0], tls: right });
    const own = await startLineHosts({ marker: MARKER, ports: [0] });
    const inPlace = { portalUrl: `http://localhost:${own.ports[0]}` };
    const door = await startDoor({ ...inPlace, certificate: right });
    const [mine = '', ...others] = LINES.map((name) => `https://${name}:${lines.ports[0]}`);
    const listed = [mine.replace(/\d+$/, new URL(door.url).port), ...others];
    const portal = await portalHost.start({ site: { lines: { marker: MARKER, hosts: listed } } });
    own.setPortal(portal.url);
    const { args, ...options } = HEADLESS_CHROMIUM.launchOptions;
    const browser = await playwright.chromium.launch({
      ...options,
      args: [...args, trustCertificate(right)],
    });
    const page = await browser.newPage();
    const address = `https://www${Math.floor(Date.now() / 86_400_000)}.${new URL(listed[0] ?? '').host}`;
    await enterLine(page, address);
    for (const keeper of [{ ...inPlace, certificate: wrong }, inPlace]) {
      await door.set(keeper);
      await page.goto(`${address}/form`);
      await expectMoved(page, '/form', 'https');
    }
    await browser.close();
    for (const server of [door, portal, own, lines]) await server.close();
  },
);
