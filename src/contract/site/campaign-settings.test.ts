import * as v from 'valibot';
import { expect, test } from 'vitest';
import { describeSiteFault } from '../faults/describe-site-fault.ts';
import { createCampaignsSchema } from './campaign-settings.ts';
import { findJsonFaults } from './find-json-faults.ts';
import { DEFAULT_LANGUAGES } from './locales.ts';

const schema = createCampaignsSchema(DEFAULT_LANGUAGES);
const SPRING = {
  name: 'Spring cup',
  to: 'line',
  path: '/promo/spring',
  query: { utm_source: 'channel' },
  from: '2026-12-01T08:00+08:00',
  until: '2026-12-31T23:59+08:00',
  by: [
    { device: ['ios'], to: 'link:ub' },
    { country: ['SG'], path: '/promo/sg' },
  ],
  title: { default: '春季杯', en: 'Spring cup' },
  description: 'Play',
  image: 'images/spring.webp',
};

/** The faults of one campaign, each with its place. */
function check(campaign: object, code = 'spring'): readonly string[] {
  const { issues = [] } = v.safeParse(schema, { [code]: campaign });
  return findJsonFaults(schema, issues).map(({ path, ...fault }) =>
    describeSiteFault({ ...fault, place: { file: 'site.json', path } }, 'en'),
  );
}

test('a campaign needs a name only: it ends at a line then', () => {
  expect(v.parse(schema, { spring: { name: 'Spring cup' } })).toEqual({
    spring: { name: 'Spring cup', to: 'line', by: [] },
  });
});

test('takes a campaign with every key', () => {
  expect(check(SPRING)).toEqual([]);
  for (const to of ['landing', 'target:app_1', 'link:telegram', 'link:service']) {
    expect(check({ name: 'a', to })).toEqual([]);
  }
});

test.each(['Spring', 'a_b', '', 'a'.repeat(41), 'a/b'])('refuses the code %j', (code) => {
  expect(check({ name: 'a' }, code)).toEqual([
    expect.stringContaining('must be a code of 1 to 40 small letters, digits and -, such as "spring-cup"'),
  ]);
});

test.each(['https://evil.example/', '//evil.example', 'target:', 'target:a/b', '/r', 'link', 'landing '])(
  'ends nowhere else: %j',
  (to) => {
    expect(check({ name: 'a', to })).toEqual([
      `spring.to must be "line", "landing", "target:NAME" (a file of json/urls) or "link:NAME" (a link of json/link.json), got ${JSON.stringify(to)}`,
    ]);
  },
);

test('says which link was probably meant', () => {
  expect(check({ name: 'a', to: 'link:walet' })).toEqual([
    'spring.to must be "link:NAME" with the name of a link: did you mean "wallet"?, got "link:walet"',
  ]);
});

test.each([
  'promo',
  '//evil.example',
  String.raw`/\evil.example`,
  '/a?b=c',
  '/a#b',
  '/a b',
  '/../x',
  '/a/..',
  '/a\u0000',
])('refuses the path %j', (path) => {
  expect(check({ name: 'a', path })).toEqual([
    expect.stringContaining('must be a path such as "/promo/spring"'),
  ]);
});

test('takes paths of every script, with what a path may have', () => {
  for (const path of ['/', '/优惠', '/a/b.html', '/a;b=1,2', '/a/...', '/.well-known/x', '/%20']) {
    expect(check({ name: 'a', path })).toEqual([]);
  }
});

test.each([
  ['the same condition twice', [{ device: ['ios'] }, { device: ['ios'], path: '/x' }], 1],
  ['a country after its device', [{ device: ['ios'] }, { device: ['ios'], country: ['SG'] }], 1],
  [
    'all devices, one by one',
    [{ device: ['ios'] }, { device: ['android', 'desktop'] }, { country: ['SG'] }],
    2,
  ],
  ['two countries, each covered', [{ country: ['SG'] }, { country: ['MY'] }, { country: ['MY', 'SG'] }], 2],
])('names a rule that can never fit: %s', (_, by, index) => {
  expect(check({ name: 'a', by })).toEqual([
    expect.stringContaining(
      `spring.by[${index}] can never fit, because the rules before it fit all of its visitors`,
    ),
  ]);
});

test('takes rules of which each fits somebody', () => {
  const by = [
    { device: ['ios'], country: ['SG'] },
    { device: ['ios'] },
    { country: ['SG'] },
    { device: ['android', 'ios'] },
    { country: ['SG', 'MY'] },
  ];
  expect(check({ name: 'a', by })).toEqual([]);
});

test('refuses a rule that fits everybody, or names nothing or one thing twice', () => {
  expect(check({ name: 'a', by: [{ path: '/x' }] })).toEqual([
    expect.stringContaining('spring.by[0] fits every visitor: name a device or a country'),
  ]);
  expect(check({ name: 'a', by: [{ device: [] }] })).toEqual([
    'spring.by[0].device must name at least one device, got []',
  ]);
  expect(check({ name: 'a', by: [{ country: ['SG', 'SG'] }] })).toEqual([
    'spring.by[0].country[1] is there twice: remove one, got "SG"',
  ]);
  expect(check({ name: 'a', by: [{ device: ['iphone'] }] })).toEqual([
    'spring.by[0].device[0] must be "ios", "android" or "desktop", got "iphone"',
  ]);
});

test('refuses a path or a query that nothing would use', () => {
  const rest = 'is for links that end at a line: take it out, or write "to": "line"';
  expect(check({ name: 'a', to: 'landing', path: '/x', query: { a: 'b' } })).toEqual([
    expect.stringContaining(`spring.path ${rest}`),
    expect.stringContaining(`spring.query ${rest}`),
  ]);
  expect(check({ name: 'a', by: [{ device: ['ios'], to: 'link:ub', path: '/x' }] })).toEqual([
    expect.stringContaining(`spring.by[0].path ${rest}`),
  ]);
  // A rule may end at a line although the campaign does not.
  expect(check({ name: 'a', to: 'landing', path: '/x', by: [{ device: ['ios'], to: 'line' }] })).toEqual([]);
});

test('refuses an end before the beginning, and more than a campaign may hold', () => {
  expect(check({ ...SPRING, until: '2026-11-01T08:00+08:00' })).toEqual([
    expect.stringContaining('spring.until must be later than "from"'),
  ]);
  const keys = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 'v']));
  expect(check({ name: 'a', query: keys })).toEqual([expect.stringContaining('may have at most 20 items')]);
  expect(check({ name: 'a', query: { a: 'x'.repeat(201) } })).toEqual([
    expect.stringContaining('spring.query.a may have at most 200 characters'),
  ]);
});
