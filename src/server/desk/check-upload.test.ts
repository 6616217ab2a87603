import { describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { createSiteFiles } from '../testing/site-files.ts';
import { checkFileContent, checkFilePath, findSvgFault } from './check-upload.ts';

describe('the name of a file', () => {
  test.each(['site.json', 'json/link.json', 'json/urls/go.json', 'images/logo.svg', 'images/a-b_c.1.webp'])(
    'may be %s',
    (path) => {
      expect(() => checkFilePath(path)).not.toThrow();
    },
  );

  test.each([
    '../site.json',
    'images/../../x.svg',
    '/etc/x.json',
    'images//x.svg',
    'images/.hidden.svg',
    '.git/x.json',
    'images/a\nb.svg',
    'images/a b.svg',
    'images\\x.svg',
    'images/x.svg\0.png',
    'country.mmdb',
    'index.html',
    'images/x',
    '',
    `images/${'x'.repeat(200)}.svg`,
  ])('cannot be %j', (path) => {
    expect(() => checkFilePath(path)).toThrow(
      /^The name of a file must be a path such as "images\/logo.svg"/,
    );
  });
});

describe('an SVG image', () => {
  const wrap = (inside: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inside}</svg>`;

  test('of the demo brand is taken', async () => {
    const images = [...(await createSiteFiles())].filter(([path]) => path.endsWith('.svg'));
    expect(images.length).toBeGreaterThan(3);
    for (const [path, bytes] of images)
      expect([path, findSvgFault(String(bytes))]).toEqual([path, undefined]);
  });

  test.each([
    '<defs><linearGradient id="a"/></defs><rect fill="url(#a)" style="stroke: url(#a)"/>',
    '<use xlink:href="#a"/><image href="data:image/png;base64,AAAA"/>',
    '<style>.a { fill: #fff }</style><text>url(https://a.example) \\ on</text>',
  ])('may hold %s', (inside) => {
    expect(findSvgFault(wrap(inside))).toBeUndefined();
  });

  test.each([
    '<script>alert(1)</script>',
    '<SCRIPT/>',
    '<g><script xlink:href="data:text/javascript,1"/></g>',
    '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
    '<x:p xmlns:x="http://www.w3.org/1999/xhtml">a piece of a page</x:p>',
    '<rect onload="alert(1)"/>',
    '<rect ONCLICK="alert(1)"/>',
    '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
    '<a href="javascript:alert(1)"><rect/></a>',
    '<a xlink:href=" https://a.example/"><rect/></a>',
    '<image href="https://a.example/x.png"/>',
    '<image href="data:image/svg+xml;base64,AAAA"/>',
    '<use href="other.svg#a"/>',
    '<rect style="fill: url(https://a.example/#a)"/>',
    '<rect fill="url(//a.example/#a)"/>',
    '<style>@import "https://a.example/x.css";</style>',
    '<style>.a { fill: u\\72l(https://a.example) }</style>',
    '<style><![CDATA[.a { background: url(https://a.example) }]]></style>',
    '<style>@imp<!-- -->ort "https://a.example/x.css";</style>',
    '<style>@imp<![CDATA[ort "https://a.example/x.css";]]></style>',
    '<style>.a { fill: ur<![CDATA[]]>l(https://a.example) }</style>',
    '<style>@imp<g/>ort "https://a.example/x.css";</style>',
    '<style>&#64;import "https://a.example/x.css";</style>',
    '<a><set attributeName="href" to="javascript:alert(1)"/></a>',
    '<animate attributeName="href" values="javascript:alert(1)"/>',
    '<?xml-stylesheet href="https://a.example/x.css"?>',
    '<rect>',
  ])('cannot hold %s', (inside) => {
    expect(findSvgFault(wrap(inside))).toBeDefined();
  });

  test.each([
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>',
    '<svg/>',
    '<html xmlns="http://www.w3.org/1999/xhtml"/>',
    'no image at all',
    '',
  ])('is not %j', (text) => {
    expect(findSvgFault(text)).toBeDefined();
  });
});

test('an SVG image is nested at most 256 deep, and a deeper one is not read to its end', () => {
  const nest = (levels: number, inside = '') =>
    `<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(levels)}${inside}${'</g>'.repeat(levels)}</svg>`;
  expect(findSvgFault(nest(255))).toBeUndefined();
  // What is deeper inside is never looked at.
  expect(findSvgFault(nest(256, '<script/>'))).toEqual({ kind: 'svg-depth', most: 256 });
  expect(findSvgFault(nest(700_000))).toEqual({ kind: 'svg-depth', most: 256 });
});

describe('the content of a file', () => {
  const make = (width: number) => sharp({ create: { width, height: 2, channels: 3, background: '#fff' } });

  test('is what its name says', async () => {
    for (const [ending, bytes] of [
      ['png', await make(2).png().toBuffer()],
      ['jpg', await make(2).jpeg().toBuffer()],
      ['webp', await make(2).webp().toBuffer()],
      ['avif', await make(2).avif().toBuffer()],
      ['gif', await make(2).gif().toBuffer()],
    ] as const) {
      expect(() => checkFileContent(`images/x.${ending}`, bytes)).not.toThrow();
      expect(() => checkFileContent('images/x.ico', bytes)).toThrow('images/x.ico: it is no ICO image.');
    }
    const page = Buffer.from('<html><script>alert(1)</script></html>');
    expect(() => checkFileContent('images/x.png', page)).toThrow('images/x.png: it is no PNG image.');
  });

  test('is no picture of more pixels than a browser can hold', async () => {
    const wide = await make(8_193).png().toBuffer();
    expect(() => checkFileContent('images/x.png', wide)).toThrow(
      '8193 × 2 pixels, and each side may have 8192',
    );
  });

  test.each([
    `width='1000000000' height="10"`,
    `width="1e9" height="10"`,
    `width="10" height="100000cm"`,
    `width="8193"`,
    `height=" 8193px "`,
    `viewBox='0 0 10 8193'`,
    `width="8000" viewBox="0 0 1 2"`,
  ])('is no drawing of that size: %s', (attributes) => {
    const svg = Buffer.from(
      `<!--${'x'.repeat(5_000)}--><svg ${attributes} xmlns="http://www.w3.org/2000/svg"/>`,
    );
    expect(() => checkFileContent('images/x.svg', svg)).toThrow('pixels, and each side may have 8192');
  });

  test('is no drawing that holds a picture of more pixels', async () => {
    const wide = await make(8_193).png().toBuffer();
    const image = `<image href="data:image/png;base64,${wide.toString('base64')}"/>`;
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${image}</svg>`);
    expect(() => checkFileContent('images/x.svg', svg)).toThrow('8193 × 2 pixels');
  });

  test('is no JSON with more than 50,000 values', () => {
    const list = (values: number) => Buffer.from(`[${Array.from({ length: values }, () => 1).join(',')}]`);
    expect(() => checkFileContent('site.json', list(50_000))).not.toThrow();
    expect(() => checkFileContent('site.json', list(50_001))).toThrow('may hold at most 50,000 values');
  });

  test('is no JSON that is nested a million deep', () => {
    const bomb = Buffer.from('['.repeat(1_000_000));
    expect(() => checkFileContent('site.json', bomb)).toThrow('lists and objects may be nested 64 deep');
    const flat = Buffer.from(JSON.stringify({ a: '[{'.repeat(1_000) }));
    expect(() => checkFileContent('site.json', flat)).not.toThrow();
  });
});
