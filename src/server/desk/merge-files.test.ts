import { describe, expect, test } from 'vitest';
import { mergeFiles } from './merge-files.ts';

const files = (content: Record<string, unknown>) =>
  new Map(
    Object.entries(content).map(([path, value]) => [
      path,
      Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    ]),
  );
const site = (value: unknown) => files({ 'site.json': value });

function merge(base: object, theirs: object, mine: object, keep?: 'mine' | 'theirs') {
  const merged = mergeFiles({ base: site(base), theirs: site(theirs), mine: site(mine) }, keep);
  return { value: JSON.parse(String(merged.files.get('site.json'))), conflicts: merged.conflicts };
}

describe('two drafts of one version', () => {
  test('that touch other values are both there', () => {
    expect(
      merge({ a: { x: 1, y: 1 }, b: 1 }, { a: { x: 2, y: 1 }, b: 1 }, { a: { x: 1, y: 3 }, c: 4 }),
    ).toEqual({
      value: { a: { x: 2, y: 3 }, c: 4 },
      conflicts: [],
    });
  });

  test('that say the same are no conflict', () => {
    expect(merge({ a: 1 }, { a: 2, b: 1 }, { a: 2, b: 1 })).toEqual({ value: { a: 2, b: 1 }, conflicts: [] });
  });

  test.each([
    ['both changed', { a: 1, k: 0 }, { a: 2, k: 0 }, { a: 3, k: 1 }, { mine: 3, theirs: 2 }],
    ['removed and changed', { a: 1, k: 0 }, { k: 0 }, { a: 3, k: 1 }, { mine: 3, theirs: undefined }],
    ['changed and removed', { a: 1, k: 0 }, { a: 2, k: 0 }, { k: 1 }, { mine: undefined, theirs: 2 }],
    ['both added', { k: 0 }, { a: 2, k: 0 }, { a: 3, k: 1 }, { mine: 3, theirs: 2 }],
  ])('name a value that was %s, and keep what they are told to', (_name, base, theirs, mine, kept) => {
    for (const keep of ['mine', 'theirs'] as const) {
      const { value, conflicts } = merge(base, theirs, mine, keep);
      expect([value.a, value.k, conflicts]).toEqual([kept[keep], 1, [{ file: 'site.json', path: 'a' }]]);
    }
  });

  test('may each add, remove and change lines', () => {
    const lines = (...hosts: unknown[]) => ({ lines: { hosts } });
    expect(
      merge(
        lines('a', 'b', 'c'),
        lines('a', { host: 'c', weight: 2 }, 'e'),
        lines({ host: 'a', noWWW: true }, 'b', 'c', 'd'),
      ),
    ).toEqual({
      value: lines({ host: 'a', noWWW: true }, { host: 'c', weight: 2 }, 'e', 'd'),
      conflicts: [],
    });
    const changed = merge(lines('a'), lines({ host: 'a', weight: 2 }), lines({ host: 'a', weight: 3 }));
    expect(changed.conflicts).toEqual([{ file: 'site.json', path: 'lines.hosts' }]);
    const reordered = merge(lines('a', 'b'), lines('a', 'b', 'c'), lines('b', 'a'));
    expect(reordered.conflicts).toEqual([{ file: 'site.json', path: 'lines.hosts' }]);
  });

  test('conflict in an image that both replaced, and in nothing else', () => {
    const base = files({ 'a.svg': '1', 'b.svg': '1', 'c.svg': '1' });
    const theirs = files({ 'a.svg': '2', 'b.svg': '2', 'c.svg': '1' });
    const mine = files({ 'a.svg': '3', 'b.svg': '1', 'd.svg': '4' });
    const merged = mergeFiles({ base, theirs, mine });
    expect(merged.conflicts).toEqual([{ file: 'a.svg', path: '' }]);
    const texts = Object.fromEntries([...merged.files].map(([path, bytes]) => [path, String(bytes)]));
    expect(texts).toEqual({ 'a.svg': '2', 'b.svg': '2', 'd.svg': '4' });
    expect(String(mergeFiles({ base, theirs, mine }, 'mine').files.get('a.svg'))).toBe('3');
  });
});
