import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import demo from '../../../site/site.json' with { type: 'json' };
import { describeSiteFault } from '../faults/describe-site-fault.ts';
import { findJsonFaults } from './find-json-faults.ts';
import { DEFAULT_LANGUAGES, readLanguages } from './locales.ts';
import { createSiteConfigSchema } from './site-config.ts';

const siteConfigSchema = createSiteConfigSchema(DEFAULT_LANGUAGES);

/** The demo brand without anything that differs by language, for sites in other languages. */
const plain = JSON.parse(
  JSON.stringify({ ...demo, announcement: undefined, defaultLocale: undefined }),
  (_, value) => value?.default ?? value,
) as object;

function faultsOf(config: unknown): readonly string[] {
  const schema = createSiteConfigSchema(readLanguages(config));
  const { issues = [] } = v.safeParse(schema, config);
  return findJsonFaults(schema, issues).map(({ path, ...fault }) =>
    describeSiteFault({ ...fault, place: { file: 'site.json', path } }, 'en'),
  );
}

describe('the schema of site.json', () => {
  test('takes the demo brand, and gives what it leaves out its default', () => {
    const config = v.parse(siteConfigSchema, { ...demo, analytics: undefined });
    expect(config.lines.ports).toEqual([9900, 5569, 6899, 7730, 8866]);
    expect(config.lines.markerHeader).toBe('server');
    expect(config.lines.steering).toBe('measured');
    expect(config.redirect.keepQuery).toBe(false);
    expect(config.services.callerAddress).toBe('');
    expect(config.analytics).toEqual({
      measurementId: '',
      tagUrl: '',
      counts: 'off',
      countsWithoutConsent: false,
    });
    expect(config.monitoring).toEqual({
      intakeUrl: '',
      sessionPercent: 100,
      replayPercent: 20,
      maskText: false,
      keepDays: 30,
      keepBytes: 5_000_000_000,
    });
    expect(config.consent).toBe('not-required');
    expect(config.downloads).toEqual(['ub', 'wallet', 'esb', 'tg']);
    expect(config.limits).toEqual({ apiPerMinute: 600, reportsPerNetwork: 10, exempt: [] });
    expect(config.network.unknownRegion).toBe('closed');
  });

  test('takes the countries that databases and CDNs name', () => {
    const restrictedRegions = ['GB', 'US', 'CN', 'HK', 'TW', 'XK', 'XX'];
    const { success } = v.safeParse(siteConfigSchema, {
      ...demo,
      compliance: { ...demo.compliance, restrictedRegions },
    });
    expect(success).toBe(true);
  });

  test('names what is wrong in a channel by the keys of its kind, and of these only the ones that are wrong', () => {
    const url = 'https://hooks.example.com/a';
    const withChannel = (channel: unknown) => ({ ...demo, alerts: { channels: [channel] } });
    const place = 'alerts.channels[0]';
    expect(faultsOf(withChannel({ nme: 'night', kind: 'webhook', url }))).toEqual([
      `${place}.name is missing: write "name": "…"`,
      `${place}.nme is not a known key: did you mean "name"?`,
    ]);
    expect(faultsOf(withChannel({ name: 'night', kind: 'telegram', url }))).toEqual([
      `${place}.chat is missing: write "chat": "…"`,
      `${place}.secret is missing: write "secret": "…"`,
      `${place}.url is not a known key: write one of name, timeZone, kind, chat, secret, api`,
    ]);
    expect(
      faultsOf(withChannel({ name: 'a', kind: 'mail', server: 'smtp://a.example:25', from: 'a@a.example' })),
    ).toEqual([`${place}.to is missing: write "to": [ … ]`]);
    expect(faultsOf(withChannel({ name: 'night', url }))).toEqual([
      `${place}.kind is missing: write "kind": "…" ("webhook", "telegram", "mail", "slack", "discord", "teams", "feishu", "dingtalk", "wecom" or "pagerduty")`,
    ]);
    expect(faultsOf(withChannel('night'))).toEqual([
      `${place} must be an object with the keys name, kind and those of its kind, got "night"`,
    ]);
  });

  const withLines = (change: object) => ({ ...demo, lines: { ...demo.lines, ...change } });
  test.each<[string, unknown, string]>([
    ['a typo in a key', { ...demo, brnad: {} }, 'brnad is not a known key: did you mean "brand"?'],
    ...['tomorrow', '2026-12-01T08:00', '2026-02-30T08:00Z', '2026-12-01T25:00Z', '2026-12-01 08:00Z'].map(
      (from): [string, unknown, string] => [
        `an announcement that begins at "${from}"`,
        { ...demo, announcement: { en: { text: 'x', from } } },
        `announcement.en.from must be a time with its zone such as "2026-12-01T08:00+08:00", on a day that exists, got "${from}"`,
      ],
    ),
    [
      'an announcement that ends before it begins',
      {
        ...demo,
        announcement: { en: { text: 'x', from: '2026-12-01T08:00Z', until: '2026-12-01T08:00+00:00' } },
      },
      'announcement.en.until must be later than "from", got "2026-12-01T08:00+00:00"',
    ],
    [
      'an unknown download',
      { ...demo, downloads: ['ub', 'walet'] },
      'downloads[1] is not a download: did you mean "wallet"?, got "walet"',
    ],
    [
      'a download that is there twice',
      { ...demo, downloads: ['tg', 'ub', 'tg'] },
      'downloads[2] is there twice: remove one, got "tg"',
    ],
    [
      'downloads that are no list',
      { ...demo, downloads: 'ub' },
      'downloads must be a list such as ["ub", "wallet"], got "ub"',
    ],
    ['a typo in a part', withLines({ prots: [] }), 'lines.prots is not a known key: did you mean "ports"?'],
    ...['http//a.b:9900', 'http:/a.b:9900', 'http:a.b:9900'].map((entry): [string, unknown, string] => [
      `a scheme that is broken off: ${entry}`,
      withLines({ hosts: [entry] }),
      `lines.hosts[0] has a scheme without "://": write "http://a.b:9900", got "${entry}"`,
    ]),
    ...[
      ['UK', 'is not the code in use: write "GB"'],
      ['EU', 'is not a country: name each of its countries'],
      ['QQ', 'is not the code of a country (ISO 3166-1)'],
      ['gb', 'must be a two-letter country code such as "GB"'],
      ['Germany', 'must be a two-letter country code such as "GB"'],
    ].map(([code, reason]): [string, unknown, string] => [
      `the region ${code}`,
      { ...demo, compliance: { ...demo.compliance, restrictedRegions: [code] } },
      `compliance.restrictedRegions[0] ${reason}, got "${code}"`,
    ]),
    [
      'a host with a path',
      withLines({ hosts: ['a.example', 'b.example', 'https://a.b/c'] }),
      'lines.hosts[2] has a path: write "https://a.b" only, got "https://a.b/c"',
    ],
    [
      'a bad host in an object',
      withLines({ hosts: [{ host: 'a b', noWWW: true }] }),
      'lines.hosts[0].host has a space: write a host such as "line1.example", got "a b"',
    ],
    [
      'a fallback host twice',
      withLines({ fallback: ['a.example', 'b.example', 'c.example', 'https://A.example'] }),
      'lines.fallback[3] is there twice: remove one, got "https://A.example"',
    ],
    [
      'a line twice',
      withLines({ hosts: ['a.example', 'a.example:443', { host: 'a.example', noWWW: true }] }),
      'lines.hosts[2] is there twice: remove one, got {"host":"a.example","noWWW":true}',
    ],
    [
      'a line among the fallback hosts',
      withLines({
        hosts: ['a.example', { host: 'https://D.example', noWWW: true }],
        fallback: ['b.example', 'c.example', 'd.example', 'e.example'],
      }),
      'lines.fallback[2] must be a host that is not in lines.hosts, got "d.example"',
    ],
    [
      'three fallback hosts',
      withLines({ fallback: ['a.example', 'b.example', 'c.example'] }),
      'lines.fallback must name exactly 4 hosts, got ["a.example","b.example","c.example"]',
    ],
    [
      'a bad port',
      withLines({ ports: [70_000] }),
      'lines.ports[0] must be a port from 1 to 65535, got 70000',
    ],
    ['no compliance', { ...demo, compliance: undefined }, 'compliance is missing: write "compliance": { … }'],
    [
      'no marker',
      withLines({ marker: undefined }),
      'lines.marker is missing: write "lines": { "marker": "…" }',
    ],
    [
      'a line without its host',
      withLines({ hosts: [{ noWWW: true }] }),
      'lines.hosts[0].host is missing: write "host": "…"',
    ],
    [
      'a wrong value inside a line',
      withLines({ hosts: [{ host: 'a.example', weight: 'x' }] }),
      'lines.hosts[0].weight must be a number above 0, got "x"',
    ],
    [
      'a typo in the key of a text',
      { ...demo, texts: { en: { retset: 'Again' } } },
      'texts.en.retset is not the key of a text: did you mean "retest"?',
    ],
    [
      'a key that is like no other',
      { ...demo, redirect: { colour: 'red' } },
      'redirect.colour is not a known key: write one of keepQuery',
    ],
    [
      'an image outside the folder',
      { ...demo, images: { ...demo.images, logo: '../logo.svg' } },
      'images.logo must be a path inside the site folder such as "images/logo.svg", got "../logo.svg"',
    ],
    [
      'a scheme in an allowed host',
      { ...demo, typeRedirect: { allowedHosts: ['https://go.example'] } },
      'typeRedirect.allowedHosts[0] must be a host name such as "go.example", without scheme or port, got "https://go.example"',
    ],
    [
      'a script as a link',
      { ...demo, compliance: { ...demo.compliance, responsiblePlayUrl: 'javascript:alert(1)' } },
      'compliance.responsiblePlayUrl must be an absolute URL that starts with https:// or http://, got "javascript:alert(1)"',
    ],
    [
      'a port that there is not',
      withLines({ hosts: ['line1.example:99999'] }),
      'lines.hosts[0] has the port 99999: write one from 1 to 65535, got "line1.example:99999"',
    ],
    [
      'two hosts in one text',
      withLines({ hosts: ['a.example，b.example'] }),
      'lines.hosts[0] has a comma: write each host as a text of its own, such as "line1.example", got "a.example，b.example"',
    ],
    [
      'a short colour',
      { ...demo, theme: { accent: '#fc0' } },
      'theme.accent must be a colour of six digits: write "#ffcc00", got "#fc0"',
    ],
    [
      'an intake with a typo',
      { ...demo, monitoring: { intakeUrl: 'Self' } },
      'monitoring.intakeUrl must be empty, "self", or a URL that starts with https:// or http://, got "Self"',
    ],
    [
      'a text instead of a part',
      withLines({ health: '/health' }),
      'lines.health must be an object with the keys path, expect, everySeconds, timeoutMs, got "/health"',
    ],
    [
      'a list instead of an object',
      withLines({ hosts: [{ host: 'a.example', countries: ['SG'] }] }),
      'lines.hosts[0].countries must be an object with the keys only, not, got ["SG"]',
    ],
    [
      'a text instead of a list',
      { ...demo, network: { trustedProxies: '10.0.0.0/8' } },
      'network.trustedProxies must be a list such as ["10.0.0.0/8"], got "10.0.0.0/8"',
    ],
    [
      'a country in the place of a language',
      { ...demo, defaultLocale: 'cn' },
      'defaultLocale is not in locales: did you mean "zh-CN"?, got "cn"',
    ],
    ['a text instead of an object', 'x', 'the file must be an object, got "x"'],
  ])('names %s, and what to write instead', (_, config, fault) => {
    expect(faultsOf(config)).toContain(fault);
  });

  test('a value that breaks several rules is one fault', () => {
    const faults = faultsOf(withLines({ marker: '', health: { path: '/', everySeconds: 0.5 } }));
    expect(faults).toEqual([
      'lines.marker must not be empty, got ""',
      'lines.health.everySeconds must be a whole number from 5 to 3600, got 0.5',
    ]);
  });

  const withName = (name: unknown) => ({ ...demo, brand: { ...demo.brand, name } });
  const OR_BY_LANGUAGE = 'or an object by language such as { "default": "…", "en": "…" }';
  test.each<[unknown, string]>([
    [7, `brand.name must be a text, ${OR_BY_LANGUAGE}, got 7`],
    [null, `brand.name must be a text, ${OR_BY_LANGUAGE}, got null`],
    [[], 'brand.name.default is missing: write "brand": { "name": { "default": "…" } }'],
    ['', 'brand.name must not be empty, got ""'],
    [undefined, 'brand.name is missing: write "brand": { "name": "…" }'],
    [{}, 'brand.name.default is missing: write "brand": { "name": { "default": "…" } }'],
    [{ en: 'Polaris' }, 'brand.name.default is missing: write "brand": { "name": { "default": "…" } }'],
    [{ default: 'x', en: 7 }, 'brand.name.en must be a text, got 7'],
    [{ default: 'x', en: ' ' }, 'brand.name.en must not be empty, got ""'],
    [{ default: 'x', 'zh-cn': 'y' }, 'brand.name.zh-cn is not in locales: did you mean "zh-CN"?'],
    [{ default: 'x', defualt: 'y' }, 'brand.name.defualt is not in locales: did you mean "default"?'],
    [
      { default: 'x', es: 'y' },
      'brand.name.es is not in locales: did you mean "en"? Otherwise add it there, or take it out here',
    ],
    [
      { default: 'x', vi: 'y' },
      'brand.name.vi is not in locales: add it there, or write one of default, zh-CN, zh-TW, en',
    ],
    [{ default: 'x', '?': 'y' }, 'brand.name.? is not in locales: write one of default, zh-CN, zh-TW, en'],
  ])('names what is wrong with a text by language: %j', (name, fault) => {
    expect(faultsOf(withName(name))).toEqual([fault]);
  });

  test.each<[string, object, string]>([
    [
      'a mail address',
      { brand: { ...demo.brand, email: { default: 'a@b.example', en: 'x' } } },
      'brand.email.en must be a mail address, got "x"',
    ],
    [
      'a URL',
      { compliance: { ...demo.compliance, licence: { statement: 'x', url: { default: 'x' } } } },
      'compliance.licence.url.default must be an absolute URL that starts with https:// or http://, got "x"',
    ],
    [
      'an image',
      { images: { ...demo.images, logo: { default: '../x' } } },
      'images.logo.default must be a path inside the site folder such as "images/logo.svg", got "../x"',
    ],
    [
      'an announcement',
      { announcement: { vi: { text: 'x' } } },
      'announcement.vi is not in locales: add it there, or write one of default, zh-CN, zh-TW, en',
    ],
    [
      'texts',
      { texts: { default: { retest: 'x' } } },
      'texts.default is not in locales: write one of zh-CN, zh-TW, en',
    ],
    [
      'texts',
      { texts: { 'en-GB': { retest: 'x' } } },
      'texts.en-GB is not in locales: add it there, or write one of zh-CN, zh-TW, en',
    ],
  ])('names what is wrong with %s by language', (_, change, fault) => {
    expect(faultsOf({ ...demo, ...change })).toEqual([fault]);
  });

  test.each<[unknown, string]>([
    [[], 'locales must name at least one language, got []'],
    ['en', 'locales must be a list such as ["en", "vi"], got "en"'],
    [['en', 7], 'locales[1] must be the tag of a language such as "vi" or "pt-BR", got 7'],
    [['en', 'e'], 'locales[1] must be the tag of a language such as "vi" or "pt-BR", got "e"'],
    [['en', 'pt_BR'], 'locales[1] must be the tag of a language such as "vi" or "pt-BR", got "pt_BR"'],
    [['en', 'pt-br'], 'locales[1] is not how the language is written: write "pt-BR", got "pt-br"'],
    [['en', 'iw'], 'locales[1] is not how the language is written: write "he", got "iw"'],
    [['en', 'ar-u-nu-latn'], 'locales[1] is not how the language is written: write "ar", got "ar-u-nu-latn"'],
    [['en', 'vn'], 'locales[1] is not the code of a language (ISO 639-1): did you mean "vi"?, got "vn"'],
    [['en', 'en'], 'locales[1] is there twice: remove one, got "en"'],
  ])('names what is wrong with the languages %j', (locales, fault) => {
    expect(faultsOf({ ...plain, locales })).toEqual([fault]);
  });

  test('takes any language, and falls back to zh-CN or to the first', () => {
    const parse = (change: object) => {
      const config = { ...plain, ...change };
      return v.parse(createSiteConfigSchema(readLanguages(config)), config);
    };
    const many = ['th', 'ar', 'vi', 'pt-BR', 'sr-Latn', 'fil', 'zh-Hant-HK'];
    expect(parse({ locales: many })).toMatchObject({ locales: many, defaultLocale: 'th' });
    expect(parse({ locales: ['en', 'zh-CN'] }).defaultLocale).toBe('zh-CN');
    expect(parse({ locales: ['en', 'vi'], defaultLocale: 'vi' }).defaultLocale).toBe('vi');
    expect(parse({}).locales).toEqual(['zh-CN', 'zh-TW', 'en']);
  });

  test('refuses a default language, and texts, in what is not one of the languages', () => {
    const config = { ...plain, locales: ['vi', 'en'] };
    expect(faultsOf({ ...config, texts: { vn: {} } })).toEqual([
      'texts.vn is not in locales: did you mean "vi"?',
    ]);
    expect(faultsOf({ ...config, defaultLocale: 'zh-CN' })).toEqual([
      'defaultLocale is not in locales: add it there, or write one of vi, en, got "zh-CN"',
    ]);
  });

  test('names every unknown key of an object, not the first alone', () => {
    expect(faultsOf(withLines({ makrer: 'x', prots: [], more: 1 }))).toEqual([
      'lines.makrer is not a known key: did you mean "marker"?',
      'lines.prots is not a known key: did you mean "ports"?',
      expect.stringMatching(/^lines\.more is not a known key: write one of marker, markerHeader, hosts, /),
    ]);
  });

  test('names every fault at once', () => {
    const faults = faultsOf({ ...withLines({ ports: ['x'], hosts: [] }), consent: 'maybe' });
    expect(faults).toEqual([
      'lines.hosts must name at least one host, got []',
      'lines.ports[0] must be a port from 1 to 65535, got "x"',
      'consent must be "required" or "not-required", got "maybe"',
    ]);
  });
});
