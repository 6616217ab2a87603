import { describe, expect, test } from 'vitest';
import { createSiteFiles } from '../testing/site-files.ts';
import { parseSite } from './parse-site.ts';
import type { SiteFiles } from './read-site-folder.ts';

async function faultsOf(files: SiteFiles | Promise<SiteFiles>): Promise<readonly string[]> {
  const { site, faults } = parseSite(await files);
  expect(site === undefined).toBe(faults.length > 0);
  return faults;
}

describe('the demo brand', () => {
  test('has no fault and no warning', async () => {
    const { faults, warnings } = parseSite(await createSiteFiles());
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
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
        /^site\.json: lines\.hosts\[1\] must be a host such as "line1\.example".*, got "https:\/\/a\.b\/c"$/,
      ),
      expect.stringMatching(/^site\.json: compliance must be .*, it is missing$/),
      'site.json: colour is not a known key',
      'json/link.json: the file must be an object of links',
      expect.stringMatching(
        /^json\/urls\/bad\.json: a must be a host such as "app1\.example": .*, got "x y"$/,
      ),
    ]);
  });

  test('may lack a file, or have one that is cut off', async () => {
    const files = new Map(await createSiteFiles());
    files.delete('json/link.json');
    files.set('site.json', files.get('site.json')?.subarray(0, 100) ?? Buffer.alloc(0));
    expect(await faultsOf(files)).toEqual([
      expect.stringMatching(/^site\.json: the file must be JSON: /),
      'json/link.json: the file is missing',
    ]);
    expect(await faultsOf(createSiteFiles(undefined, { 'json/urls/x.json': 'null' }))).toEqual([
      expect.stringMatching(/^json\/urls\/x\.json: the file must be an? object/i),
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
      'site.json: images.logo must be an image in the site folder, got "images/none.svg": there is no such file',
      expect.stringMatching(/^site\.json: images\.promo must be an image \(\.svg, .*\), got "site\.json"$/),
      'site.json: images.share must be an image in the site folder, got "images/empty.png": the file is empty',
    ]);
  });

  test('may trust a proxy that is no range, or have a target that no address can name', async () => {
    const files = await createSiteFiles(
      (config) => Object.assign(config, { network: { trustedProxies: ['10.0.0.0/8', '10.0.0.0/99'] } }),
      { 'json/urls/a b.json': '{}', 'json/urls/deep/x.json': 'ignored', 'json/urls/notes.txt': 'ignored' },
    );
    expect(await faultsOf(files)).toEqual([
      'site.json: network.trustedProxies[1] must be a range such as "10.0.0.0/8", got "10.0.0.0/99"',
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
    expect(warnings.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'json/link.json: ub',
      'json/link.json: wallet',
      'json/link.json: telegram',
      'json/link.json: service',
      'json/link.json: more',
    ]);
  });
});
