import { expect, test } from 'vitest';
import { hasRoomForNumbers, layOutMap, nameLines } from './lay-out-map.ts';

const layOut = (room: number, lines: number, zoom: 'fit' | 'numbers' = 'fit') =>
  layOutMap(room, {
    names: Array.from({ length: lines }, (_, line) => `line${line}.example`),
    rows: 50,
    zoom,
  });

test('few lines take the whole width, with level names and numbers', () => {
  expect(layOut(1_200, 4)).toMatchObject({ cellWidth: 300, head: 'level', hasNumbers: true, height: 1_400 });
});

test('twelve lines take the whole width, below slanted names if these are long', () => {
  const { cellWidth, head, overhang, hasNumbers } = layOut(1_160, 12);
  expect([head, hasNumbers]).toEqual(['slanted', true]);
  expect(12 * cellWidth + overhang).toBe(1_160);
  const names = Array.from({ length: 12 }, (_, line) => `line${line}`);
  expect(layOutMap(1_200, { names, rows: 1, zoom: 'fit' })).toMatchObject({ cellWidth: 100, head: 'level' });
});

test('slanted names have as much room as they need', () => {
  const headOf = (name: string) => layOutMap(300, { names: [name, name, name, name], rows: 1, zoom: 'fit' });
  const [short, long] = [headOf('line-1-of-a'), headOf('line-1-of-a-brand')];
  expect([short.head, long.head]).toEqual(['slanted', 'slanted']);
  expect(long.headHeight - short.headHeight).toBeGreaterThan(20);
  expect(long.overhang - short.overhang).toBeGreaterThan(20);
});

test('two hundred lines fit, or have room for their numbers', () => {
  expect(layOut(1_210, 200)).toMatchObject({ cellWidth: 6, head: 'numbers', hasNumbers: false });
  expect(layOut(1_210, 200, 'numbers')).toMatchObject({ cellWidth: 38, head: 'slanted', hasNumbers: true });
  expect([hasRoomForNumbers(1_210, 12), hasRoomForNumbers(1_210, 200)]).toEqual([true, false]);
});

test('what all names end with is left out', () => {
  expect(nameLines(['https://a.play.example:9900', 'b.play.example:9900'])).toEqual(['a', 'b']);
  expect(nameLines(['a.play.example', 'b.other.example'])).toEqual(['a.play', 'b.other']);
  expect(nameLines(['play.example', 'b.play.example'])).toEqual(['play', 'b.play']);
  expect(nameLines(['a.example', 'b.test'])).toEqual(['a.example', 'b.test']);
  expect(nameLines(['a.example'])).toEqual(['a.example']);
});
