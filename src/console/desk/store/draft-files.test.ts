import { describe, expect, test } from 'vitest';
import { SITE_FILE, editsFor } from './draft-files.ts';

const site = (json: unknown) => ({ [SITE_FILE]: json });
const at = (...path: (string | number)[]) => ({ file: SITE_FILE, path });

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
