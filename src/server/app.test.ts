import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { INLINE_SCRIPT, INLINE_STYLE } from './testing/fake-web-build.ts';
import { createSiteFiles } from './testing/site-files.ts';
import { createTestPortal } from './testing/test-portal.ts';

const PROXIED = { network: { trustedProxies: ['10.0.0.0/8'], countryHeader: 'CF-IPCountry' } };
const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the pages', () => {
  test('are sent rendered, and are asked for again before each use', async () => {
    const { ask } = await createTestPortal();
    const { status, headers, text } = await ask('/');
    expect(status).toBe(200);
    expect(text).toContain('<title>landing zh-CN open</title>');
    expect(headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'private, no-cache',
      'Content-Language': 'zh-CN',
      Vary: 'Accept-Language, Cookie, Accept-Encoding',
    });
    expect((await ask('/', { headers: { 'If-None-Match': headers.ETag ?? '' } })).status).toBe(304);
  });

  test('carry what a page needs of the site, and none of the hosts that only the hostname call hands out', async () => {
    const { ask } = await createTestPortal();
    const { text } = await ask('/');
    expect(text).toContain('backup1.localhost');
    expect(text).toContain('"marker":"waypost-demo"');
    expect(text).not.toContain('line1.localhost');
    expect(text).not.toContain('trustedProxies');
  });

  test('are compressed for whoever takes it, brotli before gzip', async () => {
    const { ask } = await createTestPortal();
    const encodingFor = async (accepted: string) =>
      (await ask('/', { headers: { 'Accept-Encoding': accepted } })).headers['Content-Encoding'];
    expect(await encodingFor('gzip, deflate, br, zstd')).toBe('br');
    expect(await encodingFor('gzip;q=1.0, br;q=0.5')).toBe('br');
    expect(await encodingFor('gzip, br;q=0')).toBe('gzip');
    expect(await encodingFor('gzip;q=0.0, brotli')).toBeUndefined();
    expect(await encodingFor('')).toBeUndefined();
  });

  test('follow the language of the query, then of the cookie, then of the browser', async () => {
    const { ask } = await createTestPortal();
    const languageFor = async (url: string, headers: Record<string, string> = {}) =>
      (await ask(url, { headers })).headers['Content-Language'];
    const browser = { 'Accept-Language': 'de-DE,en-GB;q=0.8,zh;q=0.3' };
    expect(await languageFor('/?lang=zh-TW', { ...browser, Cookie: 'waypost.lang=zh-CN' })).toBe('zh-TW');
    expect(await languageFor('/?lang=xx', { ...browser, Cookie: 'a=b; waypost.lang=zh-CN' })).toBe('zh-CN');
    expect(await languageFor('/', browser)).toBe('en');
    expect(await languageFor('/', { 'Accept-Language': 'zh-HK' })).toBe('zh-TW');
    expect(await languageFor('/', { 'Accept-Language': 'fr' })).toBe('zh-CN');
  });

  test('remember a language that was asked for', async () => {
    const { ask } = await createTestPortal();
    const { headers } = await ask('/?lang=EN');
    expect(headers['Set-Cookie']).toBe('waypost.lang=en; Path=/; Max-Age=31536000; SameSite=Lax');
    expect((await ask('/?lang=%0d%0aX: y')).headers['Set-Cookie']).toBeUndefined();
  });

  test('keep the redirects out of search engines', async () => {
    const { ask } = await createTestPortal();
    expect((await ask('/r')).headers['X-Robots-Tag']).toBe('noindex');
    expect((await ask('/t/localhost')).headers['X-Robots-Tag']).toBe('noindex');
    expect((await ask('/')).headers['X-Robots-Tag']).toBeUndefined();
  });

  test('run what they were rendered with, and nothing else', async () => {
    const { ask } = await createTestPortal();
    const policy = (await ask('/')).headers['Content-Security-Policy'] ?? '';
    const directives = new Map(policy.split('; ').map((part) => [part.split(' ')[0], part]));
    expect(directives.get('default-src')).toBe("default-src 'none'");
    expect(directives.get('script-src')).toBe(`script-src 'self' ${sha256(INLINE_SCRIPT)}`);
    expect(directives.get('style-src')).toBe(`style-src 'self' ${sha256(INLINE_STYLE)}`);
    expect(directives.get('connect-src')).toBe("connect-src 'self' https: http:");
    expect(directives.get('frame-ancestors')).toBe("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('localhost');
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
    const policy = (await ask('/')).headers['Content-Security-Policy'] ?? '';
    expect(policy).toContain("connect-src 'self' http://ip.example:8080 https:;");
    expect(policy).toMatch(/script-src [^;]+ https:\/\/www\.googletagmanager\.com;/);
  });

  test('are pinned to https where the visitor came by it', async () => {
    const files = await createSiteFiles((config) => Object.assign(config, PROXIED));
    const { ask } = await createTestPortal({ files });
    const pinFor = async (from: string, scheme: string) => {
      const answer = await ask('/', { from, headers: { 'X-Forwarded-Proto': scheme } });
      return answer.headers['Strict-Transport-Security'];
    };
    expect(await pinFor('10.1.1.1', 'https')).toBe('max-age=31536000');
    expect(await pinFor('10.1.1.1', 'http')).toBeUndefined();
    expect(await pinFor('203.0.113.9', 'https')).toBeUndefined();
    expect((await ask('/', { isEncrypted: true })).headers['Strict-Transport-Security']).toBeDefined();
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
      expect([status, headers.Location, headers['Cache-Control']]).toEqual([302, target, 'no-store']);
    }
    expect((await ask('/t/', { headers: { Host: 'app.demo.example' } })).headers.Location).toBe('/t/app');
  });

  test('sends everyone else to the landing page', async () => {
    const { ask } = await createTestPortal();
    for (const host of ['evil.example', 'localhost.evil.example', 'sub.go.demo.example', '', '[::1]:80']) {
      expect((await ask('/t/go', { headers: { Host: host } })).headers.Location, host).toBe('/');
      expect((await ask('/t', { headers: { Host: host } })).headers.Location, host).toBe('/');
    }
  });

  test('shows its page for every well-formed target, and goes home for any other', async () => {
    const { ask } = await createTestPortal();
    expect((await ask('/t/no-such_file9')).text).toContain('<title>type-redirect');
    for (const target of ['a.b', 'a/b', '%2e%2e', 'x'.repeat(65), '//evil.example', 'a/']) {
      expect((await ask(`/t/${target}`)).headers.Location, target).toBe('/');
    }
  });
});

describe('the JSON files', () => {
  test('are sent as validated, with a tag', async () => {
    const { ask } = await createTestPortal();
    const links = await ask('/json/link.json');
    expect(JSON.parse(links.text)).toMatchObject({ ub: 'https://download.example.com/beichen-browser' });
    expect(links.headers['Content-Type']).toBe('application/json; charset=utf-8');
    const again = await ask('/json/link.json', {
      headers: { 'If-None-Match': `"x", ${links.headers.ETag}` },
    });
    expect([again.status, again.text, again.headers['Content-Type']]).toEqual([304, '', undefined]);
    const target = await ask('/json/urls/localhost.json');
    expect(JSON.parse(target.text)).toMatchObject({ main: 'http://line1.localhost:9900' });
  });

  test('that are not there are a JSON 404', async () => {
    const { ask } = await createTestPortal();
    for (const path of [
      '/json/urls/none.json',
      '/json/urls/../link.json',
      '/json/urls/',
      '/json/x',
      '/api/x',
    ]) {
      const { status, text } = await ask(path);
      expect([status, JSON.parse(text).error.code], path).toEqual([404, 'not-found']);
    }
  });
});

describe('files', () => {
  test('of the build and of the site are sent from memory, compressed', async () => {
    const { ask } = await createTestPortal();
    const asset = await ask('/assets/app-1a2b3c.js', { headers: { 'Accept-Encoding': 'br' } });
    expect(asset.headers).toMatchObject({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Encoding': 'br',
      'Content-Type': 'text/javascript; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
    });
    const [, logo = ''] = /"logo":"([^"]+)"/.exec((await ask('/')).text) ?? [];
    expect(logo).toMatch(/^\/site\/images\/logo\.[\w-]{10}\.svg$/);
    const image = await ask(logo);
    expect(image.headers['Cache-Control']).toContain('immutable');
    expect(image.headers['Content-Type']).toBe('image/svg+xml');
  });

  test('with the hash of an older site get the present image, which is not to be kept', async () => {
    const { ask } = await createTestPortal();
    const { status, headers } = await ask('/site/images/logo.0123456789.svg');
    expect([status, headers['Cache-Control']]).toEqual([200, 'no-cache']);
    expect((await ask('/site/images/logo.svg')).headers['Cache-Control']).toBe('no-cache');
    expect((await ask('/site/site.json')).status).toBe(404);
    expect((await ask('/site/../site.json')).status).toBe(404);
  });
});

describe('everything else', () => {
  test('is a page with a way back, and status 404', async () => {
    const { ask } = await createTestPortal();
    for (const path of ['/nothing', '/r/', '/assets/none.js', '/site/images/none.png', '*', '']) {
      const { status, text } = await ask(path);
      expect([status, text.includes('<title>not-found')], path).toEqual([404, true]);
    }
  });

  test('asked for with another method is 405, and says which it takes', async () => {
    const { ask } = await createTestPortal();
    for (const [path, allowed] of [
      ['/', 'GET, HEAD'],
      ['/nothing', 'GET, HEAD'],
      ['/assets/app-1a2b3c.js', 'GET, HEAD'],
      ['/json/link.json', 'GET, HEAD'],
      ['/api/hostnames', 'GET, HEAD'],
      ['/api/measurements', 'POST'],
    ] as const) {
      const { status, headers } = await ask(path, {
        method: path === '/api/measurements' ? 'GET' : 'DELETE',
      });
      expect([status, headers.Allow], path).toEqual([405, allowed]);
    }
    expect((await ask('/', { method: 'HEAD' })).status).toBe(200);
  });

  test('can neither be framed nor sniffed, whatever it is', async () => {
    const { ask } = await createTestPortal();
    for (const path of [
      '/',
      '/r',
      '/t',
      '/json/link.json',
      '/api/get_ip',
      '/api/hostnames',
      '/api/x',
      '/x',
      '/assets/app-1a2b3c.js',
    ]) {
      const { headers } = await ask(path);
      expect(headers['X-Content-Type-Options'], path).toBe('nosniff');
      expect(headers['Content-Security-Policy'], path).toContain("frame-ancestors 'none'");
    }
  });
});

describe('a restricted region', () => {
  test('gets a notice instead of pages, and 451 instead of hosts', async () => {
    const files = await createSiteFiles((config) => {
      Object.assign(config, PROXIED);
      Object.assign(config.compliance as object, { restrictedRegions: ['GB'] });
    });
    const { ask } = await createTestPortal({ files });
    const fromBritain = { from: '10.1.1.1', headers: { 'CF-IPCountry': 'gb' } };
    expect((await ask('/', fromBritain)).text).toContain('<title>landing zh-CN restricted');
    expect((await ask('/r', fromBritain)).text).toContain('<title>redirect zh-CN restricted');
    for (const path of ['/api/hostnames', '/json/urls/localhost.json', '/json/urls/none.json']) {
      const { status, text, headers } = await ask(path, fromBritain);
      expect([status, JSON.parse(text).error.code], path).toEqual([451, 'restricted-region']);
      expect(headers['Waypost-Ticket']).toBeUndefined();
    }
    expect((await ask('/json/link.json', fromBritain)).status).toBe(200);
    expect(
      (await ask('/api/hostnames', { from: '10.1.1.1', headers: { 'CF-IPCountry': 'FR' } })).status,
    ).toBe(200);
  });

  test('is not believed to be another because a stranger says so', async () => {
    const files = await createSiteFiles((config) => {
      Object.assign(config, PROXIED);
      Object.assign(config.compliance as object, { restrictedRegions: ['GB'] });
    });
    const countryDatabase = { countryOf: () => 'GB' };
    const { ask } = await createTestPortal({ files, countryDatabase });
    const claim = { 'CF-IPCountry': 'FR' };
    expect((await ask('/api/hostnames', { headers: claim })).status).toBe(451);
    expect((await ask('/api/hostnames', { from: '10.1.1.1', headers: claim })).status).toBe(200);
  });
});

describe('the log', () => {
  test('has one line a request, without addresses and without the query', async () => {
    const { ask, logged } = await createTestPortal();
    await ask('/api/hostnames?logincode=secret', { from: '203.0.113.9' });
    await ask('/r?token=secret', { from: '2001:db8::5' });
    expect(logged.map(({ method, path, status, ms, msg }) => ({ method, path, status, ms, msg }))).toEqual([
      { method: 'GET', path: '/api/hostnames', status: 200, ms: 0, msg: 'request' },
      { method: 'GET', path: '/r', status: 200, ms: 0, msg: 'request' },
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/secret|203\.0\.113|2001:db8/);
  });

  test('and the metrics know routes, not what visitors make up', async () => {
    const { ask, readMetrics } = await createTestPortal();
    for (const path of ['/t/a', '/t/b', '/made-up', '/json/urls/q.json', '/']) await ask(path);
    const metrics = await readMetrics();
    expect(metrics).toContain('waypost_requests_total{route="/t/*",status="200"} 2');
    expect(metrics).toContain('waypost_requests_total{route="other",status="404"} 1');
    expect(metrics).toContain('waypost_request_seconds_count{route="/"} 1');
    expect(metrics).not.toContain('made-up');
  });
});
