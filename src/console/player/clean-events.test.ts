import { expect, test } from 'vitest';
import { cleanEvents } from './clean-events.ts';
import type { RecordedEvent } from './messages.ts';

const HERE = 'https://console.example';
const meta = (href: string, width = 390): RecordedEvent => ({
  type: 4,
  timestamp: 1,
  data: { href, width, height: 780 },
});
const snapshot = (...childNodes: readonly object[]): RecordedEvent => ({
  type: 2,
  timestamp: 2,
  data: { node: { type: 0, childNodes }, initialOffset: { top: 0, left: 0 } },
});
const element = (tagName: string, attributes: object = {}): object => ({
  type: 2,
  tagName,
  attributes,
  childNodes: [],
  id: 7,
});
/** What becomes of an element. */
const clean = (tagName: string, attributes: object = {}): unknown =>
  cleanEvents([meta('https://brand.example/'), snapshot(element(tagName, attributes))], HERE)[1];

test('images of the site come from here, in attributes, lists of sources and styles', () => {
  const [, played] = cleanEvents(
    [
      meta('https://brand.example/?lang=en'),
      snapshot(
        element('img', { src: 'https://brand.example/site/images/a.1234567890.webp' }),
        element('source', {
          srcset: 'https://brand.example/site/a.avif 1x, https://brand.example/site/b.avif 2x',
        }),
        element('style', { _cssText: 'a { background: url("https://brand.example/site/c.png"); }' }),
      ),
    ],
    HERE,
  );
  expect(played).toEqual(
    snapshot(
      element('img', { src: `${HERE}/site/images/a.1234567890.webp` }),
      element('source', { srcset: `${HERE}/site/a.avif 1x, ${HERE}/site/b.avif 2x` }),
      element('style', { _cssText: `a { background: url("${HERE}/site/c.png"); }` }),
    ),
  );
});

test.each(['script', 'SCRIPT', 'link', 'meta', 'base', 'iframe', 'object', 'video'])(
  'a <%s> is nothing any more',
  (tagName) => {
    expect(clean(tagName, { rel: 'preconnect', href: 'https://attacker.example', src: 'x' })).toEqual(
      snapshot(element('noscript')),
    );
  },
);

test('the rules of a style sheet stay, without its address', () => {
  expect(clean('link', { _cssText: 'a{}', rel: 'stylesheet', href: 'https://attacker.example' })).toEqual(
    snapshot(element('link', { _cssText: 'a{}' })),
  );
});

test('no attribute runs, loads or leads anywhere', () => {
  const hostile = {
    onclick: 'run()',
    ONERROR: 'run()',
    srcdoc: '<script>',
    formaction: 'https://attacker.example',
    src: 'https://attacker.example/site/a.png',
    srcset: '//attacker.example/a.png',
    poster: '/api/console/segments/a/b',
    background: `${HERE}/api/console/segments/a/b`,
  };
  expect(clean('img', { ...hostile, class: 'row' })).toEqual(snapshot(element('img', { class: 'row' })));
  expect(clean('a', { href: 'javascript:run()' })).toEqual(snapshot(element('a', { href: '#' })));
  expect(clean('use', { href: '#icon' })).toEqual(snapshot(element('use', { href: '#icon' })));
});

test.each([
  ['src', '/site/../logout'],
  ['src', '/site/%2e%2e/logout'],
  ['src', '/site/.%2E/api/console/overview'],
  ['srcset', '/site/a.png 1x, /logout 2x'],
  ['srcset', '/site/a.png 1x,/logout 2x'],
])('an image asks for nothing but images: %s of %s', (name, paths) => {
  const written = paths.replaceAll(/(^|[ ,])\//g, '$1https://brand.example/');
  expect(clean('img', { [name]: written })).toEqual(snapshot(element('img')));
});

test('what a browser would turn into a text is no way around', () => {
  const hidden = { ...element('link', { rel: 'preconnect', href: ['https://attacker.example'] }) };
  const played = (node: object) => cleanEvents([snapshot(node)], HERE)[0];
  expect(played({ ...hidden, tagName: ['link'] })).toEqual(snapshot(element('noscript')));
  expect(played({ ...hidden, tagName: { toString: 'link' } })).toEqual(snapshot(element('noscript')));
  expect(clean('a', { href: ['https://attacker.example'], class: ['row'], hidden: true })).toEqual(
    snapshot(element('a', { hidden: true })),
  );
  expect(clean('p', { style: { color: ['red', 'important'], top: false } })).toEqual(
    snapshot(element('p', { style: { color: ['red', 'important'], top: false } })),
  );
});

test('images come from here if the page itself loaded them, and from no other origin that a recording names', () => {
  const image = (host: string) => element('img', { src: `https://${host}/site/a.png` });
  const recording = [
    meta('about:blank'),
    meta('https://brand.example/'),
    meta('https://other.example/'),
    snapshot(image('brand.example'), image('other.example')),
  ];
  expect(cleanEvents(recording, HERE)[3]).toEqual(snapshot(image('console.example'), element('img')));
});

test('a change of attributes is cleaned like a snapshot', () => {
  const change = (attributes: object): RecordedEvent => ({
    type: 3,
    timestamp: 3,
    data: { source: 0, attributes: [{ id: 7, attributes }], adds: [], removes: [], texts: [] },
  });
  const [played] = cleanEvents(
    [change({ href: 'https://attacker.example', onload: 'x', hidden: null })],
    HERE,
  );
  expect(played).toEqual(change({ href: '#', hidden: null }));
});

test('what shows nothing of a page is left out', () => {
  const others: readonly RecordedEvent[] = [
    { type: 5, timestamp: 3, data: { tag: 'x' } },
    { type: 6, timestamp: 3, data: { plugin: 'x' } },
    { type: 3, timestamp: 3, data: { source: 9 } },
    { type: 3, timestamp: 3, data: { source: 10, fontSource: 'url(https://attacker.example)' } },
    { type: 3, timestamp: 3, data: { source: 0, isAttachIframe: true } },
    { type: 3, timestamp: 3 },
  ];
  expect(cleanEvents(others, HERE)).toEqual([]);
});

test('a page is not larger than any screen', () => {
  expect(cleanEvents([meta('about:blank', 1e12), meta('http://[', -1)], HERE)).toEqual([
    meta('about:blank', 10_000),
    meta('http://[', 1),
  ]);
});
