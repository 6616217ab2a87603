import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ConsoleOverview } from '../../contract/console.ts';
import { LocaleProvider } from '../locale/locale.ts';
import { sampleLocale } from '../testing/sample-locale.ts';
import { Tiles } from './tiles.tsx';

const NONE = { up: 0, degraded: 0, down: 0, unknown: 0, maintenance: 0 };

function render(hour: Partial<ConsoleOverview['hour']>, backups = NONE): string {
  const overview: ConsoleOverview = {
    at: 0,
    version: 1,
    siteNames: { en: '', 'zh-CN': '' },
    hour: { visitors: 4, reports: 4, entered: 2, p50: null, p95: null, limited: 0, ...hour },
    minutes: { firstMinute: 0, visitors: [], entered: [], p50: [] },
    maintenance: null,
    lines: NONE,
    backups,
    isWatching: true,
    cutOff: null,
    isAnybodyTold: true,
    openIncidents: 0,
    otherIncident: null,
    store: { kind: 'sqlite', isUp: true, since: 0, rewoundAt: null },
    replicas: [],
    site: { version: 1, hash: '', publishedAt: 0, refusal: null },
  };
  const tiles = createElement(Tiles, { overview });
  return renderToStaticMarkup(createElement(LocaleProvider, { value: sampleLocale() }, tiles));
}

test('that visitors entered without a time is not said to be nobody', () => {
  const untimed = render({});
  expect(untimed).toContain('2 of 4 visits that sent a report, from any page');
  expect(untimed).not.toContain('nobody has entered yet');
  expect(untimed).toContain('used a measurement of the last 10 seconds');
  expect(render({ entered: 0 })).toContain('nobody has entered yet');
  expect(render({ p50: 40, p95: 90 })).toContain('95% within 90 ms');
});

test('backups are counted apart from the lines', () => {
  expect(render({}, { ...NONE, up: 3, down: 1 })).toContain('Backups: 3 up, 1 down');
});
