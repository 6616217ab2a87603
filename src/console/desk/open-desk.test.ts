import { readFileSync } from 'node:fs';
import { type ReactElement, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ConsoleOverview } from '../../contract/console.ts';
import { CONSOLE_LANGUAGES } from '../../contract/console.ts';
import { LocaleProvider } from '../locale/locale.ts';
import { SAMPLE_STATE, done, refused, sampleDeskApi, sampleDraft } from '../testing/sample-desk-api.ts';
import { sampleLocale } from '../testing/sample-locale.ts';
import { Desk, SECTIONS } from './open-desk.tsx';
import type { DeskApi } from './store/create-desk-api.ts';
import { type DraftStore, createDraftStore } from './store/create-draft-store.ts';
import { DeskProvider } from './store/desk-context.ts';

const SITE = readFileSync('site/site.json', 'utf8');
// What the parts read of it.
const OVERVIEW = { at: 0, version: 1, site: { hash: 'a' } } as ConsoleOverview;

type Section = (typeof SECTIONS)[number];

type Shown = {
  readonly site?: string;
  readonly api?: Partial<DeskApi>;
  /** What the operator has done. */
  readonly act?: (store: DraftStore) => unknown;
  readonly wantedLine?: string;
  /** Shown in the place of the desk. */
  readonly part?: ReactElement;
};

async function render(
  section: Section,
  language: 'en' | 'zh-CN',
  { site = SITE, api: calls, act, wantedLine = '', part }: Shown = {},
) {
  const draft = {
    ...sampleDraft({}),
    json: {
      'site.json': site,
      'json/link.json': '{"ub":{"en":"https://a.example"}}',
      'json/urls/a.json': '{"1":"b"}',
    },
  };
  const api = sampleDeskApi({ readDraft: () => done(draft), ...calls });
  const store = createDraftStore(api);
  await store.load();
  await act?.(store);
  const desk = createElement(Desk, { section, wantedLine, overview: OVERVIEW });
  return renderToStaticMarkup(
    createElement(
      LocaleProvider,
      { value: sampleLocale(language) },
      createElement(DeskProvider, { value: { api, store } }, part ?? desk),
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
    expect(await render(section, 'en', { site })).toContain('aria-current="page"');
  }
});

test('an editor finds what only an owner may change greyed out, with the reason', async () => {
  expect(SAMPLE_STATE.me.role).toBe('editor');
  expect(await render('settings', 'en')).toContain('Only an owner may change this');
});

test.each([
  ['nothing wrong', done(undefined)],
  ['could not be finished', refused('redis-away', 'It is away.')],
])('a check says “%s” when it has ended so', async (sentence, answer) => {
  const html = await render('lines', 'en', {
    api: { check: () => answer },
    act: (store) => store.check({ lines: true }),
  });
  expect(html).toContain(sentence);
  expect(html.includes('nothing wrong')).toBe(sentence === 'nothing wrong');
});

test('a version can be undone until somebody has published another', async () => {
  const version = { ...SAMPLE_STATE.current, number: 4 };
  let live = 3;
  const api: Partial<DeskApi> = {
    readState: () => done({ ...SAMPLE_STATE, current: { ...version, number: live } }),
    publish: () => {
      live = 4;
      return done(version);
    },
  };
  const publish = (store: DraftStore) => store.publish('');
  expect(await render('lines', 'en', { api, act: publish })).toContain('>Undo<');
  const html = await render('lines', 'en', {
    api,
    act: async (store) => {
      await publish(store);
      live = 5;
      await store.load();
    },
  });
  expect(html).toContain('Live as version 4.');
  expect(html).not.toContain('>Undo<');
});
