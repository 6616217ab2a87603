import { expect, test } from 'vitest';
import { contrast } from '../../../contract/site/colours.ts';
import { createSiteFiles } from '../../testing/site-files.ts';
import { createTestConsole } from '../../testing/test-console.ts';
import { writeColours } from './brand-routes.ts';

test('the sign-in page carries the name, the logo and the colours of the live site, for a stranger', async () => {
  const files = await createSiteFiles((config) => {
    config['brand'] = { ...(config['brand'] as object), name: { default: '北辰', en: 'Lumo <b>' } };
    config['theme'] = { accent: '#5ec28f', background: '#101010' };
  });
  const { ask } = await createTestConsole({ files, mustSignIn: true });
  const { text } = await ask('/', { headers: { 'accept-language': 'en' } });
  expect(text).toContain('<img src="/brand/logo?lang=en" alt="Lumo &lt;b&gt;"');
  expect(text).toContain('<title>Lumo &lt;b&gt; · ');
  expect(text).toContain('<link rel="stylesheet" href="/brand/colours.css"');
  expect((await ask('/', { headers: { 'accept-language': 'zh-CN' } })).text).toContain('alt="北辰"');
  const colours = await ask('/brand/colours.css');
  expect(colours.text).toContain('--brand-accent: #5ec28f;');
  expect(colours.headers['content-type']).toBe('text/css; charset=utf-8');
});

test('the logo is an image that runs nothing, and no other file of the site comes with it', async () => {
  const { ask } = await createTestConsole({ mustSignIn: true });
  const { status, headers } = await ask('/brand/logo?lang=xx');
  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect((await ask('/site/images/logo.svg')).status).toBe(401);
});

test.each([
  [{ accent: '#ffffff', background: '#ffffff', text: '#ffffff' }],
  [{ accent: '#777777', background: '#777777', text: '#777777' }],
  [{ accent: '#e0b34c', background: '#0a0f1a' }],
  [{}],
])('texts can be read on the colours %j', (theme) => {
  const css = writeColours({ theme: { beams: false, ...theme } });
  const find = (name: string) => new RegExp(`--brand-${name}: (#\\w{6});`).exec(css)?.[1] ?? '';
  expect(contrast(find('text'), find('ground'))).toBeGreaterThanOrEqual(4.5);
  expect(contrast(find('on-accent'), find('accent'))).toBeGreaterThanOrEqual(4.5);
});
