import { expect, test } from 'vitest';
import { createSettings } from './create-settings.ts';

function createBrowser(kept: Record<string, string> = {}) {
  const cookies: string[] = [];
  const storage = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => {
      kept[key] = value;
    },
  };
  return {
    kept,
    cookies,
    setCookie: (cookie: string) => void cookies.push(cookie),
    openStorage: () => storage,
  };
}

test('what the operator chose is shown at once, and is remembered', () => {
  const browser = createBrowser();
  const settings = createSettings({ language: 'en', theme: 'system', ...browser });
  expect(settings.getSnapshot()).toEqual({ language: 'en', zone: 'browser', theme: 'system' });
  let changes = 0;
  settings.subscribe(() => {
    changes += 1;
  });
  settings.change({ language: 'zh-CN' });
  expect([settings.getSnapshot(), changes]).toEqual([
    { language: 'zh-CN', zone: 'browser', theme: 'system' },
    1,
  ]);
  expect(browser.cookies).toEqual([
    'waypost.console-language=zh-CN; Path=/; Max-Age=31536000; SameSite=Strict',
  ]);
  // Only what was chosen: the zone still follows the browser.
  expect(browser.kept).toEqual({});
  settings.change({ zone: 'utc' });
  settings.change({ theme: 'dark' });
  expect(browser.cookies.slice(1)).toEqual([
    'waypost.console-theme=dark; Path=/; Max-Age=31536000; SameSite=Strict',
  ]);
  expect(createSettings({ language: 'zh-CN', theme: 'dark', ...browser }).getSnapshot()).toEqual({
    language: 'zh-CN',
    zone: 'utc',
    theme: 'dark',
  });
});

test('what is kept there by somebody else is no zone', () => {
  const settings = createSettings({
    language: 'en',
    theme: 'system',
    ...createBrowser({ 'waypost.console-zone': 'mars' }),
  });
  expect(settings.getSnapshot()).toEqual({ language: 'en', zone: 'browser', theme: 'system' });
});

test('a browser that blocks storage has a console all the same', () => {
  const openStorage = () => {
    throw new Error('blocked');
  };
  const settings = createSettings({ language: 'en', theme: 'system', ...createBrowser(), openStorage });
  settings.change({ zone: 'utc' });
  expect(settings.getSnapshot()).toEqual({ language: 'en', zone: 'utc', theme: 'system' });
});
