import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BoardSnapshot } from '../../engine/board/create-line-board.ts';
import type { Row } from '../../engine/board/describe-rows.ts';
import { createStore } from '../../contract/create-store.ts';
import { fetchRowsAhead } from './fetch-rows-ahead.ts';
import { UNMEASURED_BOARD } from './create-idle-hand-over.ts';

/** As much of a link as a pointer meets. */
class FakeLink {
  isHovered = true;
  readonly origin: string;
  constructor(origin: string) {
    this.origin = origin;
  }
  closest = (): this => this;
  matches = (): boolean => this.isHovered;
}

type Pointer = { readonly target: FakeLink; readonly pointerType: string };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('Element', FakeLink);
});
afterEach(() => void vi.unstubAllGlobals());

function open(board: BoardSnapshot = UNMEASURED_BOARD) {
  const store = createStore<BoardSnapshot>(board);
  const hrefs: string[] = [];
  let onPointer: (event: Pointer) => void = () => undefined;
  const page = {
    setTimeout,
    navigator: {},
    document: {
      createElement: () => ({}),
      documentElement: { append: ({ href }: { href: string }) => hrefs.push(href) },
      addEventListener: (_: string, listener: typeof onPointer) => (onPointer = listener),
    },
  };
  fetchRowsAhead(page as unknown as Window & typeof globalThis, { ...store, retest: () => undefined });
  const point = (name: string, pointerType: string): FakeLink => {
    const target = new FakeLink(addressOf(name));
    onPointer({ target, pointerType });
    return target;
  };
  return { hrefs, set: store.set, point };
}

const addressOf = (name: string): string => `https://${name}.example`;

const measured = (name: string, ms: number): Partial<Row> => ({
  address: addressOf(name),
  speed: { key: 'measured', ms },
});
const failed = (name: string): Partial<Row> => ({
  address: addressOf(name),
  speed: { key: 'aboveFiveSeconds' },
  cause: 'wrong-server',
});
const testing = (name: string): Partial<Row> => ({ address: addressOf(name), speed: { key: 'testing' } });

/** A board with these rows, of which the first is the fastest. */
function board(phase: BoardSnapshot['phase'], ...rows: readonly Partial<Row>[]): BoardSnapshot {
  return {
    phase,
    rows: UNMEASURED_BOARD.rows.map((row, index) => ({ ...row, ...rows[index], isFastest: index === 0 })),
  };
}

const SETTLED = board('loading', measured('a', 40), measured('b', 90), failed('c'), measured('d', 160));

test('fetches the fastest row when every row has a result, and not before', () => {
  const { hrefs, set } = open();
  set(board('loading', measured('a', 40), measured('b', 90), failed('c'), testing('d')));
  expect(hrefs).toEqual([]);
  set(SETTLED);
  set({ ...SETTLED, phase: 'ready' });
  expect(hrefs).toEqual(['https://a.example']);
});

test('fetches the fastest row when the loading state has ended, although a row has no result', () => {
  const { hrefs, set } = open();
  set(board('ready', measured('a', 40), testing('b'), testing('c'), testing('d')));
  expect(hrefs).toEqual(['https://a.example']);
});

test('fetches the fastest row where everything was measured before the script came', () => {
  expect(open(SETTLED).hrefs).toEqual(['https://a.example']);
});

test('fetches no row that failed the identity check, not even under a finger', () => {
  const { hrefs, set, point } = open();
  set(board('ready', failed('a'), failed('b'), failed('c'), testing('d')));
  for (const name of ['a', 'b', 'd']) point(name, 'touch');
  expect(hrefs).toEqual([]);
});

test('fetches another row when a mouse has rested on it for 100 ms, and not when it passes', () => {
  const { hrefs, point } = open(SETTLED);
  const passed = point('b', 'mouse');
  vi.advanceTimersByTime(99);
  passed.isHovered = false;
  vi.advanceTimersByTime(1);
  expect(hrefs).toEqual(['https://a.example']);
  point('d', 'mouse');
  vi.advanceTimersByTime(99);
  expect(hrefs).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(hrefs).toEqual(['https://a.example', 'https://d.example']);
});

test('fetches another row as soon as a finger touches it', () => {
  const { hrefs, point } = open(SETTLED);
  point('b', 'touch');
  expect(hrefs).toEqual(['https://a.example', 'https://b.example']);
});

test('fetches each row once, and two in a visit, however often the visitor retests', () => {
  const { hrefs, set, point } = open(SETTLED);
  point('a', 'touch');
  set(UNMEASURED_BOARD);
  set(SETTLED);
  expect(hrefs).toEqual(['https://a.example']);
  set(board('ready', measured('b', 20), measured('a', 40), failed('c'), measured('d', 160)));
  set(board('ready', measured('d', 20), measured('a', 40), failed('c'), measured('b', 160)));
  expect(hrefs).toEqual(['https://a.example', 'https://b.example']);
});

test('fetches nothing in a restricted region', () => {
  expect(open({ phase: 'restricted', rows: [] }).hrefs).toEqual([]);
});
