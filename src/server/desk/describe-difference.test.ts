import { expect, test } from 'vitest';
import type { JsonEdit } from '../../contract/desk/desk.ts';
import { describeChange } from '../../contract/desk/site-change.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import { describeDifference } from './describe-difference.ts';
import { editJson } from './edit-json.ts';

const set = (...path: string[]) => ({ to: (value: unknown): JsonEdit => ({ path, value }) });

async function edit(...edits: readonly JsonEdit[]): Promise<SiteFiles> {
  const files = await createSiteFiles();
  const text = editJson('site.json', String(files.get('site.json')), edits);
  return new Map([...files, ['site.json', Buffer.from(text)]]);
}

const tell = async (before: Promise<SiteFiles>, after: Promise<SiteFiles>) =>
  describeDifference(await before, await after).map(describeChange);

test('says what has changed in the words of the product', async () => {
  const lines = (...hosts: unknown[]) => edit(set('lines', 'hosts').to(hosts));
  expect(
    await tell(
      lines('a.example', 'b.example', { host: 'c.example', weight: 1 }),
      lines('b.example', { host: 'c.example', weight: 2, noWWW: true }, 'd.example'),
    ),
  ).toEqual([
    'line 2 (c.example): weight 1 → 2',
    'line 2 (c.example): noWWW true added',
    'line 3: d.example added',
    'line 1: a.example removed',
  ]);
  expect(
    await tell(
      lines('a.example', { host: 'b.example', weight: 2 }, 'c.example'),
      lines('c.example', { host: 'd.example', weight: 3 }),
    ),
  ).toEqual([
    'line 2: b.example → d.example',
    'line 2 (d.example): weight 2 → 3',
    'line 1: a.example removed',
  ]);
  expect(await tell(lines('a.example', 'b.example'), lines('b.example', { host: 'a.example' }))).toEqual([
    'lines: in another order',
  ]);
});

test('tells a part that is new or gone by its values', async () => {
  const limited = edit(set('limits').to({ apiPerMinute: 700, exempt: {} }));
  expect(await tell(edit(), limited)).toEqual(['limits.apiPerMinute: 700 added', 'limits.exempt: added']);
  expect(await tell(limited, edit())).toEqual(['limits.apiPerMinute: removed', 'limits.exempt: removed']);
});

test('names the language', async () => {
  const plain = set('announcement').to({});
  expect(
    await tell(
      edit(set('brand', 'name').to({ default: 'A', en: 'B' }), plain),
      edit(
        set('brand', 'name').to({ default: 'A', en: 'C' }),
        set('announcement').to({ 'zh-CN': { text: 'hello' } }),
      ),
    ),
  ).toEqual(['brand.name (en): "B" → "C"', 'announcement.text (zh-CN): "hello" added']);
});

test('names images, links and targets', async () => {
  const logo = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  const more = {
    'images/logo.svg': logo,
    'images/unused.svg': logo,
    'json/urls/go.json': '{"a":"line1.example"}',
    'json/urls/localhost.json': '{"a":"line1.example"}',
    'json/link.json': '{"service":"https://help.example/"}',
  };
  const changes = await tell(
    createSiteFiles(),
    createSiteFiles(() => undefined, more),
  );
  expect(changes).toContain('images/unused.svg: added');
  expect(changes).toContain('json/urls/go.json: added');
  expect(changes).toContain('link ub: removed');
  expect(changes.some((change) => change.startsWith('image logo: '))).toBe(true);
  expect(changes.some((change) => change.startsWith('json/urls/localhost.json a: '))).toBe(true);
});

test('tells of each text of a language that had none', async () => {
  const texts = { en: { retest: 'Again', esbTab: 'Our app' } };
  expect(await tell(edit(set('texts').to({})), edit(set('texts').to(texts)))).toEqual([
    'texts.retest (en): "Again" added',
    'texts.esbTab (en): "Our app" added',
  ]);
});

test('tells of another image as one change, whatever files come and go with it', async () => {
  const use = async (path: string, ...files: readonly string[]): Promise<SiteFiles> =>
    new Map([
      ...(await edit(set('images', 'logo').to(path))),
      ...[path, ...files].map((file) => [file, Buffer.from(file)] as const),
    ]);
  const before = use('images/k-logo.svg');
  const after = use('images/k-logo.png', 'images/k-logo.avif', 'images/k-logo.webp');
  expect(await tell(before, after)).toEqual(['image logo: replaced']);
  expect(await tell(after, before)).toEqual(['image logo: replaced']);
});

test('is silent about white space and the order of keys, and shortens what is long', async () => {
  const files = await createSiteFiles();
  const config = JSON.parse(String(files.get('site.json')));
  const reversed = Object.fromEntries(Object.entries(config).toReversed());
  const other = new Map([...files, ['site.json', Buffer.from(JSON.stringify(reversed, null, 8))]]);
  expect(describeDifference(files, other)).toEqual([]);
  const long = edit(set('brand', 'copyright').to('x'.repeat(5_000)));
  const [change = ''] = await tell(edit(), long);
  expect(change.length).toBeLessThan(300);
});

test('takes a file that is no JSON as a whole', async () => {
  const files = await createSiteFiles();
  const broken = new Map([...files, ['site.json', Buffer.from('{')]]);
  expect(describeDifference(files, broken).map(describeChange)).toEqual(['site.json: replaced']);
});
