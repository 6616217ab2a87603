import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RowLine, assignRows } from './assign-rows.ts';

const FALLBACK = ['w', 'x', 'y', 'z'];
const LINES = new Map('abcdefghwxyz'.split('').map((host) => [host, { host, address: `https://${host}` }]));
/** As the prober: one line a host, and none for a bad one. */
const lineOf = (host: string) => LINES.get(host);
const namesOf = (rows: readonly (RowLine | undefined)[]) =>
  rows.map((row) => row && (row.isBackup ? `(${row.host})` : row.host));
const fill = (
  hosts: readonly string[],
  before: readonly (RowLine | undefined)[] = [],
  shown: readonly (RowLine | undefined)[] = before,
) => assignRows({ before, shown, listed: hosts.map(lineOf), backups: FALLBACK.map(lineOf) });

describe('assignRows', () => {
  test.each([
    [[], ['(w)', '(x)', '(y)', '(z)']],
    [['a'], ['a', '(w)', '(x)', '(y)']],
    [
      ['a', 'b'],
      ['a', 'b', '(w)', '(x)'],
    ],
    [
      ['a', 'b', 'c'],
      ['a', 'b', 'c', '(w)'],
    ],
    [
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd'],
    ],
    [
      ['a', 'b', 'c', 'd', 'e', 'f'],
      ['a', 'b', 'c', 'd'],
    ],
    [
      ['bad', 'a'],
      ['a', '(w)', '(x)', '(y)'],
    ],
    [
      ['a', 'a', 'b'],
      ['a', 'b', '(w)', '(x)'],
    ],
    [
      ['w', 'a'],
      ['w', 'a', '(x)', '(y)'],
    ],
  ])('fills the rows from %j', (hosts, expected) => {
    expect(namesOf(fill(hosts))).toEqual(expected);
  });

  test('keeps a host that is still listed in its row', () => {
    const before = fill(['a', 'b', 'c', 'd']);
    expect(namesOf(fill(['d', 'e', 'b', 'f'], before))).toEqual(['e', 'b', 'f', 'd']);
  });

  test('keeps the hosts that the visitor has seen where more are listed than fit', () => {
    const before = fill(['a', 'b', 'c', 'd']);
    expect(namesOf(fill(['e', 'f', 'g', 'h', 'c', 'a'], before))).toEqual(['a', 'e', 'c', 'f']);
  });

  test('keeps the backup rows that a late list does not replace', () => {
    const before = fill([]);
    expect(namesOf(fill(['a', 'b'], before))).toEqual(['a', 'b', '(y)', '(z)']);
  });

  test('gives a host that is still listed its row back where a backup stood in for it', () => {
    const before = fill(['a', 'b', 'c', 'd']);
    const shown = fill([], before);
    expect(namesOf(shown)).toEqual(['(w)', '(x)', '(y)', '(z)']);
    expect(namesOf(fill(['e', 'c', 'a'], before, shown))).toEqual(['a', 'e', 'c', '(z)']);
  });

  test('keeps a backup in its row that a late list names, too', () => {
    expect(namesOf(fill(['z', 'a', 'x'], [], fill([])))).toEqual(['z', 'x', 'a', '(w)']);
    expect(namesOf(fill(['z', 'y', 'x', 'w'], [], fill([])))).toEqual(['w', 'x', 'y', 'z']);
  });

  test('has listed hosts first and backups after them, no host twice, whatever stood there before', () => {
    const names = fc.array(fc.constantFrom(...'abcdefwxyz'.split(''), 'bad'), { maxLength: 8 });
    fc.assert(
      fc.property(names, names, fc.boolean(), (first, second, isLate) => {
        const before = fill(first);
        const rows = fill(second, before, isLate ? fill([], before) : before);
        expect(rows).toHaveLength(4);
        const listed = new Set(second.filter((name) => name !== 'bad'));
        expect(rows.filter((row) => row && !row.isBackup)).toHaveLength(Math.min(4, listed.size));
        expect(rows.map((row) => row?.isBackup)).toEqual(
          rows.map((row) => row?.isBackup).toSorted((a, b) => Number(a) - Number(b)),
        );
        expect(new Set(rows.map((row) => row?.host)).size).toBe(4);
      }),
    );
  });
});
