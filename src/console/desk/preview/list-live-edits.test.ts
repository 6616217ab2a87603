import { expect, test } from 'vitest';
import { listLiveEdits } from './list-live-edits.ts';

const JSON_FILES = { 'site.json': { texts: { en: { heroTitle: 'Old' } }, theme: { accent: '#111111' } } };
const typedIn = (entries: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, { value, problem: undefined }]));

test('what is typed into texts and colours is shown, and nothing else', () => {
  const typed = typedIn({
    'site.json ["texts","en","heroTitle"]': ' New ',
    'site.json ["texts","en","service"]': 'Help',
    'site.json ["lines","marker"]': 'x',
    'site.json ["announcement","en","text"]': 'Hello',
    'site.json ["announcement","en","from"]': '2026-12-01T08:00',
    'add lines': 'line9.example',
    theme: { accent: '#222222', text: '#eeeeee' },
  });
  expect(listLiveEdits({ json: JSON_FILES, typed })).toEqual([
    { path: ['texts', 'en', 'heroTitle'], value: 'New' },
    { path: ['texts', 'en', 'service'], value: 'Help' },
    { path: ['announcement', 'en', 'text'], value: 'Hello' },
    { path: ['theme', 'accent'], value: '#222222' },
    { path: ['theme', 'text'], value: '#eeeeee' },
  ]);
});

test('an emptied text is the default again, and an unchanged one is no edit', () => {
  const name = 'site.json ["texts","en","heroTitle"]';
  expect(listLiveEdits({ json: JSON_FILES, typed: typedIn({ [name]: '' }) })).toEqual([{ path: ['texts'] }]);
  expect(listLiveEdits({ json: JSON_FILES, typed: typedIn({ [name]: 'Old' }) })).toEqual([]);
});
