import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { INLINE_SCRIPT, INLINE_STYLE } from '../testing/fake-web-build.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { createTestPortal } from '../testing/test-portal.ts';

const PROXIED = { network: { trustedProxies: ['10.0.0.0/8'], countryHeader: 'CF-IPCountry' } };
const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the pages', () => {
  test('are sent rendered, and are asked for again before each use', async () => {
    const { ask } = await createTestPortal();
    const { status, headers, text } = await ask('/');
    expect(status).toBe(200);
    expect(text).toContain('<title>landing zh-CN open</title>');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-cache',
      'content-language': 'zh-CN',
      vary: 'Accept-Language, Cookie, Accept-Encoding',
    });
    expect((await ask('/', { headers: { 'If-None-Match': headers.etag ?? '' } })).status).toBe(304);
  });

  test('carry what a page needs of the site, and none of the hosts that only the hostname call hands out', async () => {
    const { ask } = await createTestPortal();
    const { text } = await ask('/');
    expect(text).toContain('backup1.localhost');
    expect(text).toContain('"marker":"waypost-demo"');
    expect(text).not.toContain('line1.localhost');
    expect(text).not.toContain('trustedProxies');
  });

  test('are compressed for browsers that accept it, brotli before gzip', async () => {
    const { ask } = await createTestPortal();
    const encodingFor = async (accepted: string) =>
      (await ask('/', { headers: { 'Accept-Encoding': accepted } })).headers['content-encoding'];
    expect(await encodingFor('gzip, deflate, br, zstd')).toBe('br');
    expect(await encodingFor('gzip;q=1.0, br;q=0.5')).toBe('br');
    expect(await encodingFor('gzip, br;q=0')).toBe('gzip');
    expect(await encodingFor('gzip;q=0.0, brotli')).toBeUndefined();
    expect(await encodingFor('')).toBeUndefined();
  });

  test('follow the language of the query, then of the cookie, then of the browser', async () => {
    const { ask } = await createTestPortal();
    const languageFor = async (url: string, headers: Record<string, string> = {}) =>
      (await ask(url, { headers })).headers['content-language'];
    const browser = { 'Accept-Language': 'de-DE,en-GB;q=0.8,zh;q=0.3' };
    expect(await languageFor('/?lang=zh-TW', { ...browser, Cookie: 'waypost.lang=zh-CN' })).toBe('zh-TW');
    expect(await languageFor('/?lang=xx', { ...browser, Cookie: 'a=b; waypost.lang=zh-CN' })).toBe('zh-CN');
    expect(await languageFor('/', browser)).toBe('en');
    expect(await languageFor('/', { 'Accept-Language': 'zh-HK' })).toBe('zh-TW');
    expect(await languageFor('/', { 'Accept-Language': 'fr' })).toBe('zh-CN');
  });

  test('are there in any language that the site names, and in no other', async () => {
    const files = await createSiteFiles((config) => {
      config.locales = ['vi', 'ar', 'pt-BR', 'zh-CN'];
      config.defaultLocale = 'vi';
      delete config.announcement;
    });
    const { ask } = await createTestPortal({ files });
    const pageFor = async (path: string, acceptLanguage: string) => {
      const { headers, text } = await ask(path, { headers: { 'Accept-Language': acceptLanguage } });
      return [headers['content-language'], /"direction":"(\w+)"/.exec(text)?.[1]];
    };
    for (const path of ['/', '/r', '/t/localhost', '/nowhere']) {
      expect(await pageFor(path, 'ar-EG,en'), path).toEqual(['ar', 'rtl']);
      expect(await pageFor(path, 'en,pt;q=0.5'), path).toEqual(['pt-BR', 'ltr']);
      expect(await pageFor(path, 'en'), path).toEqual(['vi', 'ltr']);
      expect(await pageFor(`${path}?lang=en`, 'zh-HK'), path).toEqual(['zh-CN', 'ltr']);
    }
  });

  test('take the first language that there is, also if 200 are asked for', async () => {
    const { ask } = await createTestPortal();
    const many = Array.from({ length: 200 }, (_, index) => `x${index}-yy`).join(',');
    const asked = { headers: { 'Accept-Language': `${many},en;q=0` } };
    expect((await ask('/', asked)).headers['content-language']).toBe('zh-CN');
    const last = { headers: { 'Accept-Language': `${many},en;q=0.1` } };
    expect((await ask('/', last)).headers['content-language']).toBe('en');
  });

  test('carry the texts, names and images of their own language alone', async () => {
    const files = await createSiteFiles((config) => {
      (config.brand as { name: unknown }).name = { default: 'Name-of-all', en: 'Name-in-English' };
      config.texts = { en: { retest: 'Retest-in-English' }, 'zh-TW': { retest: 'Retest-in-Taiwan' } };
    });
    const { ask } = await createTestPortal({ files });
    const { text } = await ask('/?lang=en');
    expect(text).toContain('Name-in-English');
    expect(text).toContain('Retest-in-English');
    expect(text).not.toMatch(/Name-of-all|Retest-in-Taiwan/);
  });

  test('remember a language that was asked for', async () => {
    const { ask } = await createTestPortal();
    const { headers } = await ask('/?lang=EN');
    expect(headers['set-cookie']).toBe('waypost.lang=en; Max-Age=31536000; Path=/; SameSite=Lax');
    expect((await ask('/?lang=%0d%0aX: y')).headers['set-cookie']).toBeUndefined();
  });

  test('keep the redirects out of search engines', async () => {
    const { ask } = await createTestPortal();
    expect((await ask('/r')).headers['x-robots-tag']).toBe('noindex');
    expect((await ask('/t/localhost')).headers['x-robots-tag']).toBe('noindex');
    expect((await ask('/')).headers['x-robots-tag']).toBeUndefined();
  });

  test('run what they were rendered with, and nothing else', async () => {
    const { ask } = await createTestPortal();
    const policy = (await ask('/')).headers['content-security-policy'] ?? '';
    const directives = new Map(policy.split('; ').map((part) => [part.split(' ')[0], part]));
    expect(directives.get('default-src')).toBe("default-src 'none'");
    expect(directives.get('script-src')).toBe(`script-src 'self' ${sha256(INLINE_SCRIPT)}`);
    expect(directives.get('style-src')).toBe(`style-src 'self' ${sha256(INLINE_STYLE)}`);
    expect(directives.get('connect-src')).toBe("connect-src 'self' https: http:");
    expect(directives.get('frame-ancestors')).toBe("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('localhost');
  });

  test('are cut off from the window that opened them, except /r, which nobody sees', async () => {
    const { ask } = await createTestPortal();
    const policyOf = async (url: string) => (await ask(url)).headers['cross-origin-opener-policy'];
    for (const url of ['/', '/t/go', '/nothing-here']) expect(await policyOf(url), url).toBe('same-origin');
    expect(await policyOf('/r')).toBeUndefined();
  });

  test('may speak http only where a line does, and may reach the configured services', async () => {
    const files = await createSiteFiles(
      (config) => {
        Object.assign(config, {
          lines: {
            marker: 'm',
            hosts: ['a.example'],
            fallback: ['b.example', 'c.example', 'd.example', 'e.example'],
          },
          services: { callerAddress: 'http://ip.example:8080/x' },
          analytics: { measurementId: 'G-1' },
        });
      },
      { 'json/urls/localhost.json': '{"a":"app.example"}' },
    );
    const { ask } = await createTestPortal({ files });
    const policy = (await ask('/')).headers['content-security-policy'] ?? '';
    expect(policy).toContain("connect-src 'self' http://ip.example:8080 https:;");
    expect(policy).toMatch(/script-src [^;]+ https:\/\/www\.googletagmanager\.com;/);
  });

  test('are pinned to https where the visitor came by it', async () => {
    const files = await createSiteFiles((config) => Object.assign(config, PROXIED));
    const { ask } = await createTestPortal({ files });
    const pinFor = async (from: string, scheme: string) => {
      const answer = await ask('/', { from, headers: { 'X-Forwarded-Proto': scheme } });
      return answer.headers['strict-transport-security'];
    };
    expect(await pinFor('10.1.1.1', 'https')).toBe('max-age=31536000');
    expect(await pinFor('10.1.1.1', 'http')).toBeUndefined();
    expect(await pinFor('203.0.113.9', 'https')).toBeUndefined();
    expect((await ask('/', { isEncrypted: true })).headers['strict-transport-security']).toBeDefined();
  });
});

describe('a slash at the end', () => {
  test('makes no difference to /r and /t', async () => {
    const { ask } = await createTestPortal();
    expect((await ask('/r/')).text).toContain('<title>redirect');
    expect((await ask('/t/localhost/')).text).toContain('<title>type-redirect');
  });
});

describe('/t', () => {
  test('takes the first label of an allowed host as its target', async () => {
    const { ask } = await createTestPortal();
    for (const [host, target] of [
      ['localhost:8080', '/t/localhost'],
      ['GO.demo.example', '/t/go'],
    ]) {
      const { status, headers } = await ask('/t', { headers: { Host: host ?? '' } });
      expect([status, headers.location, headers['cache-control']]).toEqual([302, target, 'no-store']);
    }
    expect((await ask('/t/', { headers: { Host: 'app.demo.example' } })).headers.location).toBe('/t/app');
  });

  test('sends everyone else to the landing page', async () => {
    const { ask } = await createTestPortal();
    for (const host of ['evil.example', 'localhost.evil.example', 'sub.go.demo.example', '', '[::1]:80']) {
      expect((await ask('/t/go', { headers: { Host: host } })).headers.location, host).toBe('/');
      expect((await ask('/t', { headers: { Host: host } })).headers.location, host).toBe('/');
    }
  });

  test('shows its page for every well-formed target, and goes home for any other', async () => {
    const { ask } = await createTestPortal();
    expect((await ask('/t/no-such_file9')).text).toContain('<title>type-redirect');
    for (const target of ['a.b', 'a/b', '%2e%2e', 'x'.repeat(65), '//evil.example', 'a//']) {
      expect((await ask(`/t/${target}`)).headers.location, target).toBe('/');
    }
  });
});
