import { expect, test } from 'vitest';
import { describeFact, describeRule, tellFault, writeCodedFault } from './describe-site-fault.ts';
import type { Fact, Rule } from './site-fault.ts';

type ByKind<Said extends { readonly kind: string }> = {
  readonly [Kind in Said['kind']]: readonly Omit<Extract<Said, { readonly kind: Kind }>, 'kind'>[];
};

const RANGE = { least: 1, most: 400 };
const SIZE = { most: 1_000, found: 2_345 };
const MEANT = { known: ['ub', 'esb'], meant: 'ub' };
const UNKNOWN = { known: ['ub', 'esb'] };
const IMAGE = { image: 'images/a.png', width: 9, height: 1 };

/** Values for every rule. A rule without any does not compile. */
const RULES: ByKind<Rule> = {
  text: [{}],
  'not-empty': [{}],
  'no-control-characters': [{}],
  'no-half-characters': [{}],
  'one-line': [{}],
  ascii: [{}],
  boolean: [{}],
  'number-above-0': [{}],
  count: [{}],
  number: [RANGE],
  'whole-number': [RANGE],
  port: [{}],
  'one-of': [{ choices: ['a', 'b', 'c'] }],
  list: [{}, { example: '["GB"]' }],
  'at-least-one': [{ of: 'host' }, { of: 'mail' }],
  'at-most': [{ most: 9, of: 'language' }],
  exactly: [{ most: 4, of: 'channel' }],
  items: [{ most: 1_000 }],
  characters: [{ most: 200 }],
  object: [{ keys: [] }, { keys: ['host', 'weight'] }],
  'not-valid': [{}],
  missing: [
    { example: '"a": "…"', choices: [] },
    { example: '"kind": "…"', choices: ['mail', 'webhook'] },
  ],
  twice: [{}],
  'unknown-key': [MEANT, UNKNOWN],
  'person-name': [{}],
  'json-schema': [{}],
  'session-id': [{}],
  day: [{}],
  erasure: [{}],
  'language-tag': [{}],
  'language-spelling': [{ write: 'pt-BR' }],
  'no-language': [{}, { meant: 'vi' }],
  'unknown-language': [
    { ...MEANT, isLanguage: true },
    { ...UNKNOWN, isLanguage: true },
    { ...MEANT, isLanguage: false },
    { ...UNKNOWN, isLanguage: false },
  ],
  'text-key': [{}, { meant: 'title' }],
  country: [{}],
  'union-of-countries': [{}],
  'country-spelling': [{ write: 'GB' }],
  'no-country': [{}],
  moment: [{}],
  'after-from': [{}],
  colour: [{}, { write: '#aabbcc' }],
  download: [MEANT, UNKNOWN],
  'offline-days': [{ most: 1 }],
  'mail-address': [{}],
  'web-url': [{}],
  'empty-or-web-url': [{}],
  'intake-url': [{}],
  link: [{ schemes: ['https:', 'tg:'] }],
  'header-name': [{}],
  path: [{}],
  range: [{}],
  network: [{}],
  hostname: [{}],
  host: [{}],
  'line-entry': [{}],
  'host-scheme': [{ scheme: 'ftp' }],
  'broken-scheme': [{ write: 'http://a.example' }],
  'more-than-host': [
    { part: 'user', write: 'a.example' },
    { part: 'fragment', write: 'a.example' },
  ],
  'host-comma': [{}],
  'host-space': [{}],
  'host-port': [{ port: '99999' }],
  'plain-host': [{}],
  'not-a-line': [{}],
  'json-value': [{}],
  'text-or-json': [{}],
  'links-file': [{}],
  'target-file': [{}],
  'empty-target': [{}],
  'image-path': [{}],
  'image-type': [{ types: ['.png', '.svg'] }],
  'image-file': [
    { path: 'images/a.png', isEmpty: true, isOptional: false },
    { path: 'images/a.png', isEmpty: false, isOptional: true },
  ],
  'qr-code': [
    { image: 'images/a.png', link: 'https://a.example/', name: 'wallet' },
    { image: 'images/a.png', link: 'https://a.example/', name: 'wallet', found: 'https://b.example/' },
  ],
  'image-shape': [{ ...IMAGE, ...RANGE }],
  'image-too-small': [IMAGE],
  'campaign-code': [{}],
  'campaign-to': [{}],
  'link-name': [MEANT, UNKNOWN],
  'known-target': [MEANT, UNKNOWN, { known: [] }],
  'campaign-path': [{}],
  'campaign-needs-line': [{}],
  'campaign-condition': [{}],
  'campaign-never': [{}],
  'link-missing': [{ name: 'ub' }],
  'image-too-large': [{ image: 'images/a.png', ...SIZE }],
  'channel-object': [{}],
  'channel-kind': [{}],
  'time-zone': [{}],
  name: [{}],
  'name-taken': [{}],
  'known-channel': [{ known: [] }, { known: ['night'] }],
  'mail-channel': [{ known: [] }, { known: ['office'] }],
  secret: [{}],
  'json-template': [{}],
  placeholder: [
    { name: 'titel', ...MEANT },
    { name: 'moon', ...UNKNOWN },
  ],
  chat: [{}],
  'mail-server': [{}],
  'incident-kind': [UNKNOWN],
  reminder: [{ least: 5 }],
  hours: [{}],
  'mmdb-path': [{}],
  'mmdb-missing': [{ path: 'a.mmdb', at: '/site/a.mmdb' }],
  'mmdb-unreadable': [{ path: 'a.mmdb', reason: '' }],
  'mmdb-useless': [{ path: 'a.mmdb' }],
  'mmdb-one-family': [{ path: 'a.mmdb', has: 'IPv4', lacks: 'IPv6' }],
  'mmdb-damaged': [{ path: 'a.mmdb', address: '203.0.113.0' }],
  'needs-countries': [{}],
  'needs-country-file': [{}],
  'needs-systems': [{}],
  'needs-system-file': [{}],
  'missing-texts': [{ names: ['title'], all: 80, instead: ['vi', 'en'] }],
  'unknown-braces': [{ names: ['{moon}'], known: ['{brand}'] }],
  'unseen-logo': [{ image: 'images/logo.svg', background: '#ffffff', seen: 20 }],
  contrast: [{ colour: '#aabbcc', background: '#aabbdd', ratio: '1.1', least: 4.5 }],
  'tight-limit': [{ limit: 5, least: 60 }],
  'wide-exemption': [{ range: '0.0.0.0/0' }],
  'wide-proxies': [{ range: '0.0.0.0/0' }],
};

const FACTS: ByKind<Fact> = {
  'no-path': [{}],
  'no-folder': [{}],
  'file-for-folder': [{}],
  'too-many-files': [{ most: 2_000 }],
  'not-a-file': [{ found: 'pipe' }, { found: 'folder' }],
  'file-too-large': [SIZE],
  'link-to-itself': [{}],
  'link-back': [{}],
  'file-missing': [{}],
  'json-too-large': [SIZE],
  'all-json-too-large': [SIZE],
  'json-too-deep': [{ most: 64 }],
  'too-many-values': [{ most: 100_000 }],
  'not-utf8': [{}],
  'byte-order-mark': [{}],
  'empty-file': [{}],
  'long-key': [{ most: 200 }],
  'broken-json': [
    { expected: 'comma' },
    { expected: 'no-comment', token: '//', line: '// 5' },
    { expected: 'symbol', token: '5a', line: '5a' },
  ],
  'full-width-sign': [{ sign: '，', write: ',', line: '5，' }],
  'target-name': [{ name: 'a b' }],
  'more-faults': [{ most: 100 }],
  'not-loaded': [{ reason: '5' }],
  'no-answer': [{}],
  'demo-content': [{ names: ['brand.name'] }],
  'reserved-names': [{ names: ['a.example'] }],
  'both-schemes': [{ names: ['a.example'] }],
};

const HAN = /\p{Script=Han}/u;
/** Two words in a row that are neither quoted nor a name. */
const ENGLISH = /(?<![\w"“./:-])(?!JSON Schema)[a-z]{2,} [a-z]{2,}(?![\w"”./:-])/i;

function list<Said extends { readonly kind: string }>(samples: ByKind<Said>): readonly Said[] {
  return Object.entries<readonly object[]>(samples).flatMap(([kind, all]) =>
    all.map((values) => ({ kind, ...values }) as unknown as Said),
  );
}

test.each(list(RULES))('a rule is said in both languages: %j', (rule) => {
  expect(describeRule(rule, 'en')).not.toMatch(/[。，：]|undefined/);
  expect(describeRule(rule, 'zh-CN')).toMatch(HAN);
  expect(describeRule(rule, 'zh-CN')).not.toMatch(/undefined/);
  expect(describeRule(rule, 'zh-CN')).not.toMatch(ENGLISH);
});

test.each(list(FACTS))('a fact is said in both languages: %j', (fact) => {
  expect(describeFact(fact, 'en')).not.toMatch(/undefined/);
  expect(describeFact(fact, 'zh-CN')).toMatch(HAN);
  expect(describeFact(fact, 'zh-CN')).not.toMatch(/undefined/);
  expect(describeFact(fact, 'zh-CN')).not.toMatch(ENGLISH);
});

test('a fault begins with its place in the file and ends in its code', () => {
  const place = { file: 'site.json', path: ['lines', 'ports', 0], line: 12, column: 5 };
  const fault = { code: 'invalid-value', values: { rule: { kind: 'port' }, got: '0' }, place } as const;
  expect(writeCodedFault(fault, 'en')).toBe(
    'site.json:12:5: lines.ports[0] must be a port from 1 to 65535, got 0 [invalid-value]',
  );
  expect(writeCodedFault(fault, 'zh-CN')).toBe(
    'site.json:12:5: lines.ports[0] 须为 1 到 65535 之间的端口，现为 0 [invalid-value]',
  );
});

test('the console is told of a fault in all its languages', () => {
  const fault = { code: 'missing-file', values: { fact: { kind: 'file-missing' } } } as const;
  expect(tellFault(fault)).toEqual({
    code: 'missing-file',
    sentences: { en: 'the file is missing', 'zh-CN': '缺少此文件' },
  });
});

test('one choice stands alone, and the last of several follows "or"', () => {
  const say = (...choices: string[]) => describeRule({ kind: 'one-of', choices }, 'en');
  expect(say('a')).toBe('must be "a"');
  expect(say('a', 'b', 'c')).toBe('must be "a", "b" or "c"');
});
