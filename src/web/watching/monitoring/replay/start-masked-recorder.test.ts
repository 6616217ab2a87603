import { expect, test } from 'vitest';
import { maskAttributes } from './start-masked-recorder.ts';

const image = (alt: string) => ({
  type: 2,
  tagName: 'img',
  attributes: { alt, src: 'https://a.example/b.png' },
});

test('what a page says in attributes is masked, in a snapshot and in a change', () => {
  const snapshot = { type: 2, timestamp: 1, data: { node: { childNodes: [image('my name')] } } };
  expect(maskAttributes(snapshot)).toEqual({
    ...snapshot,
    data: { node: { childNodes: [image('** ****')] } },
  });
  const change = (title: string, href: string) => ({
    type: 3,
    timestamp: 2,
    data: {
      source: 0,
      attributes: [{ id: 4, attributes: { title, href, class: 'row', style: { width: '3%' } } }],
    },
  });
  expect(maskAttributes(change('密码', 'https://b.example'))).toEqual(change('**', '*'.repeat(17)));
});

test('what only styles look at stays', () => {
  const attributes = {
    class: 'tab',
    'data-grade': 'fast',
    'aria-selected': 'true',
    _cssText: 'a{}',
    hidden: null,
  };
  const event = { timestamp: 1, attributes };
  expect(maskAttributes(event)).toEqual(event);
});

test('texts in a style sheet are masked, and its selectors stay', () => {
  const style = (text: string) => `:root { --longest: "${text}"; }[dir="rtl"] .icon { content: ""; }`;
  const event = (text: string) => ({ timestamp: 1, attributes: { _cssText: style(text) } });
  expect(maskAttributes(event('大于20秒'))).toEqual(event('*****'));
});
