import { expect, test } from 'vitest';
import {
  addLines,
  editLine,
  keepScheme,
  moveLine,
  readLines,
  readPastedLines,
  removeLine,
} from './line-entries.ts';

const JSON_FILES = {
  'site.json': {
    lines: { hosts: ['a.example', { host: 'b.example', weight: 2, drain: true }, 'c.example'] },
  },
};

test('lines are hosts, or objects with one', () => {
  expect(readLines(JSON_FILES).map(({ line: { host, weight } }) => [host, weight])).toEqual([
    ['a.example', undefined],
    ['b.example', 2],
    ['c.example', undefined],
  ]);
});

test('a line knows its place in the file, also behind an entry that is no line', () => {
  const json = { 'site.json': { lines: { hosts: [5, 'a.example', {}, { host: 'b.example' }] } } };
  expect(readLines(json)).toEqual([
    { line: { host: 'a.example' }, place: 1 },
    { line: { host: 'b.example' }, place: 3 },
  ]);
});

test.each([
  ['d.example', 'http://a.example', 'http://d.example'],
  ['d.example:99', 'HTTP://a.example', 'http://d.example:99'],
  ['https://d.example', 'http://a.example', 'https://d.example'],
  ['d.example', 'https://a.example', 'd.example'],
  ['http://d.example', 'a.example', 'http://d.example'],
])('%s in the place of %s is %s', (host, replaced, entry) => {
  expect(keepScheme(host, replaced)).toBe(entry);
});

test('a replaced line keeps its place and all its settings', () => {
  expect(editLine(JSON_FILES, 'b.example', (line) => ({ ...line, host: 'd.example' }))).toEqual([
    { path: ['lines', 'hosts', 1], value: { host: 'd.example', weight: 2, drain: true } },
  ]);
});

test('a line without settings is its host alone', () => {
  expect(editLine(JSON_FILES, 'a.example', () => ({ host: 'd.example', weight: 1, noWWW: false }))).toEqual([
    { path: ['lines', 'hosts', 0], value: 'd.example' },
  ]);
});

test('a line that is there meanwhile, under either scheme, is not added again', () => {
  expect(addLines(JSON_FILES, ['http://a.example', 'd.example'])).toEqual([
    { path: ['lines', 'hosts', 3], value: 'd.example', insert: true },
  ]);
});

test('a line that is gone meanwhile is not touched', () => {
  expect(editLine(JSON_FILES, 'gone.example', (line) => line)).toEqual([]);
  expect(removeLine(JSON_FILES, 'gone.example')).toEqual([]);
});

test('a line moves by one, and not out of the list', () => {
  expect(moveLine(JSON_FILES, 'b.example', -1)).toEqual([
    { path: ['lines', 'hosts', 1] },
    { path: ['lines', 'hosts', 0], value: { host: 'b.example', weight: 2, drain: true }, insert: true },
  ]);
  expect(moveLine(JSON_FILES, 'a.example', -1)).toEqual([]);
  expect(moveLine(JSON_FILES, 'c.example', 1)).toEqual([]);
});

test('fifty pasted lines are added, and what cannot be read is named', () => {
  const fifty = Array.from({ length: 50 }, (_, index) => `line${index}.example`);
  const pasted = readPastedLines(
    ['https://A.example', 'http://b.example', ...fifty, '', 'line7.example', 'https://x.example/path'].join(
      '\n',
    ),
    readLines(JSON_FILES),
  );
  expect(pasted.hosts).toEqual(fifty);
  expect(pasted.repeated).toEqual(['https://A.example', 'http://b.example', 'line7.example']);
  expect(pasted.unreadable).toEqual(['https://x.example/path']);
  expect(addLines(JSON_FILES, pasted.hosts.slice(0, 2))).toEqual([
    { path: ['lines', 'hosts', 3], value: 'line0.example', insert: true },
    { path: ['lines', 'hosts', 4], value: 'line1.example', insert: true },
  ]);
});
