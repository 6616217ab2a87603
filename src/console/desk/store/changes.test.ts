import { describe, expect, test } from 'vitest';
import { changeValue, editsFor, makeEdits, updateValue } from './changes.ts';
import { SITE_FILE, chooseName } from './draft-files.ts';

const site = (json: unknown) => ({ [SITE_FILE]: json });
const at = (...path: (string | number)[]) => ({ file: SITE_FILE, path });

test('a name is put into its list or taken out, and the others stay as they are now', () => {
  const offered = ['day', 'night', 'office'];
  expect(chooseName(['night', 5, 'gone'], { name: 'day', isChosen: true, offered })).toEqual([
    'day',
    'night',
  ]);
  expect(chooseName(['day', 'night'], { name: 'day', isChosen: false, offered })).toEqual(['night']);
});

test('a change that is made of a value is made of the one that is there when it is sent', () => {
  const change = updateValue(at('alerts', 'rules', 0, 'to'), (present) =>
    chooseName(present, { name: 'night', isChosen: true, offered: ['day', 'night'] }),
  );
  const place = ['alerts', 'rules', 0, 'to'];
  const made = site({ alerts: { rules: [{ to: [] }] } });
  const edits = (to: unknown) => makeEdits(change, { made, now: site({ alerts: { rules: [{ to }] } }) });
  expect(edits([])).toEqual([{ path: place, value: ['night'] }]);
  // Meanwhile, "day" was chosen.
  expect(edits(['day'])).toEqual([{ path: place, value: ['day', 'night'] }]);
  expect(edits(['night'])).toEqual([]);
});

describe('a change of an item of a list', () => {
  const made = site({ rules: [{ a: 1 }, { a: 2 }, { a: 3 }] });
  const edits = (...rules: readonly object[]) =>
    makeEdits(changeValue(at('rules', 1, 'b'), 'x'), { made, now: site({ rules }) });

  test.each<[string, number, object[]]>([
    ['is made where the item is', 1, [{ a: 1 }, { a: 2 }, { a: 3 }]],
    ['follows the item when one before it is removed', 0, [{ a: 2 }, { a: 3 }]],
    ['follows the item when one is put in before it', 2, [{ a: 0 }, { a: 1 }, { a: 2 }, { a: 3 }]],
    ['finds the item where it was if only its content has changed', 1, [{ a: 1 }, { a: 2, c: 1 }, { a: 3 }]],
  ])('%s', (_, index, rules) => {
    expect(edits(...rules)).toEqual([{ path: ['rules', index, 'b'], value: 'x' }]);
  });

  test('is not made if the item is gone, whatever is in its place', () => {
    expect(edits({ a: 1 }, { a: 3 })).toBe(undefined);
    expect(edits({ a: 1 }, { a: 3 }, { a: 4 })).toBe(undefined);
    expect(edits()).toBe(undefined);
  });

  test('is made of a list in a list, too', () => {
    const step = { afterMinutes: 10 };
    const now = site({ rules: [{ steps: [{ afterMinutes: 5 }, step] }] });
    const change = changeValue(at('rules', 1, 'steps', 0, 'to'), 'x');
    expect(makeEdits(change, { made: site({ rules: [{}, { steps: [step] }] }), now })).toBe(undefined);
    const before = site({ rules: [{ steps: [step] }] });
    expect(makeEdits(changeValue(at('rules', 0, 'steps', 0, 'to'), 'x'), { made: before, now })).toEqual([
      { path: ['rules', 0, 'steps', 1, 'to'], value: 'x' },
    ]);
  });
});

describe('editsFor', () => {
  test('puts a value at its place, and changes nothing that is so already', () => {
    const json = site({ lines: { marker: 'a' } });
    expect(editsFor(json, at('lines', 'health', 'path'), '/health')).toEqual([
      { path: ['lines', 'health', 'path'], value: '/health' },
    ]);
    expect(editsFor(json, at('lines', 'marker'), 'a')).toEqual([]);
    expect(editsFor(json, at('lines', 'health', 'path'), undefined)).toEqual([]);
  });

  test('removes a value, and what would be left empty around it', () => {
    const json = site({
      lines: { marker: 'a', health: { path: '/health' } },
      maintenance: [{ reason: 'move' }],
      theme: { accent: '#ffffff', text: '#000000' },
    });
    expect(editsFor(json, at('lines', 'health', 'path'), undefined)).toEqual([{ path: ['lines', 'health'] }]);
    expect(editsFor(json, at('maintenance', 0, 'reason'), undefined)).toEqual([{ path: ['maintenance'] }]);
    expect(editsFor(json, at('theme', 'accent'), undefined)).toEqual([{ path: ['theme', 'accent'] }]);
  });

  test('never removes a whole file', () => {
    expect(editsFor(site({ start: 'inline' }), at('start'), undefined)).toEqual([{ path: ['start'] }]);
  });
});
