import { expect, test } from 'vitest';
import { createSettings } from './create-settings.ts';

function createStorage(kept: Record<string, string> = {}) {
  return {
    kept,
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => {
      kept[key] = value;
    },
  };
}

test.each<[readonly string[], string]>([
  [['zh-CN', 'en'], 'zh-CN'],
  [['zh-TW'], 'zh-CN'],
  [['zh'], 'zh-CN'],
  [['en-US', 'zh-CN'], 'en'],
  [['de-DE', 'zh-HK', 'en'], 'zh-CN'],
  [['de-DE'], 'en'],
  [[], 'en'],
])('a browser that prefers %o gets %s', (languages, expected) => {
  const settings = createSettings({ languages, openStorage: () => createStorage() });
  expect(settings.getSnapshot()).toEqual({ language: expected, zone: 'browser' });
});

test('what the operator chose is shown at once, and is remembered', () => {
  const storage = createStorage();
  const sources = { languages: ['en'], openStorage: () => storage };
  const settings = createSettings(sources);
  let changes = 0;
  settings.subscribe(() => {
    changes += 1;
  });
  settings.change({ language: 'zh-CN' });
  expect([settings.getSnapshot(), changes]).toEqual([{ language: 'zh-CN', zone: 'browser' }, 1]);
  // Only what was chosen: the zone still follows the browser.
  expect(storage.kept).toEqual({ 'waypost.console-language': 'zh-CN' });
  settings.change({ zone: 'utc' });
  expect(createSettings(sources).getSnapshot()).toEqual({ language: 'zh-CN', zone: 'utc' });
});

test('what is kept there by somebody else is no language', () => {
  const kept = { 'waypost.console-language': 'tlh', 'waypost.console-zone': 'mars' };
  const settings = createSettings({ languages: ['zh'], openStorage: () => createStorage(kept) });
  expect(settings.getSnapshot()).toEqual({ language: 'zh-CN', zone: 'browser' });
});

test('a browser that blocks storage has a console all the same', () => {
  const openStorage = () => {
    throw new Error('blocked');
  };
  const settings = createSettings({ languages: ['en'], openStorage });
  settings.change({ zone: 'utc' });
  expect(settings.getSnapshot()).toEqual({ language: 'en', zone: 'utc' });
});
