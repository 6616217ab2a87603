import { describe, expect, test } from 'vitest';
import { createSiteFiles } from '../testing/site-files.ts';
import { createTestPortal } from '../testing/test-portal.ts';

const PROXIED = { network: { trustedProxies: ['10.0.0.0/8'], countryHeader: 'CF-IPCountry' } };

describe('the links config', () => {
  const files = createSiteFiles(
    (config) => {
      config.locales = ['zh-CN', 'en', 'vi'];
      delete config.announcement;
    },
    {
      'json/link.json': JSON.stringify({
        ub: { default: 'https://ub.example/', en: 'https://en.ub.example/' },
        service: 'https://service.example/',
      }),
    },
  );

  test('is plain, and in the language of the query, of the cookie, or of the browser', async () => {
    const { ask } = await createTestPortal({ files: await files });
    const linksFor = async (query: string, headers: Record<string, string>) => {
      const answer = await ask(`/json/link.json${query}`, { headers });
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-cache',
        vary: 'Accept-Language, Cookie, Accept-Encoding',
      });
      expect(answer.headers['set-cookie']).toBeUndefined();
      return [answer.headers['content-language'], answer.text];
    };
    const plain = '{"ub":"https://ub.example/","service":"https://service.example/"}';
    const english = '{"ub":"https://en.ub.example/","service":"https://service.example/"}';
    expect(await linksFor('', {})).toEqual(['zh-CN', plain]);
    expect(await linksFor('', { 'Accept-Language': 'en-GB' })).toEqual(['en', english]);
    expect(await linksFor('', { 'Accept-Language': 'en', Cookie: 'waypost.lang=vi' })).toEqual(['vi', plain]);
    expect(await linksFor('?lang=en', { Cookie: 'waypost.lang=vi' })).toEqual(['en', english]);
  });

  test('has the language of the page that asks for it, also if the query of the page chose that', async () => {
    const { ask } = await createTestPortal({ files: await files });
    for (const lang of ['en', 'vi', 'zh-CN']) {
      const page = await ask(`/?lang=${lang}`, { headers: { 'Accept-Language': 'en' } });
      const cookie = page.headers['set-cookie']?.split(';')[0] ?? '';
      // As the page asks: with the cookie that came with it.
      const links = await ask('/json/link.json', { headers: { 'Accept-Language': 'en', Cookie: cookie } });
      expect([page.headers['content-language'], links.headers['content-language']]).toEqual([lang, lang]);
      expect(page.text).toContain(`"links":${links.text}`);
    }
  });

  test('has a tag of its own in each language, so that a change of the language is seen', async () => {
    const { ask } = await createTestPortal({ files: await files });
    const known = (await ask('/json/link.json?lang=en')).headers.etag ?? '';
    const askAgain = async (lang: string) =>
      (await ask(`/json/link.json?lang=${lang}`, { headers: { 'If-None-Match': known } })).status;
    expect([await askAgain('en'), await askAgain('zh-CN')]).toEqual([304, 200]);
  });
});

describe('the JSON files', () => {
  test('are sent as validated, with a tag', async () => {
    const { ask } = await createTestPortal();
    const links = await ask('/json/link.json');
    expect(JSON.parse(links.text)).toMatchObject({ ub: 'https://download.example.com/beichen-browser' });
    expect(links.headers['content-type']).toBe('application/json; charset=utf-8');
    const again = await ask('/json/link.json', {
      headers: { 'If-None-Match': `"x", ${links.headers.etag}` },
    });
    expect([again.status, again.text, again.headers['content-type']]).toEqual([304, '', undefined]);
    const target = await ask('/json/urls/localhost.json');
    expect(JSON.parse(target.text)).toMatchObject({ near: 'http://line1.localhost:9900' });
  });

  test('are not sent again to those who have them, by a weak comparison, and keep their security headers', async () => {
    const { ask } = await createTestPortal();
    const { headers } = await ask('/json/link.json');
    const tag = headers.etag ?? '';
    for (const known of [tag, tag.replace(/^W\//, ''), `"x", ${tag}`, '*']) {
      const again = await ask('/json/link.json', { headers: { 'If-None-Match': known } });
      expect([known, again.status, again.headers.etag]).toEqual([known, 304, tag]);
      expect(again.headers['content-security-policy']).toBe(headers['content-security-policy']);
      expect(again.headers['x-content-type-options']).toBe('nosniff');
    }
    expect((await ask('/json/link.json', { headers: { 'If-None-Match': 'W/"x"' } })).status).toBe(200);
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
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    const [, logo = ''] = /"logo":\{"url":"([^"]+)"/.exec((await ask('/')).text) ?? [];
    expect(logo).toMatch(/^\/site\/images\/logo\.[\w-]{10}\.svg$/);
    const image = await ask(logo);
    expect(image.headers['cache-control']).toContain('immutable');
    expect(image.headers['content-type']).toBe('image/svg+xml');
  });

  test('with the hash of an older site get the present image, which is not to be kept', async () => {
    const { ask } = await createTestPortal();
    const { status, headers } = await ask('/site/images/logo.0123456789.svg');
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
    expect((await ask('/site/images/logo.svg')).headers['cache-control']).toBe('no-cache');
    expect((await ask('/site/site.json')).status).toBe(404);
    expect((await ask('/site/../site.json')).status).toBe(404);
  });
});

describe('everything else', () => {
  test('is a page with a way back, and status 404', async () => {
    const { ask } = await createTestPortal();
    for (const path of ['/nothing', '/r/x', '/assets/none.js', '/site/images/none.png']) {
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
      expect([status, headers.allow], path).toEqual([405, allowed]);
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
      expect(headers['x-content-type-options'], path).toBe('nosniff');
      expect(headers['content-security-policy'], path).toContain("frame-ancestors 'none'");
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
      expect(headers['waypost-ticket']).toBeUndefined();
    }
    expect((await ask('/json/link.json', fromBritain)).status).toBe(200);
    expect(
      (await ask('/api/hostnames', { from: '10.1.1.1', headers: { 'CF-IPCountry': 'FR' } })).status,
    ).toBe(200);
  });

  test('is counted as unknown where nobody knows it, the CDN included', async () => {
    const files = await createSiteFiles((config) => {
      Object.assign(config, PROXIED);
      Object.assign(config.compliance as object, { restrictedRegions: ['GB'] });
    });
    const { ask, readMetrics } = await createTestPortal({ files });
    for (const country of ['FR', 'XX', '']) {
      await ask('/', { from: '10.1.1.1', headers: { 'CF-IPCountry': country } });
    }
    const metrics = await readMetrics();
    expect(metrics).toContain('waypost_pages_by_region_total{region="known"} 1');
    expect(metrics).toContain('waypost_pages_by_region_total{region="unknown"} 2');
  });

  test('is not believed to be another because a stranger says so', async () => {
    const files = await createSiteFiles((config) => {
      Object.assign(config, PROXIED);
      Object.assign(config.compliance as object, { restrictedRegions: ['GB'] });
    });
    const addressDatabase = { countryOf: () => 'GB', systemOf: () => undefined };
    const { ask } = await createTestPortal({ files, addressDatabase });
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
