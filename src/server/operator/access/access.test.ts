import { describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { type TestConsole, createTestConsole } from '../../testing/test-console.ts';

const TOKEN = 'a-long-token';
const OVERVIEW = '/api/console/overview';
const ORIGIN = { origin: 'http://localhost:8081' };

function logIn(console: TestConsole, token: string, more: { isEncrypted?: boolean; from?: string } = {}) {
  const body = new URLSearchParams({ token }).toString();
  return console.ask('/login', { method: 'POST', headers: ORIGIN, body, ...more });
}

describe('without a token', () => {
  test('the console answers to the names of this machine only', async () => {
    const console = await createTestConsole();
    const statusFor = async (url: string, host: string) =>
      (await console.ask(url, { headers: { host } })).status;
    for (const path of ['/', OVERVIEW, '/api/console/events']) {
      expect([path, await statusFor(path, 'localhost:8081')]).toEqual([path, 200]);
      expect([path, await statusFor(path, 'rebound.example:8081')]).toEqual([path, 421]);
    }
  });

  test('a console that does not know yet who may sign in lets nobody look', async () => {
    const console = await createTestConsole();
    console.people.forgetAll();
    expect((await console.ask(OVERVIEW)).status).toBe(401);
  });

  test('nothing but GET is answered, and every answer has its security headers', async () => {
    const console = await createTestConsole();
    const page = await console.ask('/');
    expect(page.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(page.headers['content-security-policy']).toContain("style-src 'self';");
    expect((await console.ask(OVERVIEW, { method: 'POST' })).status).toBe(405);
    expect((await console.ask('/login', { method: 'PUT' })).status).toBe(405);
    expect(await console.ask('/login')).toMatchObject({ status: 302, headers: { location: '/' } });
    expect((await console.ask('/nothing')).status).toBe(404);
  });
});

describe('with a token', () => {
  test('a session outlives a restart with the same token, and none with another token', async () => {
    const sessionsIn = await openTestDatabase();
    const before = await createTestConsole({ token: TOKEN, sessionsIn });
    const cookie = (await logIn(before, TOKEN)).headers['set-cookie']?.split(';')[0] ?? '';
    const statusAfter = async (token: string) => {
      const after = await createTestConsole({ token, sessionsIn });
      return (await after.ask(OVERVIEW, { headers: { cookie } })).status;
    };
    expect([await statusAfter(TOKEN), await statusAfter('another-token')]).toEqual([200, 401]);
  });

  test('a stranger gets a form for the page and 401 for the rest', async () => {
    const console = await createTestConsole({ token: TOKEN });
    const page = await console.ask('/');
    expect([page.status, page.text]).toEqual([401, expect.stringContaining('action="/login"')]);
    expect((await console.ask(OVERVIEW)).status).toBe(401);
    expect((await console.ask('/api/console/events')).status).toBe(401);
    // The form's style is no secret.
    expect((await console.ask('/assets/console-1a2b3c.js')).status).toBe(200);
  });

  test.each<
    [acceptLanguage: string, chosen: string, lang: string, said: readonly [heading: string, problem: string]]
  >([
    ['zh-TW,zh;q=0.9,en;q=0.8', '', 'zh-CN', ['运营控制台', '令牌不正确。']],
    ['de-DE, zh-HK, en;q=0.5', '', 'zh-CN', ['运营控制台', '令牌不正确。']],
    ['zh;q=0.1,en-US', '', 'en', ['Operator’s console', 'That is not the token.']],
    ['zh;q=0, de', '', 'en', ['Operator’s console', 'That is not the token.']],
    ['', '', 'en', ['Operator’s console', 'That is not the token.']],
    ['en', 'zh-CN', 'zh-CN', ['运营控制台', '令牌不正确。']],
    ['zh', 'en', 'en', ['Operator’s console', 'That is not the token.']],
    ['zh', 'tlh', 'zh-CN', ['运营控制台', '令牌不正确。']],
  ])('a browser of "%s" whose operator chose "%s" gets %s', async (...row) => {
    const [acceptLanguage, chosen, lang, [heading, problem]] = row;
    const console = await createTestConsole({ token: TOKEN });
    const headers = {
      ...ORIGIN,
      'accept-language': acceptLanguage,
      cookie: `waypost.console-language=${chosen}`,
    };
    const form = (await console.ask('/', { headers })).text;
    expect(form).toContain(`<html lang="${lang}" data-theme="system">`);
    expect(form).toContain(`<h1>${heading}</h1>`);
    const guess = () => console.ask('/login', { method: 'POST', headers, body: 'token=guess' });
    expect((await guess()).text).toContain(problem);
    for (let tries = 1; tries < 10; tries += 1) await guess();
    expect((await guess()).text).toMatch(lang === 'en' ? /Try again in 300 s\./ : /请在 300 秒后重试。/);
    const page = await (await createTestConsole()).ask('/', { headers });
    expect(page.text).toContain(`<html lang="${lang}" data-theme="system">`);
  });

  test.each([
    ['', 'lang="en" data-theme="system">'],
    ['dark', 'lang="en" data-theme="dark">'],
    ['light', 'lang="en" data-theme="light">'],
    ['"><script>', 'lang="en" data-theme="system">'],
  ])('an operator who chose the theme "%s" gets <html %s', async (chosen, attributes) => {
    const headers = { cookie: `waypost.console-theme=${encodeURIComponent(chosen)}` };
    const page = await (await createTestConsole()).ask('/', { headers });
    expect(page.text).toContain(`<html ${attributes}`);
  });

  test('the header opens it, for this request', async () => {
    const console = await createTestConsole({ token: TOKEN });
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect((await console.ask(OVERVIEW, { headers })).status).toBe(200);
    expect((await console.ask(OVERVIEW, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
  });

  test('the form opens it, with a cookie that is strict, hidden from scripts, and not the token', async () => {
    const console = await createTestConsole({ token: TOKEN });
    const { status, headers } = await logIn(console, TOKEN);
    const cookie = headers['set-cookie'] ?? '';
    expect([status, headers.location]).toEqual([303, '/']);
    expect(cookie).toMatch(/^waypost\.console=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(TOKEN);
    expect((await logIn(console, TOKEN, { isEncrypted: true })).headers['set-cookie']).toMatch(/; Secure;/);
    const sent = { cookie: cookie.split(';')[0] ?? '' };
    expect((await console.ask(OVERVIEW, { headers: sent })).status).toBe(200);
    expect((await console.ask('/', { headers: sent })).text).toContain('console-1a2b3c.js');
  });

  test('a cookie ends by itself, and one that was made up is worth nothing', async () => {
    const console = await createTestConsole({ token: TOKEN });
    const cookie = (await logIn(console, TOKEN)).headers['set-cookie']?.split(';')[0] ?? '';
    const statusWith = async (value: string) =>
      (await console.ask(OVERVIEW, { headers: { cookie: value } })).status;
    expect(await statusWith(cookie)).toBe(200);
    expect(await statusWith(`${cookie}x`)).toBe(401);
    expect(await statusWith('waypost.console=')).toBe(401);
    const other = await createTestConsole({ token: 'another-token' });
    expect((await other.ask(OVERVIEW, { headers: { cookie } })).status).toBe(401);
    console.portal.clock.now += 12 * 3_600_000;
    expect(await statusWith(cookie)).toBe(401);
  });

  test('leaving takes the cookie back, and ends its session here', async () => {
    const console = await createTestConsole({ token: TOKEN });
    const [cookie = '', other = ''] = [await logIn(console, TOKEN), await logIn(console, TOKEN)].map(
      (answer) => answer.headers['set-cookie']?.split(';')[0],
    );
    const { status, headers } = await console.ask('/logout', {
      method: 'POST',
      headers: { ...ORIGIN, cookie },
    });
    expect((await console.ask(OVERVIEW, { headers: { cookie } })).status).toBe(401);
    expect((await console.ask(OVERVIEW, { headers: { cookie: other } })).status).toBe(200);
    expect([status, headers['set-cookie']]).toEqual([
      303,
      expect.stringMatching(/^waypost\.console=; .*Max-Age=0/),
    ]);
  });

  test('a form of another page is refused', async () => {
    const console = await createTestConsole({ token: TOKEN });
    const forged = `${ORIGIN.origin}/ https://evil.example`;
    for (const origin of ['https://evil.example', forged, 'null', '']) {
      const headers = origin === '' ? {} : { origin };
      const { status } = await console.ask('/login', { method: 'POST', headers, body: `token=${TOKEN}` });
      expect([origin, status]).toEqual([origin, 403]);
    }
  });

  test('a form that is too large is a wrong guess like any other', async () => {
    const console = await createTestConsole({ token: TOKEN });
    const headers = { ...ORIGIN, 'content-length': '5000' };
    const body = `token=${'x'.repeat(4_994)}`;
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      statuses.push((await console.ask('/login', { method: 'POST', headers, body })).status);
    }
    expect([statuses[0], statuses[10]]).toEqual([401, 429]);
  });

  test('who guesses too often is not listened to for a while, right or wrong, and others are', async () => {
    const console = await createTestConsole({ token: TOKEN });
    for (let guess = 0; guess < 10; guess += 1) {
      const { status, text } = await logIn(console, `guess ${guess}`);
      expect([status, text]).toEqual([401, expect.stringContaining('That is not the token.')]);
    }
    const locked = await logIn(console, TOKEN);
    expect([locked.status, Number(locked.headers['retry-after'])]).toEqual([429, 300]);
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect((await console.ask(OVERVIEW, { headers })).status).toBe(429);
    expect((await logIn(console, TOKEN, { from: '192.0.2.7' })).status).toBe(303);
    console.portal.clock.now += 300_000;
    expect((await logIn(console, TOKEN)).status).toBe(303);
  });

  test('the login form runs the built script, and its policy forbids scripts inside of it', async () => {
    const console = await createTestConsole({ token: TOKEN });
    const { text, headers } = await console.ask('/');
    expect(text.match(/<script.*/g)).toEqual([
      '<script type="module" src="/assets/sign-in-1a2b3c.js"></script>',
    ]);
    expect(headers['content-security-policy']).toContain("script-src 'self';");
  });
});
