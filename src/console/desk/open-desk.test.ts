import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ConsoleOverview } from '../../contract/console.ts';
import { CONSOLE_LANGUAGES } from '../../contract/console.ts';
import { LocaleProvider } from '../locale/locale.ts';
import { SAMPLE_STATE, done, sampleDeskApi, sampleDraft } from '../testing/sample-desk-api.ts';
import { sampleLocale } from '../testing/sample-locale.ts';
import { Desk, SECTIONS } from './open-desk.tsx';
import { createDraftStore } from './store/create-draft-store.ts';
import { DeskProvider } from './store/desk-context.ts';

const SITE = readFileSync('site/site.json', 'utf8');
// What the parts read of it.
const OVERVIEW = { at: 0, version: 1, site: { hash: 'a' } } as ConsoleOverview;

async function render(section: (typeof SECTIONS)[number], language: 'en' | 'zh-CN', site = SITE) {
  const draft = {
    ...sampleDraft({}),
    json: {
      'site.json': site,
      'json/link.json': '{"ub":{"en":"https://a.example"}}',
      'json/urls/a.json': '{"1":"b"}',
    },
  };
  const api = sampleDeskApi({ readDraft: () => done(draft) });
  const store = createDraftStore(api);
  await store.load();
  const desk = createElement(Desk, { section, wantedLine: '', overview: OVERVIEW });
  return renderToStaticMarkup(
    createElement(
      LocaleProvider,
      { value: sampleLocale(language) },
      createElement(DeskProvider, { value: { api, store } }, desk),
    ),
  );
}

test.each(CONSOLE_LANGUAGES.flatMap((language) => SECTIONS.map((section) => ({ language, section }))))(
  'the part $section is shown in $language',
  async ({ section, language }) => {
    const html = await render(section, language);
    expect(html).toContain('aria-current="page"');
    expect(html).not.toMatch(/undefined|\[object|NaN/);
  },
);

test.each(SECTIONS)('the part %s is shown although site.json is broken, or is no object', async (section) => {
  for (const site of ['{', '[]', '"x"', '{"lines":1,"images":[],"texts":"x","announcement":null}']) {
    expect(await render(section, 'en', site)).toContain('aria-current="page"');
  }
});

test('an editor finds what only an owner may change greyed out, with the reason', async () => {
  expect(SAMPLE_STATE.me.role).toBe('editor');
  expect(await render('settings', 'en')).toContain('Only an owner may change this');
});
