import { expect, test } from 'vitest';
import { nameCode } from './count-lists.tsx';
import { en } from './texts.ts';

test.each([
  ['SG', 'Singapore'],
  ['', 'Unknown'],
  ['other', 'Other'],
  // What another program wrote is no reason to show nothing at all.
  ['not a country', 'not a country'],
])('%j is named %s', (code, name) => {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  expect(nameCode(code, { names, texts: en })).toBe(name);
});
