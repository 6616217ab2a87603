import { expect, test } from 'vitest';
import { writeCodedFault } from '../../contract/faults/describe-site-fault.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { findWarnings } from './check/find-warnings.ts';
import { parseSite } from './parse-site.ts';

type Json = Record<string, unknown>;

async function parse(campaigns: object, change: (config: Json) => void = () => undefined) {
  const files = await createSiteFiles((config) => {
    config['campaigns'] = campaigns;
    change(config);
  });
  const { site, faults, warnings } = parseSite(files);
  const write = (fault: (typeof faults)[number]): string =>
    writeCodedFault(fault, 'en').replace(/^site\.json:1:\d+: /, '');
  return { site, faults: faults.map(write), warnings: warnings.map(write) };
}

test('a target that the site does not have is named, with the one that was probably meant', async () => {
  const { faults } = await parse({
    a: { name: 'a', to: 'target:locahost' },
    b: { name: 'b', by: [{ device: ['ios'], to: 'target:nothing' }] },
    c: { name: 'c', to: 'target:localhost' },
  });
  expect(faults).toEqual([
    'campaigns.a.to must be "target:NAME" with the name of a file of json/urls: did you mean "localhost"?, got "target:locahost" [invalid-value]',
    'campaigns.b.by[0].to must be "target:NAME" with the name of a file of json/urls: write one of localhost, got "target:nothing" [invalid-value]',
  ]);
});

test('an image that is not there is named', async () => {
  const { faults } = await parse({
    a: { name: 'a', image: { default: 'images/share.jpg', en: 'images/x.png' } },
  });
  expect(faults).toEqual([
    'campaigns.a.image.en must be an image in the site folder, got "images/x.png": there is no such file (the key may be left out) [unusable-image]',
  ]);
});

test('rules by country need a way to tell countries', async () => {
  const campaigns = { a: { name: 'a', by: [{ country: ['SG'], path: '/sg' }] } };
  const { faults } = await parse(campaigns);
  expect(faults).toEqual([
    expect.stringMatching(
      /^campaigns\.a\.by\[0\]\.country needs a way to tell a caller's country: .* \[no-countries\]$/,
    ),
  ]);
  const { site } = await parse(campaigns, (config) => {
    config['network'] = { countryHeader: 'cf-ipcountry', trustedProxies: ['10.0.0.0/8'] };
  });
  expect(site?.config.campaigns['a']?.by).toEqual([{ country: ['SG'], path: '/sg' }]);
});

test('a link that the links config lacks is a warning: its visitors get the landing page', async () => {
  const files = await createSiteFiles(
    (config) => (config['campaigns'] = { a: { name: 'a', to: 'link:esb' } }),
    {
      'json/link.json': '{"ub": "https://ub.example/"}',
    },
  );
  const { site, warnings } = parseSite(files);
  expect(site).toBeDefined();
  expect(warnings.map(({ code }) => code)).toContain('missing-link');
});

test('a picture of more than 600,000 bytes is a warning', async () => {
  const { site } = await parse({ a: { name: 'a', image: 'images/share.jpg' } });
  if (site === undefined) throw new Error('the site has faults');
  const warn = (bytes: number): readonly string[] =>
    findWarnings({ ...site, images: new Map([['images/share.jpg', Buffer.alloc(bytes)]]) }, site)
      .filter(({ code }) => code === 'large-image')
      .map((fault) => writeCodedFault(fault, 'en'));
  expect(warn(600_000)).toEqual([]);
  expect(warn(600_001)).toEqual([
    'site.json: campaigns.a.image is images/share.jpg with 600,001 bytes: programs that show a link skip pictures above 600,000 bytes [large-image]',
  ]);
});
