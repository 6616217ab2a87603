import { expect, test } from 'vitest';
import { describeChange } from '../../contract/desk/site-change.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { describeDifference } from './describe-difference.ts';

type Config = Record<string, any>;

async function tell(before: (config: Config) => void, after: (config: Config) => void, more = {}) {
  const [old, next] = [await createSiteFiles(before), await createSiteFiles(after, more)];
  return describeDifference(old, next).map(describeChange);
}
const nothing = () => undefined;

test('says what has changed in the words of the product', async () => {
  const setLines = (hosts: unknown[]) => (config: Config) => void (config.lines.hosts = hosts);
  expect(
    await tell(
      setLines(['a.example', 'b.example', { host: 'c.example', weight: 1 }]),
      setLines(['b.example', { host: 'c.example', weight: 2, noWWW: true }, 'd.example']),
    ),
  ).toEqual([
    'line 2 (c.example): weight 1 → 2',
    'line 2 (c.example): noWWW true added',
    'line 3: d.example added',
    'line 1: a.example removed',
  ]);
  expect(
    await tell(setLines(['a.example', 'b.example']), setLines(['b.example', { host: 'a.example' }])),
  ).toEqual(['lines: in another order']);
});

test('names the language', async () => {
  expect(
    await tell(
      (config) => {
        config.brand.name = { default: 'A', en: 'B' };
        config.announcement = {};
      },
      (config) => {
        config.brand.name = { default: 'A', en: 'C' };
        config.announcement = { 'zh-CN': { text: 'hello' } };
        config.texts = { en: { retest: 'Again' } };
      },
    ),
  ).toEqual(['brand.name (en): "B" → "C"', 'announcement (zh-CN): added', expect.stringMatching(/^texts/)]);
});

test('names images, links and targets', async () => {
  const logo = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  const changes = await tell(nothing, nothing, {
    'images/logo.svg': logo,
    'images/unused.svg': logo,
    'json/urls/go.json': '{"a":"line1.example"}',
    'json/urls/localhost.json': '{"a":"line1.example"}',
    'json/link.json': '{"service":"https://help.example/"}',
  });
  expect(changes).toContain('images/unused.svg: added');
  expect(changes).toContain('json/urls/go.json: added');
  expect(changes).toContain('link ub: removed');
  expect(changes.some((change) => change.startsWith('image logo: '))).toBe(true);
  expect(changes.some((change) => change.startsWith('json/urls/localhost.json a: '))).toBe(true);
});

test('is silent about white space and the order of keys, and shortens what is long', async () => {
  const files = await createSiteFiles();
  const config = JSON.parse(String(files.get('site.json')));
  const reversed = Object.fromEntries(Object.entries(config).toReversed());
  const other = new Map([...files, ['site.json', Buffer.from(JSON.stringify(reversed, null, 8))]]);
  expect(describeDifference(files, other)).toEqual([]);
  const [change = ''] = await tell(nothing, (long) => void (long.brand.copyright = 'x'.repeat(5_000)));
  expect(change.length).toBeLessThan(300);
});

test('takes a file that is no JSON as a whole', async () => {
  const files = await createSiteFiles();
  const broken = new Map([...files, ['site.json', Buffer.from('{')]]);
  expect(describeDifference(files, broken).map(describeChange)).toEqual(['site.json: replaced']);
});
