import { describe, expect, test } from 'vitest';
import { describeSiteFault } from '../../contract/faults/describe-site-fault.ts';
import { DEFAULT_LANGUAGES } from '../../contract/site/locales.ts';
import { findLinkFaults, readSiteLinks } from './parse-links.ts';

const good = {
  ub: 'https://ub.example/',
  esb: 'http://esb.example/',
  wallet: 'https://wallet.example/',
  telegram: 'tg://resolve?domain=demo',
  service: 'mailto:help@example.com',
};
const faultsOf = (links: object) =>
  findLinkFaults(links, DEFAULT_LANGUAGES).map(({ path, ...fault }) =>
    describeSiteFault({ ...fault, place: { file: 'json/link.json', path } }, 'en'),
  );

describe('json/link.json', () => {
  test('has web links everywhere, and mail and messenger links for service and telegram', () => {
    expect(faultsOf(good)).toEqual([]);
    expect(readSiteLinks(good, DEFAULT_LANGUAGES)).toEqual(good);
  });

  test.each([
    ['ub.example', 'ub must be a link that starts with https:, http:, got "ub.example"'],
    ['javascript:alert(1)', 'ub must be a link that starts with https:, http:, got "javascript:alert(1)"'],
    ['mailto:a@example.com', 'ub must be a link that starts with https:, http:, got "mailto:a@example.com"'],
    [
      7,
      'ub must be a link that starts with https:, http:, or an object by language such as { "default": "…", "en": "…" }, got 7',
    ],
    [undefined, 'ub is missing: write "ub": "…"'],
  ])('is told of %j, and keeps the others', (ub, fault) => {
    const { ub: _, ...others } = good;
    expect(faultsOf({ ...good, ub })).toEqual([fault]);
    expect(readSiteLinks({ ...good, ub }, DEFAULT_LANGUAGES)).toEqual(others);
  });

  test('is told of a key that is no link', () => {
    expect(faultsOf({ ...good, wallett: 'https://wallet.example/' })).toEqual([
      'wallett is not a known key: did you mean "wallet"?',
    ]);
  });

  test('may have links by language, and loses only the bad ones of them', () => {
    const ub = { default: 'https://ub.example/', en: 'https://en.ub.example/' };
    expect(faultsOf({ ...good, ub })).toEqual([]);
    expect(faultsOf({ ...good, ub: { ...ub, en: 'en.ub.example', vi: ub.en } })).toEqual([
      'ub.en must be a link that starts with https:, http:, got "en.ub.example"',
      'ub.vi is not in locales: add it there, or write one of default, zh-CN, zh-TW, en',
    ]);
    expect(readSiteLinks({ ub: { ...ub, 'zh-TW': 7 } }, DEFAULT_LANGUAGES).ub).toEqual({
      kind: 'by-locale',
      fallback: ub.default,
      values: { en: ub.en },
    });
  });
});
