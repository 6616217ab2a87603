import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import encodeQr from 'qr';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { type Certificate, makeCertificate } from '../../e2e/support/make-certificate.ts';
import { makeSiteFolder, type SiteChanges } from '../../e2e/support/make-site-folder.ts';
import { TEXT_KEYS } from '../contract/site/text-keys.ts';
import type { LineBehaviour } from '../line/line-behaviour.ts';
import { startLineHosts } from '../line/start-line-hosts.ts';
import { writeCountryMmdb, writeDamagedMmdb, writeMmdb } from '../server/testing/write-mmdb.ts';
import { check, type CheckOptions, runCheck } from './check.ts';
import { UsageError } from './command.ts';

const MARKER = 'waypost-test';

type SiteParts = Pick<SiteChanges, 'files'> & {
  readonly lines?: Readonly<Record<string, unknown>>;
  /** The one `/t` target, `localhost`. None by default. */
  readonly target?: Readonly<Record<string, string>>;
};
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

describe('a site folder', () => {
  it('is in order as it ships, with a warning that it is the demo brand', async () => {
    const { status, output, warnings } = await run({ siteDir: 'site' });
    expect({ status, output }).toEqual({ status: 0, output: ['✓ site is in order'] });
    expect(warnings).toEqual([
      expect.stringMatching(
        /^! still the demo brand's: brand\.name, .*brand\.email, .*lines\.marker, .*compliance\.licence\.statement, .*json\/link\.json ub, .*json\/urls\/localhost\.json, .*images\/logo\.svg/,
      ),
      '! names that can never be reached: go.demo.example, app.demo.example [unreachable-name]',
    ]);
  });

  it('is warned of nothing but what is left of the demo', async () => {
    const dir = await makeSite({
      lines: { marker: 'mine', hosts: ['line1.brand.test', 'line2.example.com', 'http://line1.brand.test'] },
      files: { 'images/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>' },
    });
    const { warnings } = await run({ siteDir: dir });
    expect(warnings[0]).not.toMatch(/lines\.marker|logo\.svg/);
    expect(warnings[1]).toBe(
      '! names that can never be reached: line2.example.com, go.demo.example, app.demo.example [unreachable-name]',
    );
    expect(warnings[2]).toBe('! by http and by https: line1.brand.test [both-schemes]');
  });

  it('is warned of colours that cannot be told from their background', async () => {
    const { dir, remove } = await makeSiteFolder({
      site: { theme: { text: '#dddddd', background: '#ffffff', accent: '#fff3c0' } },
    });
    closing.push(remove);
    const { status, warnings } = await run({ siteDir: dir });
    expect(status).toBe(0);
    expect(warnings).toContainEqual(
      expect.stringMatching(
        /^! site\.json: theme\.text #dddddd has a contrast of 1\.4 to the background #ffffff; at least 4\.5 is needed/,
      ),
    );
    expect(warnings).toContainEqual(
      expect.stringMatching(/^! site\.json: theme\.accent #fff3c0 has .*; at least 3 is needed/),
    );
  });

  it('is warned of words in braces that nothing fills in', async () => {
    const texts = { en: { officialLine: 'Line {m} of {brand}', retest: 'Again {n}', useLine: 'Use {n}' } };
    const { dir, remove } = await makeSiteFolder({ site: { texts } });
    closing.push(remove);
    const { status, warnings } = await run({ siteDir: dir });
    expect(status).toBe(0);
    expect(warnings.filter((warning) => warning.includes(' has {'))).toEqual([
      '! site.json: texts.en.officialLine has {m}, which visitors would read as it is: write one of {n}, {brand}, {mainBrowser}, {androidBrowser} [unknown-placeholder]',
      '! site.json: texts.en.retest has {n}, which visitors would read as it is: write one of {brand}, {mainBrowser}, {androidBrowser} [unknown-placeholder]',
    ]);
  });

  it('is warned of the texts that a language lacks, in one line for each language', async () => {
    const { dir, remove } = await makeSiteFolder({
      site: {
        locales: ['zh-CN', 'en', 'en-GB', 'vi', 'th'],
        texts: { vi: Object.fromEntries(TEXT_KEYS.slice(2).map((key) => [key, 'x'])), en: {} },
      },
    });
    closing.push(remove);
    const { status, warnings } = await run({ siteDir: dir });
    expect(status).toBe(0);
    const count = TEXT_KEYS.length;
    expect(warnings.filter((warning) => warning.includes('lacks'))).toEqual([
      `! site.json: texts.vi lacks 2 of ${count} texts, which are shown in zh-CN: title, description [missing-texts]`,
      `! site.json: texts.th lacks ${count} of ${count} texts, which are shown in zh-CN: ${TEXT_KEYS.join(', ')} [missing-texts]`,
    ]);
  });

  it('is told in which languages missing texts are shown instead, where the default language lacks some, too', async () => {
    const { dir, remove } = await makeSiteFolder({
      site: { locales: ['vi', 'th'], defaultLocale: 'vi' },
    });
    closing.push(remove);
    const { warnings } = await run({ siteDir: dir });
    expect(warnings.filter((warning) => warning.includes('lacks'))).toEqual([
      expect.stringMatching(/texts\.vi lacks \d+ of \d+ texts, which are shown in en: title, /),
      expect.stringMatching(/texts\.th lacks \d+ of \d+ texts, which are shown in vi or en: title, /),
    ]);
  });

  it('is refused with one line for each fault', async () => {
    const dir = await makeSite({ lines: { marker: 7, ports: [0] } });
    const { status, output } = await run({ siteDir: dir });
    expect(status).toBe(1);
    expect(output).toEqual([
      expect.stringMatching(/^✗ site\.json:1:\d+: lines\.marker must be a text, got 7 \[invalid-value\]$/),
      expect.stringMatching(/^✗ site\.json:1:\d+: lines\.ports\[0\] must be a port from 1 to 65535/),
    ]);
  });

  it('names a link that disables its control', async () => {
    const links = { wallet: 'https://help.example.com/wallet-tutorial', telegram: 'javascript:alert(1)' };
    const dir = await makeSite({ files: { 'json/link.json': JSON.stringify(links) } });
    const { status, output } = await run({ siteDir: dir });
    expect(status).toBe(1);
    expect(output).toContainEqual(
      expect.stringMatching(
        /^✗ json\/link\.json:1:\d+: telegram must be a link that starts with https:, http:, mailto:, tg:, got "javascript:alert\(1\)" \[invalid-value\]$/,
      ),
    );
    expect(output).toHaveLength(4);
  });

  it('names a /t target without a host', async () => {
    const { status, output } = await run({ siteDir: await makeSite({ target: {} }) });
    expect(status).toBe(1);
    expect(output).toContain(
      '✗ json/urls/localhost.json:1:1: the file must name at least one host: { "a": "line1.example" } [invalid-value]',
    );
  });

  it('names an mmdb file that knows IPv4 addresses only, and one that cannot be read', async () => {
    const demo = JSON.parse(await readFile('site/site.json', 'utf8'));
    const siteFile = JSON.stringify({ ...demo, network: { mmdb: ['a.mmdb', 'b.mmdb'] } });
    const dir = await makeSite({
      files: {
        'site.json': siteFile,
        'a.mmdb': writeCountryMmdb({ '203.0.113.0/24': 'GB' }),
        'b.mmdb': writeDamagedMmdb({ '203.0.113.0/24': 'GB' }, 6),
      },
    });
    const { status, output } = await run({ siteDir: dir });
    expect(status).toBe(1);
    expect(output).toEqual([
      '✗ site.json: network.mmdb "a.mmdb" holds IPv4 addresses only: a visitor with an IPv6 address is unknown [incomplete-mmdb]',
      '✗ site.json: network.mmdb "b.mmdb" has records that cannot be read, such as that of 203.0.113.0: download it again [incomplete-mmdb]',
    ]);
  });

  it.each([
    [
      'without countries, where a line has rules about them',
      { countries: { not: ['GB'] } },
      { autonomous_system_number: 64_500 },
      '✗ site.json: lines.hosts[0].countries needs countries, and network.mmdb holds none: add a file of countries [no-countries]',
    ],
    [
      'without autonomous systems, where a line has rules about them',
      { networks: { only: ['10.0.0.0/8', 'AS64500'] } },
      { country: { iso_code: 'GB' } },
      '✗ site.json: lines.hosts[0].networks needs autonomous systems, and network.mmdb holds none: add a file of them [no-systems]',
    ],
  ])('refuses an mmdb file %s', async (_what, rules, record, fault) => {
    const demo = JSON.parse(await readFile('site/site.json', 'utf8'));
    const lines = { ...demo.lines, hosts: [{ host: 'http://line1.localhost', ...rules }] };
    const dir = await makeSite({
      files: {
        'site.json': JSON.stringify({ ...demo, lines, network: { mmdb: 'a.mmdb' } }),
        'a.mmdb': writeMmdb({ '203.0.113.0/24': record }, 6),
      },
    });
    expect(await run({ siteDir: dir })).toMatchObject({ status: 1, output: [fault] });
  });

  it.each([
    [
      'no record of which tells anything',
      { land: 'GB' },
      '✗ site.json: network.mmdb "a.mmdb" has neither countries (country.iso_code or country_code) nor autonomous systems (autonomous_system_number): take another file [unusable-mmdb]',
    ],
    [
      'without countries, where regions are restricted',
      { autonomous_system_number: 64_500 },
      '✗ site.json: compliance.restrictedRegions needs countries, and network.mmdb holds none: add a file of countries [no-countries]',
    ],
  ])('refuses an mmdb file %s', async (_what, record, fault) => {
    const demo = JSON.parse(await readFile('site/site.json', 'utf8'));
    const compliance = { ...demo.compliance, restrictedRegions: ['GB'] };
    const dir = await makeSite({
      files: {
        'site.json': JSON.stringify({ ...demo, compliance, network: { mmdb: 'a.mmdb' } }),
        'a.mmdb': writeMmdb({ '203.0.113.0/24': record }, 6),
      },
    });
    expect(await run({ siteDir: dir })).toMatchObject({ status: 1, output: [fault] });
  });

  it('warns of limits that refuse ordinary visitors, and of ranges that hold most of the internet', async () => {
    const demo = JSON.parse(await readFile('site/site.json', 'utf8'));
    const site = {
      ...demo,
      limits: { apiPerMinute: 1, exempt: ['0.0.0.0/0', '::/0', '198.51.100.0/24'] },
      network: { trustedProxies: ['0.0.0.0/1', '10.0.0.0/8', 'fc00::/7'] },
    };
    const dir = await makeSite({ files: { 'site.json': JSON.stringify(site) } });
    const { status, warnings } = await run({ siteDir: dir });
    expect(status).toBe(0);
    expect(warnings.filter((line) => line.endsWith('[unusual-limits]'))).toEqual([
      expect.stringContaining('limits.apiPerMinute 1 refuses ordinary visitors'),
      expect.stringContaining('limits.exempt "0.0.0.0/0"'),
      expect.stringContaining('limits.exempt "::/0"'),
      expect.stringContaining('network.trustedProxies "0.0.0.0/1"'),
    ]);
  });

  it('warns of an image whose shape does not fit its place, or that nobody could see', async () => {
    const png = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#fff' } })
        .png()
        .toBuffer();
    const demo = JSON.parse(await readFile('site/site.json', 'utf8'));
    const images = { ...demo.images, logo: 'images/tall.png', promo: 'images/tiny.png' };
    const dir = await makeSite({
      files: {
        'site.json': JSON.stringify({ ...demo, images }),
        'images/tall.png': await png(30, 2_000),
        'images/tiny.png': await png(70, 10),
      },
    });
    const { warnings } = await run({ siteDir: dir });
    expect(warnings.filter((line) => line.endsWith('[misshapen-image]'))).toEqual([
      '! site.json: images.logo is images/tall.png with 30 × 2000 pixels, which does not fit its place: its width must be 0.5 to 10 times its height [misshapen-image]',
      '! site.json: images.promo is images/tiny.png with 70 × 10 pixels, which is too small to be seen [misshapen-image]',
    ]);
  });

  it('warns of a logo that vanishes on the background, and of no other', async () => {
    const demo = JSON.parse(await readFile('site/site.json', 'utf8'));
    const box = await sharp({ create: { width: 90, height: 30, channels: 3, background: '#fff' } })
      .composite([{ input: Buffer.from('<svg width="30" height="10"><rect width="30" height="10"/></svg>') }])
      .png()
      .toBuffer();
    // At the width at which others are looked at, it would be higher than any image may be.
    const tall = await sharp({ create: { width: 1, height: 50_000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const warnOf = async (background: string, logos: Record<string, string>): Promise<readonly string[]> => {
      const { logo: _logo, logoLight: _logoLight, ...others } = demo.images;
      const theme = { background, accent: '#8a5a0c' };
      const dir = await makeSite({
        files: {
          'site.json': JSON.stringify({ ...demo, theme, images: { ...others, ...logos } }),
          'images/box.png': box,
          'images/tall.png': tall,
        },
      });
      return (await run({ siteDir: dir })).warnings.filter((line) => /images\.logo.*low-contrast/.test(line));
    };
    const [dark, light] = ['images/logo.svg', 'images/logo-light.svg'];
    expect(await warnOf('#ffffff', { logo: dark })).toEqual([
      expect.stringMatching(/images\.logo is images\/logo\.svg, of which only \d+% can be seen on .*#ffffff/),
    ]);
    expect(await warnOf('#0a0f1a', { logo: light })).toHaveLength(1);
    expect(await warnOf('#0a0f1a', { logo: dark, logoLight: light })).toEqual([]);
    expect(await warnOf('#ffffff', { logo: dark, logoLight: light })).toEqual([]);
    // What is drawn on a ground of its own is seen on any.
    expect(await warnOf('#ffffff', { logo: 'images/box.png' })).toEqual([]);
    expect(await warnOf('#ffffff', { logo: 'images/tall.png' })).toHaveLength(1);
  });

  it('names a QR image that leads elsewhere in one language', async () => {
    const { dir, remove } = await makeSiteFolder({
      site: { images: { walletQr: { default: 'images/wallet-qr.svg', en: 'images/wallet-en.svg' } } },
      links: {
        wallet: { default: 'https://help.example.com/wallet-tutorial', en: 'https://help.example.com/en' },
        telegram: { default: 'https://channel.example/beichen-demo', 'zh-TW': 'https://channel.example/tw' },
      },
      files: { 'images/wallet-en.svg': encodeQr('https://help.example.com/en', 'svg') },
    });
    closing.push(remove);
    expect((await run({ siteDir: dir })).output).toEqual([
      '✗ site.json: images.telegramQr must be the QR code of "https://channel.example/tw" (json/link.json: telegram), and images/telegram-qr.svg is one of "https://channel.example/beichen-demo" [wrong-qr-code]',
    ]);
  });

  it('names a QR image that leads elsewhere, or nowhere', async () => {
    const dir = await makeSite({
      files: {
        'images/wallet-qr.svg': encodeQr('https://phishing.example/', 'svg'),
        'images/telegram-qr.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>',
      },
    });
    expect(await run({ siteDir: dir })).toMatchObject({
      status: 1,
      output: [
        '✗ site.json: images.walletQr must be the QR code of "https://help.example.com/wallet-tutorial" (json/link.json: wallet), and images/wallet-qr.svg is one of "https://phishing.example/" [wrong-qr-code]',
        '✗ site.json: images.telegramQr must be the QR code of "https://channel.example/beichen-demo" (json/link.json: telegram), and images/telegram-qr.svg has none that can be read [wrong-qr-code]',
      ],
    });
  });

  it('takes a QR code in capitals for the same link', async () => {
    const dir = await makeSite({
      files: {
        'images/telegram-qr.svg': encodeQr('HTTPS://CHANNEL.EXAMPLE/beichen-demo', 'svg'),
      },
    });
    expect(await run({ siteDir: dir })).toMatchObject({ status: 0 });
  });
});

describe('the lines', () => {
  it('are in order, each on every port, under the name of the day', async () => {
    const dir = await makeLines({});
    const { status, output } = await run({ siteDir: dir, hasLines: true, portal: 'http://localhost:8080' });
    expect(status).toBe(0);
    expect(output.slice(1, 4)).toEqual([
      '\n   LINE                              PORTS  TIME     CERTIFICATE  STAY',
      expect.stringMatching(
        /^✓  http:\/\/line1\.localhost    line    2\/2    \d+ms +- +(?:-|\d+\.\d+\.\d+)$/,
      ),
      expect.stringMatching(
        /^✓  http:\/\/backup1\.localhost  backup  2\/2    \d+ms +- +(?:-|\d+\.\d+\.\d+)$/,
      ),
    ]);
    expect(output.at(-1)).toBe('\n5 of 5 lines are in order');
  });

  it.each<[LineBehaviour['fault'], string]>([
    ['refuse', "it ended the connection without an answer. See its server's error log. [unreachable]"],
    [
      'wrong-marker',
      `it sends the marker "not-${MARKER}", not "${MARKER}". Send "server: ${MARKER}", or correct lines.marker. [other-marker]`,
    ],
    [
      'no-marker',
      `it sends no server header. Send "server: ${MARKER}", or correct lines.marker. [no-marker]`,
    ],
    [
      'redirect',
      'it redirects the speed check to /elsewhere. Answer /speed.php with 200: pages do not follow redirects. [redirect]',
    ],
    ['error', 'it answers with status 500. Answer /speed.php with 200, see deploy/line. [status]'],
  ])('%s is a fault, with what to do in the row below', async (fault, row) => {
    const dir = await makeLines({ 'line1.localhost': fault ? { fault } : {} });
    const { status, output } = await run({ siteDir: dir, hasLines: true });
    expect(status).toBe(1);
    expect(output[2]).toMatch(/^✗ {2}http:\/\/line1\.localhost {4}line {4}0\/2/);
    expect(output[3]).toBe(`     ${row}`);
    expect(output.at(-1)).toBe('\n4 of 5 lines are in order');
  });

  it('are told apart by port where only some have a fault', async () => {
    const hosts = await startHosts({});
    const closed = await startLineHosts({ marker: MARKER, ports: [0] });
    await closed.close();
    const dir = await makeSite({ lines: { ...linesOf('http://'), ports: [hosts[0], closed.ports[0]] } });
    const { output } = await run({ siteDir: dir, hasLines: true });
    expect(output[3]).toBe(
      `     on ${closed.ports[0]} it refused the connection. Start its server on that port, or take the port out of the site folder. [unreachable]`,
    );
  });

  it('must not be http behind an https portal', async () => {
    const [port] = await startHosts({});
    // This machine under a name that browsers do not take for it.
    const hosts = [`http://0.0.0.0:${port}`];
    const dir = await makeSite({ lines: { ...linesOf('http://'), hosts, ports: [port] } });
    const unknown = await run({ siteDir: dir, hasLines: true });
    const secure = await run({ siteDir: dir, hasLines: true, portal: 'https://go.example' });
    expect(unknown.status).toBe(0);
    expect(unknown.output.at(-2)).toContain('give --portal to have that checked');
    expect(secure.status).toBe(1);
    expect(secure.output[3]).toContain('it is http, which a page of https://go.example may not reach.');
    // Browsers let https pages reach loopback over http.
    expect(secure.output.at(-1)).toBe('\n4 of 5 lines are in order');
  });

  it('must have a page for those who enter', async () => {
    const dir = await makeLines({ 'line1.localhost': { fault: 'no-page' } });
    const { status, output } = await run({ siteDir: dir, hasLines: true });
    expect(status).toBe(1);
    expect(output[2]).toMatch(/^✗ {2}http:\/\/line1\.localhost {4}line {4}0\/2/);
    expect(output[3]).toBe(
      '     it answers the speed check, but its page answers 404. Put the site that visitors came for at / on the line, see deploy/line. [page-status]',
    );
  });

  it('must have an application that is well, where the site folder has a rule for it', async () => {
    const health = { path: '/health', expect: { text: '"ok"' } };
    const dir = await makeLines({ 'line1.localhost': { fault: 'dead-application' } }, { health });
    const { status, output } = await run({ siteDir: dir, hasLines: true });
    expect(status).toBe(1);
    expect(output[3]).toBe(
      '     it has an application that fails its health check: /health answers 503. Start the application behind the line, or correct lines.health. [health-status]',
    );
    expect(output.at(-1)).toBe('\n4 of 5 lines are in order');
  });

  it('include the addresses of the /t targets', async () => {
    const [port] = await startHosts({ 'app.localhost': { fault: 'no-marker' } });
    const dir = await makeSite({
      lines: { ...linesOf('http://'), ports: [port] },
      target: { a: `http://app.localhost:${port}` },
    });
    const { output } = await run({ siteDir: dir, hasLines: true });
    expect(output.at(-4)).toMatch(/^✗ {2}http:\/\/app\.localhost:\d+ {2}\/t\/localhost {2}0\/1/);
  });
});

describe('certificates', () => {
  const names = ['line1', 'backup1', 'backup2', 'backup3', 'backup4'].map((name) => `${name}.localhost`);
  const wildcards = names.map((name) => `*.${name}`);

  it('are good for their days where the authority is trusted', async () => {
    const { status, output } = await runTls(await makeCertificate(wildcards, { days: 61 }));
    expect(status).toBe(0);
    expect(output[2]).toMatch(
      /^✓ {2}line1\.localhost {4}line {4}2\/2 {4}\d+ms +60 days +(?:-|\d+\.\d+\.\d+)$/,
    );
  });

  it('are faulty when they expire soon', async () => {
    const { status, output } = await runTls(await makeCertificate(wildcards, { days: 5 }));
    expect(status).toBe(1);
    expect(output[3]).toMatch(
      /it has a certificate that expires on \d{4}-\d\d-\d\d\. Renew it now\. \[certificate-ends-soon\]$/,
    );
  });

  it('are faulty when they have expired, and the rest is checked all the same', async () => {
    const certificate = await makeCertificate(wildcards, { isExpired: true });
    const { status, output } = await runTls(certificate, { marker: 'another' });
    expect(status).toBe(1);
    expect(output[3]).toMatch(
      /it has a certificate that expired on \d{4}-\d\d-\d\d\. Renew it\. \[certificate\]$/,
    );
    expect(output[4]).toContain(`it sends the marker "${MARKER}", not "another".`);
  });

  it('are faulty without the wildcard that the name of the day needs', async () => {
    const { output } = await runTls(await makeCertificate(names));
    expect(output[3]).toMatch(
      /it has a certificate that is not for www\d+\.line1\.localhost\. Get one with the wild/,
    );
  });

  it('are faulty when nobody but they themselves vouches for them', async () => {
    const { output } = await runTls(await makeCertificate(wildcards), {}, false);
    expect(output[3]).toContain('it has a certificate that is signed by itself, which no browser trusts.');
  });

  it('are missed where the line speaks http on the port', async () => {
    const ports = await startHosts({});
    const dir = await makeSite({ lines: { ...linesOf(''), ports } });
    const { output } = await run({ siteDir: dir, hasLines: true });
    expect(output[3]).toContain('it does not speak https here.');
  });
});

it.each([
  [['--portal', 'go.example'], '--portal must be a URL such as https://go.example.com, got "go.example"'],
  [
    ['--portal', 'ftp://go.example'],
    '--portal must be a URL such as https://go.example.com, got "ftp://go.example"',
  ],
])('refuses %j', async (args, message) => {
  await expect(check.run(args)).rejects.toThrow(new UsageError(message));
});

type CheckRun = {
  readonly status: number;
  readonly output: readonly string[];
  readonly warnings: readonly string[];
};

async function run(options: Partial<CheckOptions>): Promise<CheckRun> {
  const output: string[] = [];
  const warnings: string[] = [];
  const defaults = { siteDir: 'site', hasLines: false, portal: undefined, caFile: undefined };
  const status = await runCheck(
    { ...defaults, ...options },
    { print: (line) => output.push(line), warn: (line) => warnings.push(line), now: Date.now },
  );
  return { status, output, warnings };
}

async function runTls(tls: Certificate, lines = {}, isTrusted = true): ReturnType<typeof run> {
  const ports = await startHosts({}, tls);
  const dir = await makeSite({ lines: { ...linesOf(''), ports, ...lines } });
  const caFile = join(dir, '.ca.pem');
  await writeFile(caFile, tls.cert);
  return run({
    siteDir: dir,
    hasLines: true,
    portal: 'https://go.example',
    caFile: isTrusted ? caFile : undefined,
  });
}

async function makeLines(
  behaviours: Readonly<Record<string, LineBehaviour>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const ports = await startHosts(behaviours);
  return makeSite({ lines: { ...linesOf('http://'), ports, ...settings } });
}

function linesOf(scheme: string): Readonly<Record<string, unknown>> {
  const fallback = [1, 2, 3, 4].map((number) => `${scheme}backup${number}.localhost`);
  return { marker: MARKER, hosts: [`${scheme}line1.localhost`], fallback };
}

async function startHosts(
  behaviours: Readonly<Record<string, LineBehaviour>>,
  tls?: Certificate,
): Promise<readonly number[]> {
  const hosts = await startLineHosts({ marker: MARKER, ports: [0, 0], tls });
  closing.push(hosts.close);
  for (const [hostname, behaviour] of Object.entries(behaviours)) hosts.set(hostname, behaviour);
  return hosts.ports;
}

async function makeSite({ lines, target, files }: SiteParts): Promise<string> {
  const { dir, remove } = await makeSiteFolder({
    ...(lines && { site: { lines } }),
    ...(files && { files }),
    ...(target && { targets: { localhost: target } }),
  });
  closing.push(remove);
  if (target === undefined) await rm(join(dir, 'json/urls/localhost.json'));
  return dir;
}
