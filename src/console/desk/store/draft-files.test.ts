import { describe, expect, test } from 'vitest';
import { SITE_FILE, chooseName, editsFor, updateValue } from './draft-files.ts';

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
  if (change.kind !== 'edit') throw new Error('it is an edit');
  const place = ['alerts', 'rules', 0, 'to'];
  const edits = (to: unknown) => change.makeEdits(site({ alerts: { rules: [{ to }] } }));
  expect(edits([])).toEqual([{ path: place, value: ['night'] }]);
  // Meanwhile, "day" was chosen.
  expect(edits(['day'])).toEqual([{ path: place, value: ['day', 'night'] }]);
  expect(edits(['night'])).toEqual([]);
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
