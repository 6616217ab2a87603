import { expect, test } from 'vitest';
import { createFetchAhead, writeSpeculationRules } from './create-fetch-ahead.ts';

function openPage(connection?: { readonly saveData?: boolean }) {
  const links: { href?: string }[] = [];
  const document = {
    createElement: () => ({}),
    documentElement: { append: (link: { href?: string }) => links.push(link) },
  };
  // As much of a page as it asks for.
  const fetchAhead = createFetchAhead({ document, navigator: { connection } } as unknown as Window);
  return { fetchAhead, hrefs: () => links.map(({ href }) => href) };
}

test('two documents are fetched ahead in a visit, and no third one', () => {
  const { fetchAhead, hrefs } = openPage({ saveData: false });
  for (const host of ['a', 'b', 'c']) fetchAhead(`https://${host}.example`);
  expect(hrefs()).toEqual(['https://a.example', 'https://b.example']);
});

test('nothing is fetched ahead for a visitor who saves data', () => {
  const { fetchAhead, hrefs } = openPage({ saveData: true });
  fetchAhead('https://a.example');
  expect(hrefs()).toEqual([]);
});

test('a browser that does not tell how it is connected fetches ahead', () => {
  const { fetchAhead, hrefs } = openPage();
  fetchAhead('https://a.example');
  expect(hrefs()).toHaveLength(1);
});

test('lines do not get the referrer of a page that only fetches ahead', () => {
  const { prefetch } = JSON.parse(writeSpeculationRules()) as { prefetch: readonly object[] };
  expect(prefetch).toEqual([
    { where: { selector_matches: 'html>a' }, eagerness: 'immediate', referrer_policy: 'no-referrer' },
  ]);
});
