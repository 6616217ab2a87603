import { describe, expect, test } from 'vitest';
import { writeCodedFault, writeSiteFault } from '../../contract/faults/describe-site-fault.ts';
import { DEMO_SITE, createSiteFiles } from '../testing/site-files.ts';
import { loadSite } from './load-site.ts';
import { localizeSite } from './localize-site.ts';
import { parseSite } from './parse-site.ts';
import type { SiteFiles } from './read-site-folder.ts';

async function faultsOf(files: SiteFiles | Promise<SiteFiles>): Promise<readonly string[]> {
  const { site, faults } = parseSite(await files);
  expect(site === undefined).toBe(faults.length > 0);
  return faults.map((fault) => writeSiteFault(fault, 'en'));
}

describe('the demo brand', () => {
  test('has no fault and no warning', async () => {
    expect((await loadSite(DEMO_SITE)).warnings).toEqual([]);
  });

  test('is whole in three languages: no Chinese in English, and no text in both ways to write Chinese', async () => {
    const { site } = await loadSite(DEMO_SITE);
    const sites = ['zh-CN', 'zh-TW', 'en'].map((locale) => localizeSite(site, locale));
    const [simplified = [], traditional = [], english = []] = sites.map(({ config, announcements }) =>
      listTexts([config.brand, config.compliance, ...announcements]).filter((text) =>
        /\p{Script=Han}/u.test(text),
      ),
    );
    expect([simplified.length, traditional.length, english]).toEqual([7, 7, []]);
    expect(traditional.filter((text) => simplified.includes(text))).toEqual([]);
    // The two images with words in them.
    expect(new Set(sites.map(({ config }) => config.images.logo)).size).toBe(3);
    expect(new Set(sites.map(({ config }) => config.images.promo)).size).toBe(3);
  });
});

describe('a bad folder', () => {
  test('is reported whole: one line a fault, each with file, path, what is expected and what was found', async () => {
    const files = await createSiteFiles(
      (config) => {
        delete config.compliance;
        config.colour = 'red';
        (config.lines as { hosts: unknown[] }).hosts[1] = 'https://a.b/c';
      },
      { 'json/link.json': '[]', 'json/urls/bad.json': '{"a": "x y"}' },
    );
    expect(await faultsOf(files)).toEqual([
      expect.stringMatching(
        /^site\.json:1:\d+: lines\.hosts\[1\] has a path: write "https:\/\/a\.b" only, got "https:\/\/a\.b\/c"$/,
      ),
      'site.json:1:1: compliance is missing: write "compliance": { … }',
      expect.stringMatching(/^site\.json:1:\d+: colour is not a known key: write one of \$schema, brand, /),
      'json/link.json:1:1: the file must be an object of links: { "ub": "https://…", … }',
      'json/urls/bad.json:1:2: a has a space: write a host such as "line1.example", got "x y"',
    ]);
  });

  test('is reported up to its first hundred faults, whatever they are', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => index);
    const keys = Object.fromEntries(many.map((index) => [`key${index}`, index]));
    const changes: Readonly<Record<string, Parameters<typeof createSiteFiles>>> = {
      'unknown keys': [(config) => Object.assign(config, keys)],
      'wrong values': [(config) => ((config.lines as { hosts: unknown[] }).hosts = many)],
      'unknown texts': [(config) => (config.texts = { en: keys })],
      'unknown languages': [(config) => (config.texts = keys)],
      'too many languages': [(config) => (config.locales = many.map((index) => `x${index}`))],
      'missing images': [(config) => Object.assign(config.images as object, keys)],
      'wrong hosts': [undefined, { 'json/urls/go.json': JSON.stringify(keys) }],
      'repeated keys': [
        undefined,
        { 'json/urls/go.json': `{${many.map(() => '"a":"line1.example"').join()}}` },
      ],
    };
    for (const [what, [change, files]] of Object.entries(changes)) {
      const { faults } = parseSite(await createSiteFiles(change, files));
      expect([what, faults.length]).toEqual([what, 101]);
      const last = faults.slice(-1).map((fault) => writeCodedFault(fault, 'en'));
      expect(last).toEqual(['there are more faults than these 100: correct them first [too-many-faults]']);
    }
  });

  test('names the line and the column of each of many faults', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `  "a${index}": ${index}`);
    const { faults } = parseSite(
      await createSiteFiles(undefined, { 'json/urls/go.json': `{\n${lines.join(',\n')}\n}` }),
    );
    expect(faults.map(({ place }) => [place?.line, place?.column])).toEqual(
      lines.map((_, index) => [index + 2, 3]),
    );
  });

  test.each([
    ['a key of 201 letters', { ['k'.repeat(201)]: 'line1.example' }, 'a key may have at most 200 characters'],
    ['50,001 values', Array.from({ length: 50_001 }, () => 1), 'a JSON file may hold at most 50,000 values'],
    ['a host of 10,000 letters', { a: '线'.repeat(10_000) }, 'must be a host such as "line1.example"'],
  ])('with %s is refused before it takes long to read', async (_, target, fault) => {
    const found = await faultsOf(createSiteFiles(undefined, { 'json/urls/go.json': JSON.stringify(target) }));
    expect(found).toEqual([expect.stringContaining(fault)]);
  });

  test('has at most 5,000,000 bytes of JSON', async () => {
    const large = JSON.stringify({ a: 'line1.example' }).padEnd(990_000);
    const targets = Object.fromEntries([1, 2, 3, 4, 5].map((name) => [`json/urls/${name}.json`, large]));
    expect(await faultsOf(createSiteFiles(undefined, targets))).toEqual([]);
    expect(await faultsOf(createSiteFiles(undefined, { ...targets, 'json/urls/6.json': large }))).toEqual([
      expect.stringMatching(
        /^the JSON files of a site may have 5,000,000 bytes together, and these have 5,9/,
      ),
    ]);
  });

  test('is reported with a code for each kind of fault', async () => {
    const codesOf = async (...of: Parameters<typeof createSiteFiles>) =>
      parseSite(await createSiteFiles(...of)).faults.map(({ code }) => code);
    const whole = await codesOf(
      (config) => {
        config.colour = 'red';
        config.texts = { en: { retset: 'Retest' } };
        delete (config.brand as { name?: unknown }).name;
        Object.assign(config.images as object, { logo: 'images/none.svg' });
        config.limits = { exempt: ['x'] };
      },
      { 'json/link.json': '{', 'json/urls/a b.json': '{"a": "a.example", "a": "b.example"}' },
    );
    expect(whole.toSorted()).toEqual([
      'broken-json',
      'invalid-target-name',
      'invalid-value',
      'missing-key',
      'repeated-key',
      'unknown-key',
      'unknown-key',
      'unusable-image',
    ]);
    expect(
      await codesOf((config) => {
        Object.assign(config.compliance as object, { restrictedRegions: ['AQ'] });
        config.network = {};
      }),
    ).toEqual(['no-countries']);
  });

  test('rules of lines that nobody could follow are refused, with the place of each', async () => {
    const files = await createSiteFiles((config) => {
      const hosts = [
        { host: 'a.example', countries: { only: ['SG'] } },
        { host: 'b.example', networks: { not: ['AS64500', '203.0.113.0/33', 'AS0'] } },
        { host: 'c.example', networks: { only: ['203.0.113.0/33', '10.0.0.0/8'] }, countries: { not: [] } },
        { host: 'd.example', countries: { only: ['UK'] } },
      ];
      Object.assign(config.lines as object, { hosts });
      config.network = {};
    });
    const shape = await faultsOf(files);
    expect(shape.map((fault) => fault.replace(/^site.json:\d+:\d+: /, ''))).toEqual([
      'lines.hosts[1].networks.not[2] must be a network such as "AS64500" or "203.0.113.0/24", got "AS0"',
      'lines.hosts[3].countries.only[0] is not the code in use: write "GB", got "UK"',
    ]);
    const wellFormed = await createSiteFiles((config) => {
      const hosts = [
        { host: 'a.example', countries: { only: ['SG'] } },
        { host: 'b.example', networks: { not: ['AS64500', '203.0.113.0/33'] } },
        { host: 'c.example', networks: { only: ['10.0.0.0/8'] }, countries: { not: [] } },
      ];
      Object.assign(config.lines as object, { hosts });
      config.network = {};
    });
    expect(parseSite(wellFormed).faults.map(({ code }) => code)).toEqual([
      'no-countries',
      'no-systems',
      'invalid-value',
    ]);
  });

  test('is reported with the line and the column of each fault, those of images and proxies too', async () => {
    const files = new Map(await createSiteFiles());
    const site = `{
  "brand": { "name": "" },
  "images": { "logo": "images/none.svg" },
  "network": {
    "trustedProxies": ["10.0.0.0/8",
      "x"]
  }
}`;
    files.set('site.json', Buffer.from(site));
    const faults = await faultsOf(files);
    expect(faults.map((fault) => fault.split(' ').slice(0, 2).join(' '))).toEqual(
      expect.arrayContaining([
        'site.json:2:14: brand.name',
        'site.json:2:3: brand.email',
        'site.json:3:15: images.logo',
        'site.json:3:3: images.promo',
        'site.json:1:1: lines',
        'site.json:6:7: network.trustedProxies[1]',
      ]),
    );
  });

  test('is refused where a name is more than one line, or a text has control or half characters', async () => {
    const files = new Map(await createSiteFiles());
    const config = JSON.parse(String(files.get('site.json')));
    config.brand.name = 'Lumo\r\nBcc: everyone@example.com';
    config.compliance.licence.statement = 'First line\nsecond \u001b[2J';
    files.set('site.json', Buffer.from(JSON.stringify(config, undefined, 2)));
    expect(await faultsOf(files)).toEqual([
      expect.stringContaining('brand.name must be one line, without control characters'),
      expect.stringContaining('compliance.licence.statement must not have control characters'),
    ]);
    config.brand.name = 'Lumo \ud83d';
    config.compliance.licence.statement = 'First line\nsecond line 🙂';
    files.set('site.json', Buffer.from(JSON.stringify(config)));
    expect(await faultsOf(files)).toEqual([
      expect.stringContaining(String.raw`brand.name must not have half a character, such as "\ud83d"`),
    ]);
    config.brand.name = 'Lumo';
    files.set('site.json', Buffer.from(JSON.stringify(config)));
    expect(await faultsOf(files)).toEqual([]);
  });

  test('names a key that is there twice, at its second place', async () => {
    const more = { 'json/urls/x.json': '{\n  "a": "a.example",\n  "b": "b.example",\n  "a": "c.example"\n}' };
    expect(await faultsOf(createSiteFiles(undefined, more))).toEqual([
      'json/urls/x.json:4:3: a is there twice: remove one',
    ]);
  });

  test('may lack a file, or have one that is cut off', async () => {
    const files = new Map(await createSiteFiles());
    files.delete('json/link.json');
    files.set('site.json', Buffer.from('{\n  "brand": {\n    "name": "X"'));
    expect(await faultsOf(files)).toEqual([
      'site.json:3:16: expected "," or "}", got the end of the file',
      'json/link.json: the file is missing',
    ]);
    expect(await faultsOf(createSiteFiles(undefined, { 'json/urls/x.json': '["a.example"]' }))).toEqual([
      'json/urls/x.json:1:1: the file must be an object of hosts: { "a": "line1.example" }',
    ]);
    expect(await faultsOf(createSiteFiles(undefined, { 'json/urls/x.json': 'null' }))).toEqual([
      expect.stringMatching(/^json\/urls\/x\.json:1:1: the file must be an? object/i),
    ]);
  });

  test.each([
    ['{\n  "a": "b"\n  "c": "d"\n}', '3:3: expected a comma before "c" in the line: "c": "d"'],
    ['{\n  "a": "b",\n}', '3:1: take out the comma before } in the line: }'],
    ['{ "a" "b" }', '1:7: expected ":" before "b" in the line: { "a" "b" }'],
    [
      "{ 'a': 1 }",
      "1:3: only numbers, true, false and null stand without double quotes, got 'a' in the line: { 'a': 1 }",
    ],
    ['{\n  // mine\n}', '2:3: JSON has no comments: take out // mine in the line: // mine'],
    ['{ "a": "b\n }', '1:8: expected a closing double quote in the same line for "b in the line: { "a": "b'],
    ['{ “a”: 1 }', '1:3: write " in place of “ in the line: { “a”: 1 }'],
    ['{ "a": "b"， "c": 1 }', '1:11: write , in place of ， in the line: { "a": "b"， "c": 1 }'],
    ['', '1:1: expected a value, got the end of the file'],
    ['\uFEFF{}', '1:1: save the file as UTF-8 without a byte order mark'],
  ])('says where the JSON of a file breaks, and what stands there: %j', async (text, fault) => {
    expect(await faultsOf(createSiteFiles(undefined, { 'json/urls/x.json': text }))).toEqual([
      `json/urls/x.json:${fault}`,
    ]);
  });

  test('a file in another encoding is refused: its texts would be unreadable', async () => {
    // { "北": "a" }, as an editor on a Chinese Windows may save it (GBK).
    const bytes = Buffer.from('{"\xb1\xb1":"a"}', 'latin1');
    const files = new Map([...(await createSiteFiles()), ['json/urls/x.json', bytes]]);
    expect(await faultsOf(files)).toEqual([
      'json/urls/x.json: the file is not UTF-8: save it with that encoding',
    ]);
  });

  test.each(['site.json', 'json/link.json', 'json/urls/a.json'])(
    '%s of more than 1,000,000 bytes is refused before it is parsed',
    async (file) => {
      const fill = async (bytes: number) =>
        faultsOf(createSiteFiles(() => undefined, { [file]: '{'.padEnd(bytes) }));
      expect(await fill(1_000_000)).toEqual([expect.stringMatching(`^${file}:1:\\d+: expected `)]);
      expect(await fill(1_000_001)).toEqual([
        `${file}: a JSON file may have at most 1,000,000 bytes, and this has 1,000,001`,
      ]);
    },
  );

  test('an image whose path is wrong is one fault', async () => {
    const files = createSiteFiles((config) =>
      Object.assign(config.images as object, { logo: 'https://cdn.example/logo.svg' }),
    );
    expect(await faultsOf(files)).toEqual([
      expect.stringMatching(/images\.logo must be a path inside the site folder/),
    ]);
  });

  test('may name images that are not there, are empty, or are none', async () => {
    const files = await createSiteFiles(
      (config) =>
        Object.assign(config.images as object, {
          logo: 'images/none.svg',
          promo: 'site.json',
          share: 'images/empty.png',
        }),
      { 'images/empty.png': '' },
    );
    expect(await faultsOf(files)).toEqual([
      expect.stringMatching(
        /: images\.logo must be an image in the site folder, got "images\/none\.svg": there is no such file$/,
      ),
      expect.stringMatching(/: images\.promo must be an image \(\.svg, .*\), got "site\.json"$/),
      expect.stringMatching(
        /: images\.share must be an image in the site folder, got "images\/empty\.png": the file is empty \(the key may be left out\)$/,
      ),
    ]);
  });

  test('may exempt what is no range', async () => {
    const files = await createSiteFiles((config) =>
      Object.assign(config, { limits: { exempt: ['198.51.100.0/24', '198.51.100.*', '2001:db8::/32'] } }),
    );
    expect(await faultsOf(files)).toEqual([
      expect.stringMatching(
        /: limits\.exempt\[1\] must be a range such as "10\.0\.0\.0\/8", got "198\.51\.100\.\*"$/,
      ),
    ]);
  });

  test('may trust a proxy that is no range, or have a target that no address can name', async () => {
    const files = await createSiteFiles(
      (config) => Object.assign(config, { network: { trustedProxies: ['10.0.0.0/8', '10.0.0.0/99'] } }),
      {
        'json/urls/a b.json': '{"a": "a.example"}',
        'json/urls/deep/x.json': 'ignored',
        'json/urls/notes.txt': 'ignored',
      },
    );
    expect(await faultsOf(files)).toEqual([
      expect.stringMatching(
        /: network\.trustedProxies\[1\] must be a range such as "10\.0\.0\.0\/8", got "10\.0\.0\.0\/99"$/,
      ),
      'json/urls/a b.json: the name of a target must be 1 to 64 letters, digits, "-" or "_", got "a b"',
    ]);
  });
});

describe('a site that restricts regions', () => {
  const faultsWith = async (network: Record<string, unknown>): Promise<readonly string[]> => {
    const files = await createSiteFiles((config) => {
      Object.assign(config, { network });
      Object.assign(config.compliance as object, { restrictedRegions: ['GB'] });
    });
    return faultsOf(files);
  };

  test('is refused where nothing could ever tell a country', async () => {
    const fault = expect.stringContaining('compliance.restrictedRegions needs a way to tell');
    expect(await faultsWith({})).toEqual([fault]);
    expect(await faultsWith({ unknownRegion: 'open' })).toEqual([fault]);
    // A header is believed from trusted proxies only, and there is none.
    expect(await faultsWith({ countryHeader: 'CF-IPCountry' })).toEqual([fault]);
  });

  test('is in order with a file of countries, or with a header and a proxy that sends it', async () => {
    expect(await faultsWith({ mmdb: ['countries.mmdb'] })).toEqual([]);
    expect(await faultsWith({ countryHeader: 'CF-IPCountry', trustedProxies: ['10.0.0.0/8'] })).toEqual([]);
  });
});

describe('what differs by language', () => {
  test('has images for each language, with their better formats, and names the one that is missing', async () => {
    const files = await createSiteFiles((config) => {
      Object.assign(config.images as object, {
        logo: { default: 'images/logo.svg', en: 'images/nope.svg' },
        promo: { 'zh-CN': 'images/promo.svg', en: 'images/banner-mobile.webp' },
      });
    }, {});
    expect(await faultsOf(files)).toEqual([
      expect.stringMatching(
        /^site\.json:1:\d+: images\.logo\.en must be an image in the site folder, got "images\/nope\.svg": there is no such file$/,
      ),
    ]);
    const { site } = parseSite(
      await createSiteFiles((config) =>
        Object.assign(config.images as object, {
          bannerMobile: { default: 'images/logo.svg', en: 'images/banner-mobile.webp' },
        }),
      ),
    );
    expect([...(site?.images.keys() ?? [])]).toEqual(
      expect.arrayContaining(['images/logo.svg', 'images/banner-mobile.webp', 'images/banner-mobile.avif']),
    );
  });

  test('is checked against the languages of the site, in both files', async () => {
    const files = await createSiteFiles(
      (config) => {
        config.locales = ['vi', 'en'];
        (config.brand as { name: unknown }).name = { default: 'Polaris', 'zh-CN': '北辰' };
        delete config.defaultLocale;
        delete config.announcement;
      },
      { 'json/link.json': '{"ub": {"en": "https://a.example/", "th": "https://b.example/"}}' },
    );
    const { warnings } = parseSite(files);
    expect(await faultsOf(files)).toEqual([
      expect.stringMatching(
        /: brand\.name\.zh-CN is not in locales: add it there, or write one of default, vi, en$/,
      ),
    ]);
    expect(warnings.slice(0, 2).map((fault) => writeSiteFault(fault, 'en'))).toEqual([
      'json/link.json:1:37: ub.th is not in locales: add it there, or write one of default, vi, en',
      'json/link.json:1:2: ub.default is missing: write "ub": { "default": "…" }',
    ]);
  });
});

describe('a bad link', () => {
  test('is a warning that names it: it costs its own control and nothing else', async () => {
    const links = JSON.stringify({
      ub: 'javascript:alert(1)',
      esb: 'https://ok.example/',
      wallet: 5,
      more: 'x',
    });
    const { site, warnings } = parseSite(await createSiteFiles(undefined, { 'json/link.json': links }));
    expect(site?.links).toEqual({ esb: 'https://ok.example/' });
    expect(warnings.map((fault) => writeCodedFault(fault, 'en'))).toEqual([
      'json/link.json:1:2: ub must be a link that starts with https:, http:, got "javascript:alert(1)" [invalid-value]',
      'json/link.json:1:57: wallet must be a link that starts with https:, http:, or an object by language such as { "default": "…", "en": "…" }, got 5 [invalid-value]',
      'json/link.json:1:1: telegram is missing: write "telegram": "…" [missing-key]',
      'json/link.json:1:1: service is missing: write "service": "…" [missing-key]',
      'json/link.json:1:68: more is not a known key: write one of ub, esb, wallet, telegram, service [unknown-key]',
    ]);
  });
});

test.each(['{}', '{ }\n'])('a target without a host (%j) is a warning, and is not there', async (text) => {
  const files = await createSiteFiles(undefined, { 'json/urls/go.json': text });
  const { site, warnings } = parseSite(files);
  expect(warnings.map((fault) => writeCodedFault(fault, 'en'))).toEqual([
    'json/urls/go.json:1:1: the file must name at least one host: { "a": "line1.example" } [invalid-value]',
  ]);
  expect([...(site?.targets.keys() ?? [])]).toEqual(['localhost']);
});

/** Every text in an object, however deep. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
