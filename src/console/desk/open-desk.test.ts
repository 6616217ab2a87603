import { readFileSync } from 'node:fs';
import { type ReactElement, createElement } from 'react';
import { prerender } from 'react-dom/static';
import { expect, test } from 'vitest';
import type { ConsoleOverview } from '../../contract/console.ts';
import { CONSOLE_LANGUAGES } from '../../contract/console-language.ts';
import type { CheckEvent } from '../../contract/desk/desk.ts';
import { LocaleProvider } from '../locale/locale.ts';
import { SAMPLE_STATE, done, refused, sampleDeskApi, sampleDraft } from '../testing/sample-desk-api.ts';
import { sampleLocale } from '../testing/sample-locale.ts';
import { CampaignRules } from './campaigns/campaign-rules.tsx';
import { LineSettings } from './lines/line-settings.tsx';
import { Desk, SECTIONS } from './open-desk.tsx';
import type { DeskApi } from './store/create-desk-api.ts';
import { type DraftStore, createDraftStore } from './store/create-draft-store.ts';
import { DeskProvider } from './store/desk-context.ts';

const SITE = readFileSync('site/site.json', 'utf8');
// What the parts read of it.
const OVERVIEW = { at: 0, version: 1, site: { hash: 'a' } } as ConsoleOverview;

const FILES: CheckEvent = {
  kind: 'files',
  faults: [],
  warnings: [],
  knownWarnings: [],
  ownerKeys: [],
  lines: 0,
};

const SETTINGS = createElement(LineSettings, { line: { host: 'a.example' }, onRemove: () => undefined });

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
  const page = createElement(
    LocaleProvider,
    { value: sampleLocale(language) },
    createElement(DeskProvider, { value: { api, store } }, part ?? desk),
  );
  // It waits for parts that are loaded when they are opened. Nothing is put aside for later, however long a part is.
  const { prelude } = await prerender(page, { progressiveChunkSize: Infinity });
  return new Response(prelude).text();
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

test('no line is called not live before the server has said which lines are', async () => {
  const html = await render('lines', 'en');
  expect(html).toContain('data-line=');
  expect(html).not.toContain('not live yet');
});

test('an editor finds what only an owner may change greyed out, with the reason', async () => {
  expect(SAMPLE_STATE.me.role).toBe('editor');
  expect(await render('settings', 'en')).toContain('Only an owner may change this');
});

test.each<[sentence: string, why: string, events: CheckEvent[], answer: ReturnType<DeskApi['check']>]>([
  ['nothing wrong', 'all was checked', [FILES, { kind: 'done', isGood: true }], done(undefined)],
  ['did not finish', 'it was refused', [], refused('store-away', 'It is away.')],
  ['did not finish', 'the server failed', [FILES, { kind: 'done', isGood: false }], done(undefined)],
  ['did not finish', 'the answer was cut off', [FILES], done(undefined)],
])('a check says “%s” if %s', async (sentence, _why, events, answer) => {
  const html = await render('lines', 'en', {
    api: {
      check: (_, onEvent) => {
        for (const event of events) onEvent(event);
        return answer;
      },
    },
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

test('texts on a light background are dark where no colour is set, as on the pages', async () => {
  const site = JSON.stringify({ theme: { background: '#ffffff', accent: '#b3261e' } });
  const html = await render('theme', 'en', { site });
  expect(html).toContain('background:#ffffff;color:#0a0f1a');
  expect(html).not.toContain('People could not see it well');
});

test.each<Pick<Shown, 'part'> & { section: Section; name: string; value: unknown }>([
  { section: 'theme', name: 'theme', value: { accent: '#ffffff' } },
  { section: 'targets', name: 'new target', value: { name: 'x', addresses: 'y' } },
  { section: 'lines', name: 'replace a.example', value: 'b.example' },
  { section: 'lines', name: 'settings a.example', value: { weight: '2' }, part: SETTINGS },
])(
  'what the server refuses in the form “$name” is told in Chinese',
  async ({ section, name, value, part }) => {
    const html = await render(section, 'zh-CN', {
      site: JSON.stringify({ lines: { hosts: ['a.example'] } }),
      api: { edit: () => refused('edit-refused', 'theme must be a text') },
      wantedLine: 'a.example',
      ...(part && { part }),
      act: (store) => {
        store.type(name, value);
        return store.save(name, [
          { kind: 'edit', file: 'site.json', makeEdits: () => [{ path: ['theme'], value: 1 }] },
        ]);
      },
    });
    expect(html).toContain('中文：theme must be a text');
  },
);

test('a fault stands at its line, also behind an entry that is no line', async () => {
  const site = JSON.stringify({ lines: { hosts: [5, 'a.example', 'b.example', {}] } });
  const place = { file: 'site.json', path: ['lines', 'hosts', 1], line: 1, column: 1 };
  const html = await render('lines', 'en', {
    site,
    api: {
      check: (_, onEvent) => {
        const sentences = { en: 'It is wrong', 'zh-CN': '有误' };
        const faults = [{ code: 'invalid-value', sentences, place }] as const;
        onEvent({ kind: 'files', faults, warnings: [], knownWarnings: [], ownerKeys: [], lines: 0 });
        return done(undefined);
      },
    },
    act: (store) => store.check({ lines: false }),
  });
  const [first = '', second = ''] = html.split('data-line=').slice(1);
  expect(first).toContain('It is wrong');
  expect(second).not.toContain('It is wrong');
  // It can be moved up and down.
  expect(first).not.toContain('disabled');
});

const WRONG_RULES = { by: [{ device: 'ios', country: 5, to: [] }, null, { device: ['tablet'] }] };
const RULES = createElement(CampaignRules, {
  code: 'spring',
  campaign: WRONG_RULES,
  ends: { line: 'the fastest line' },
});

test('a rule of a campaign is shown although its values are of another kind', async () => {
  const site = JSON.stringify({ campaigns: { spring: WRONG_RULES } });
  const html = await render('campaigns', 'en', { site, part: RULES });
  for (const sentence of ['1. On any device', '2. On any device', '3. On tablet'])
    expect(html).toContain(`${sentence}: the fastest line`);
});

test('a viewer finds the devices of a rule greyed out, as all other fields', async () => {
  const html = await render('campaigns', 'en', {
    api: { readState: () => done({ ...SAMPLE_STATE, me: { name: 'wei', role: 'viewer' } }) },
    part: RULES,
  });
  const boxes = html.match(/<input[^>]*type="checkbox"[^>]*>/g) ?? [];
  expect(boxes).toHaveLength(9);
  for (const box of boxes) expect(box).toContain('disabled');
});
