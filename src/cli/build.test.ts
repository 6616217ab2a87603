import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SiteFolder, makeSiteFolder } from '../../e2e/support/make-site-folder.ts';
import { NGINX } from '../../e2e/support/run-nginx.ts';
import { type StaticSite, startStaticSite } from '../../e2e/support/start-static-site.ts';
import { createMatchLocale } from '../server/site/create-match-locale.ts';
import { readSiteFolder } from '../server/site/read-site-folder.ts';
import type { TestAnswer } from '../server/testing/ask-app.ts';
import { createFakeWebBuild } from '../server/testing/fake-web-build.ts';
import { type TestPortal, createTestPortal } from '../server/testing/test-portal.ts';
import { SAMPLE_CAMPAIGNS } from '../server/testing/sample-campaigns.ts';
import { DEMO_SITE } from '../server/testing/site-files.ts';
import { type Export, buildExport } from './build.ts';
import { listTagRules } from './build/render-nginx-maps.ts';

const now = (): number => Date.UTC(2026, 0, 5, 12);
const WITH_CAMPAIGNS = {
  campaigns: SAMPLE_CAMPAIGNS,
  // Some have rules by country.
  network: { countryHeader: 'X-Country', trustedProxies: ['127.0.0.1/32'] },
};

describe('waypost build', () => {
  let dir: string;
  let out: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'waypost-build-'));
    out = join(dir, 'export');
    await build(DEMO_SITE);
  });

  afterAll(() => rm(dir, { recursive: true, force: true }));

  async function build(siteDir: string, at = now): Promise<Export> {
    return buildExport({ siteDir, outDir: out, web: await createFakeWebBuild(), now: at });
  }

  test('writes every file with its smaller encodings', async () => {
    const page = join(out, 'www/index.en.html');
    expect(brotliDecompressSync(await readFile(`${page}.br`))).toEqual(await readFile(page));
    expect(await readFile(join(out, 'www/json/link.json'), 'utf8')).toContain('"ub"');
    expect((await stat(`${page}.gz`)).size).toBeLessThan((await stat(page)).size);
  });

  test('has a worker that removes what an earlier portal of the origin has kept, and keeps nothing', async () => {
    expect(await readFile(join(out, 'www/offline.js'), 'utf8')).toContain('registration.unregister()');
    expect(await readFile(join(out, 'www/index.en.html'), 'utf8')).not.toContain('"mayKeep":true');
  });

  test('writes over an export of before, and leaves no encoding of what has changed', async () => {
    await writeFile(join(out, 'www/json/link.json.gz'), 'of before');
    await writeFile(join(out, 'www/site/images/banner-mobile.avif.gz'), 'of before');
    await build(DEMO_SITE);
    expect(await readFile(join(out, 'www/json/link.json.gz'), 'latin1')).not.toBe('of before');
    await expect(stat(join(out, 'www/site/images/banner-mobile.avif.gz'))).rejects.toThrow('ENOENT');
  });

  test('leaves a folder alone that it did not write', async () => {
    await writeFile(join(dir, 'notes.txt'), 'mine');
    const options = { siteDir: DEMO_SITE, outDir: dir, web: await createFakeWebBuild(), now };
    await expect(buildExport(options)).rejects.toThrow(`${dir} is not empty`);
    await writeFile(join(dir, 'nginx.conf'), 'user www-data;');
    await expect(buildExport(options)).rejects.toThrow(`${dir} is not empty`);
  });

  test('takes targets away that the site no longer has', async () => {
    const targets = join(out, 'www/json/urls');
    await writeFile(join(targets, 'lost.json'), '{}');
    await writeFile(join(targets, 'lost.json.br'), '{}');
    await build(DEMO_SITE);
    expect((await readdir(targets)).filter((name) => !/\.(?:br|gz)$/.test(name))).toEqual(['localhost.json']);
    expect(await readdir(targets)).not.toContain('lost.json.br');
  });

  test('takes pages of campaigns away that the site no longer has', async () => {
    const site = await makeSiteFolder({ site: { campaigns: { spring: { name: 'Spring' } } } });
    await build(site.dir);
    expect((await stat(join(out, 'www/c/spring.en.html'))).isFile()).toBe(true);
    await build(DEMO_SITE);
    for (const name of ['spring.html', 'spring.en.html', 'spring.en.html.br'])
      await expect(stat(join(out, 'www/c', name)), name).rejects.toThrow('ENOENT');
    await site.remove();
  });

  test('says of no campaign in particular that it is over, or has not begun', async () => {
    const site = await makeSiteFolder({ site: WITH_CAMPAIGNS });
    await build(site.dir);
    for (const note of ['soon', 'ended', 'unknown']) {
      const html = await readFile(join(out, `www/c/_${note}.en.html`), 'utf8');
      const fill: unknown = JSON.parse(/<fill>(.*)<\/fill>/.exec(html)?.[1] ?? '');
      expect(fill).toEqual({ data: { code: '', end: {} }, note, share: { path: '/c/' } });
    }
    await site.remove();
  });

  test('changes nothing in the config that was copied once when campaigns come, begin and end', async () => {
    const read = () => readFile(join(out, 'nginx.conf'), 'utf8');
    await build(DEMO_SITE);
    const copied = await read();
    const campaigns = { timed: { name: 'Timed', from: '2026-01-05T11:00Z', until: '2026-01-05T13:00Z' } };
    const site = await makeSiteFolder({ site: { campaigns } });
    for (const hour of [10, 12, 14]) {
      await build(site.dir, () => Date.UTC(2026, 0, 5, hour));
      expect([hour, await read()]).toEqual([hour, copied]);
    }
    await site.remove();
    await build(DEMO_SITE);
  });

  test('takes pages and links away in a language that the site no longer has', async () => {
    const names = ['index.vi.html', 'index.vi.html.br', 'json/link.vi.json', 'json/link.vi.json.gz'];
    await Promise.all(names.map((name) => writeFile(join(out, 'www', name), 'of before')));
    await build(DEMO_SITE);
    for (const name of names) await expect(stat(join(out, 'www', name)), name).rejects.toThrow('ENOENT');
    expect((await stat(join(out, 'www/json/link.en.json'))).isFile()).toBe(true);
    expect((await stat(join(out, 'www/index.en.html'))).isFile()).toBe(true);
  });

  test('refuses a site that has to tell regions apart', async () => {
    const site = await makeSiteFolder({
      site: {
        compliance: { restrictedRegions: ['GB'] },
        network: { countryHeader: 'X-Country', trustedProxies: ['127.0.0.1/32'] },
      },
    });
    await expect(build(site.dir)).rejects.toThrow('compliance.restrictedRegions names regions');
    await site.remove();
  });

  test('writes the notice and names no line while a maintenance closes the site', async () => {
    const site = await makeSiteFolder({ site: { maintenance: [{ reason: 'new cables', closes: true }] } });
    await build(site.dir);
    const read = (file: string): Promise<string> => readFile(join(out, 'www', file), 'utf8');
    expect(JSON.parse(await read('api/hostnames'))).toEqual([]);
    for (const page of ['index', 'r', 't']) {
      const html = await read(`${page}.en.html`);
      expect(html).toMatch(/<title>.* en maintenance<\/title>/);
    }
    await expect(read('json/urls/localhost.json')).rejects.toThrow('ENOENT');
    await site.remove();
  });

  test('says what plain files cannot do for this very site', async () => {
    const hosts = [
      'a.example',
      { host: 'b.example', weight: 3, noWWW: true },
      'c.example',
      { host: 'd.example', drain: true, countries: { only: ['SG'] } },
      { host: 'e.example', networks: { not: ['203.0.113.0/24'] } },
      { host: 'f.example', maintenance: [{ reason: 'disks' }] },
    ];
    const site = await makeSiteFolder({
      site: {
        publicUrl: 'https://www.brand.example/',
        lines: { hosts, steering: 'uniform', sticky: true },
        maintenance: [{ reason: 'new cables', until: '2020-12-01T10:00Z', closes: true }],
        limits: { exempt: ['198.51.100.0/24'] },
        analytics: { counts: 'self' },
        monitoring: { intakeUrl: 'self' },
        network: { trustedProxies: ['127.0.0.1/32'], countryHeader: 'CF-IPCountry' },
        announcement: { en: { text: 'x', until: '2026-12-01T10:00Z' } },
      },
    });
    const { missing } = await build(site.dir);
    expect(missing[0]).toBe('lines.hosts: the first 4 are used. Not used: e.example, f.example.');
    expect(JSON.parse(await readFile(join(out, 'www/api/hostnames'), 'utf8'))).toEqual([
      'a.example',
      { host: 'b.example', noWWW: true },
      'c.example',
      'd.example',
    ]);
    expect(missing).toContain(
      'announcement: from and until decide what these files show. Build them again when that time has come.',
    );
    expect(missing).toContain(
      'maintenance: from and until decide what these files show. Build them again when that time has come.',
    );
    expect(missing.join('\n')).toContain(
      'maintenance[].closes: if built meanwhile, the pages are the notice',
    );
    expect(missing).toContain(
      'Nothing is monitored: monitoring.intakeUrl "self" needs the server. Name the URL of another intake.',
    );
    expect(missing).toContain('No visit is counted: analytics.counts "self" needs the server.');
    expect(missing.at(-1)).toBe(
      'Without effect, because only the server reads them: lines.hosts[].weight, lines.hosts[].maintenance, lines.hosts[].drain, lines.hosts[].countries, lines.hosts[].networks, lines.steering, lines.sticky, network.trustedProxies, network.countryHeader, limits.exempt.',
    );
    expect(await readFile(join(out, 'nginx.conf'), 'utf8')).toContain('server_name www.brand.example;');
    expect((await build(DEMO_SITE)).missing.join('\n')).not.toContain('Without effect');
    await site.remove();
  });

  // `npm test` installs nginx; `npm run check` makes do without.
  describe.runIf(existsSync(NGINX))('on nginx, with the config that it writes', () => {
    let site: StaticSite;
    let portal: TestPortal;

    beforeAll(async () => {
      [site, portal] = await Promise.all([startStaticSite(out), createTestPortal()]);
    });

    afterAll(() => site.close());

    test.each([
      ['/', {}],
      ['/', { 'accept-language': 'en-GB,en;q=0.9' }],
      ['/', { 'accept-language': 'fr-FR,zh-HK;q=0.8,en;q=0.5' }],
      ['/', { 'accept-language': 'zh' }],
      ['/', { 'accept-language': 'fr' }],
      ['/', { 'accept-language': 'en', cookie: 'a=b; waypost.lang=zh-TW; c=d' }],
      ['/?lang=EN', { cookie: 'waypost.lang=zh-TW' }],
      ['/r', {}],
      ['/r/', {}],
      ['/t/localhost/', {}],
      ['/t/localhost', { 'accept-language': 'en' }],
      ['/t/anything-else', {}],
      ['/json/link.json', {}],
      ['/json/link.json', { 'accept-language': 'en' }],
      ['/json/link.json?lang=zh-TW', {}],
      ['/json/urls/localhost.json', {}],
      ['/site/images/logo.svg', {}],
      ['/assets/app-1a2b3c.js', {}],
      ['/nowhere', { 'accept-language': 'en' }],
    ])('%s %o is answered as by the portal', async (path, headers) => {
      const expected = await portal.ask(path, { headers });
      const answer = await ask(site.url + path, headers);
      expect(summarise(answer, expected)).toEqual(summarise(expected, expected));
    });

    test('http is sent to https under the name of the site, whatever name was asked for', async () => {
      for (const host of ['portal.example', 'evil.example']) {
        const { status, headers } = await ask(`${site.httpUrl}/t/x?a=b`, { host });
        expect([status, headers.location]).toEqual([308, 'https://portal.example/t/x?a=b']);
      }
    });

    test('a page that asks for the API is answered in JSON, also that there is nothing', async () => {
      for (const [path, expected] of [
        ['/api/get_ip', 200],
        ['/api/hostnames', 200],
        ['/api/nothing', 404],
      ] as const) {
        const { status, headers } = await ask(site.url + path, {});
        expect([status, headers['content-type']]).toEqual([expected, 'application/json; charset=utf-8']);
      }
    });

    test('an address that asks far more than visitors do is refused, and no other', async () => {
      const { port } = new URL(site.url);
      const asked = 'GET /json/link.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(299);
      const last = 'GET /json/link.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
      const answers = await Promise.all(
        Array.from({ length: 10 }, async () => {
          const attacker = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' });
          attacker.write(asked + last);
          return readText(attacker);
        }),
      );
      const statuses = [...answers.join('').matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      expect(statuses.filter((status) => status === '200').length).toBeGreaterThan(1_000);
      expect(statuses).toContain('429');
      expect((await ask(`${site.url}/json/link.json`, {})).status).toBe(200);
    });

    test('a file is sent compressed to clients that accept it', async () => {
      const { headers } = await ask(`${site.url}/assets/app-1a2b3c.js`, { 'accept-encoding': 'gzip' });
      expect(headers['content-encoding']).toBe('gzip');
    });
  });
});

describe.runIf(existsSync(NGINX))('waypost build of a site in four languages, on nginx', () => {
  const changes = {
    site: {
      locales: ['zh-TW', 'zh-CN', 'pt-BR', 'ar'],
      defaultLocale: 'ar',
      brand: { name: { default: 'Polaris', 'zh-TW': '北辰' } },
    },
    links: { ub: { default: 'https://ub.example/', 'pt-BR': 'https://pt.ub.example/' } },
  };
  let folder: SiteFolder;
  let outDir: string;
  let site: StaticSite;
  let portal: TestPortal;

  beforeAll(async () => {
    folder = await makeSiteFolder(changes);
    outDir = await mkdtemp(join(tmpdir(), 'waypost-build-'));
    await buildExport({ siteDir: folder.dir, outDir, web: await createFakeWebBuild(), now });
    const { files } = await readSiteFolder(folder.dir);
    [site, portal] = await Promise.all([startStaticSite(outDir), createTestPortal({ files })]);
  });

  afterAll(async () => {
    await site.close();
    await folder.remove();
    await rm(outDir, { recursive: true });
  });

  test.each([
    ['', ''],
    ['', 'en-GB,en'],
    ['', 'ar-EG'],
    ['', 'pt'],
    ['', 'en, pt-PT;q=0.9'],
    ['', 'zh'],
    ['', 'zh-HK'],
    ['', 'zh-Hant-SG'],
    ['', 'zh-Hans-TW'],
    ['', 'pt-br, zh'],
    ['?lang=pt-BR', 'ar'],
    ['?lang=en', 'zh-SG'],
  ])('answers %j for %j as the portal does', async (query, acceptLanguage) => {
    const headers = { 'accept-language': acceptLanguage };
    for (const path of ['/', '/r', '/t/localhost', '/nowhere', '/json/link.json']) {
      const expected = await portal.ask(path + query, { headers });
      const answer = await ask(site.url + path + query, headers);
      expect(summarise(answer, expected)).toEqual(summarise(expected, expected));
      if (path.endsWith('.json')) expect(answer.text).toBe(expected.text);
    }
  });
});

describe.runIf(existsSync(NGINX))('waypost build of a site with campaigns, on nginx', () => {
  test('answers their links as the portal does', async () => {
    const folder = await makeSiteFolder({ site: WITH_CAMPAIGNS });
    const outDir = await mkdtemp(join(tmpdir(), 'waypost-build-'));
    await buildExport({ siteDir: folder.dir, outDir, web: await createFakeWebBuild(), now });
    const { files } = await readSiteFolder(folder.dir);
    const [site, portal] = await Promise.all([startStaticSite(outDir), createTestPortal({ files })]);
    for (const path of ['/c/spring', '/c/channel/', '/c/timed', '/c/soon', '/c/over', '/c/nothing', '/c/']) {
      const expected = await portal.ask(path);
      const answer = await ask(site.url + path, {});
      const policy = 'content-security-policy';
      expect([path, answer.status, titleOf(answer.text), answer.headers[policy]]).toEqual([
        path,
        expected.status,
        titleOf(expected.text),
        expected.headers[policy],
      ]);
    }
    await site.close();
    await folder.remove();
    await rm(outDir, { recursive: true });
  });
});

describe('the rules that nginx has for language tags', () => {
  test('are those of the portal', () => {
    const known = [
      'en',
      'en-GB',
      'pt',
      'pt-BR',
      'zh-CN',
      'zh-TW',
      'zh-Hant',
      'zh-Hant-HK',
      'zh',
      'sr',
      'sr-Latn',
    ];
    const tags = [
      ...known,
      'en-AU',
      'pt-PT',
      'zh-HK',
      'zh-MO',
      'zh-Hans',
      'zh-SG',
      'zh-Hant-TW',
      'sr-Latn-RS',
      'sr-RS',
      'fr',
    ];
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...known), { minLength: 1 }),
        fc.constantFrom(...tags),
        (locales, tag) => {
          const rule = listTagRules(locales).find(({ pattern }) => new RegExp(pattern, 'i').test(tag));
          expect(rule?.locale).toBe(createMatchLocale(locales)(tag));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

type Reply = {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
};

function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    }).on('error', reject);
  });
}

/** What an answer of nginx must share with the portal's: the page, and each header that the portal sends. */
function summarise({ status, headers, text }: Reply, expected: TestAnswer): object {
  // nginx has its own, and the addresses inside a page are drawn.
  const names = Object.keys(expected.headers).filter((name) => !/^(?:etag|content-length)$/i.test(name));
  const compared = names.map((name) => [name, [headers[name.toLowerCase()]].flat().join()]);
  return { status, title: titleOf(text), ...Object.fromEntries(compared) };
}

/** Which page it is, and in which language. */
function titleOf(html: string): string | undefined {
  return /<title>.*<\/title>/.exec(html)?.[0];
}
