import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ConsoleAccount } from '../../contract/people.ts';
import { LocaleProvider } from '../locale/locale.ts';
import { sampleLocale } from '../testing/sample-locale.ts';
import { SiteSetting } from './site-setting.tsx';

const OWNER: ConsoleAccount = {
  at: 0,
  name: 'mei',
  role: 'owner',
  kind: 'password',
  mayEdit: true,
  recoveryCodes: 10,
  sessions: [],
};

test.each<[who: string, isLed: boolean, account: ConsoleAccount | undefined]>([
  ['an owner', true, OWNER],
  ['an owner who cannot edit here', false, { ...OWNER, mayEdit: false }],
  ['an editor, who would find it locked', false, { ...OWNER, role: 'editor' }],
  ['nobody yet', false, undefined],
])('what turns a view on is told to %s: by a link instead of the key, %s', (_who, isLed, account) => {
  const part = createElement(SiteSetting, { setting: '"analytics"', place: 'settings', account });
  const html = renderToStaticMarkup(createElement(LocaleProvider, { value: sampleLocale() }, part));
  expect(html.includes('&quot;analytics&quot;')).toBe(!isLed);
  expect(html.includes('href="#/site/settings"')).toBe(isLed);
});
