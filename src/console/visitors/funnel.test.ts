import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LocaleProvider } from '../locale/locale.ts';
import { sampleLocale } from '../testing/sample-locale.ts';
import { Funnel } from './funnel.tsx';

test('a step on whose way nobody was lost says nothing of it', () => {
  const steps = [310, 310, 284].map((now, step) => ({
    key: String(step),
    name: `step ${step}`,
    count: { now, before: 0 },
  }));
  const funnel = createElement(Funnel, { id: 'way', title: 'The way', steps });
  const html = renderToStaticMarkup(createElement(LocaleProvider, { value: sampleLocale() }, funnel));
  expect(html.match(/−\d+ on the way/g)).toEqual(['−26 on the way']);
});
