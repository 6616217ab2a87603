import { formatHost } from '../format/format-names.ts';

/** How the names of the lines stand above their columns. */
export type MapHead = 'level' | 'slanted' | 'numbers';

/** The sizes of the map, in px. */
export type MapLayout = {
  readonly cellWidth: number;
  readonly rowHeight: number;
  readonly head: MapHead;
  /** Above the first row. */
  readonly headHeight: number;
  /** A slanted name reaches beyond the last column. */
  readonly overhang: number;
  readonly hasNumbers: boolean;
  /** Of all cells, whether they are in view or not. */
  readonly width: number;
  readonly height: number;
};

/** The part of the cells that is in view, in px. */
export type MapView = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

/** `fit` has all lines in view; `numbers` has room for the number of each cell, and may have to be scrolled. */
export type MapZoom = 'fit' | 'numbers';

/** Wide enough for "100", or "42" with a cross beside it. */
const NUMBER_WIDTH = 38;
const MIN_CELL_WIDTH = 5;
/** A name fits into a column of its characters, and the gap to the next one. */
const CHAR_WIDTH = 7.2;
const NAME_GAP = 10;
/** Longer names are cut. */
export const MAX_NAME_CHARS = 18;
/** Narrower columns have numbers instead of names. */
const MIN_NAMED_WIDTH = 15;
const ROW_HEIGHT = 28;
const NARROW_ROW_HEIGHT = 22;

/** A slanted name turns by this much. */
export const NAME_ANGLE = -Math.PI / 3.4;

/** The names of the lines, without what all of them end with: "line1" of "line1.play.example". */
export function nameLines(hosts: readonly string[]): readonly string[] {
  const names = hosts.map(formatHost);
  const [first = ''] = names;
  const dots = [...first.matchAll(/\./g)].map(({ index }) => index);
  const ending = dots
    .map((at) => first.slice(at))
    .find((end) => names.every((name) => name.length > end.length && name.endsWith(end)));
  return names.length < 2 || ending === undefined
    ? names
    : names.map((name) => name.slice(0, -ending.length));
}

/** Whether the numbers of all cells fit without scrolling. */
export function hasRoomForNumbers(room: number, lines: number): boolean {
  return (room - findHeadSize('slanted', MAX_NAME_CHARS).overhang) / Math.max(1, lines) >= NUMBER_WIDTH;
}

/** Computes the sizes of the map. Its columns take the whole room. */
export function layOutMap(
  room: number,
  { names, rows, zoom }: { readonly names: readonly string[]; readonly rows: number; readonly zoom: MapZoom },
): MapLayout {
  const columns = Math.max(1, names.length);
  const longest = Math.min(MAX_NAME_CHARS, Math.max(...names.map(({ length }) => length)));
  const least = zoom === 'numbers' ? NUMBER_WIDTH : MIN_CELL_WIDTH;
  const widthWith = (head: MapHead): number =>
    Math.max(least, (room - findHeadSize(head, longest).overhang) / columns);
  const head =
    widthWith('level') >= longest * CHAR_WIDTH + NAME_GAP
      ? 'level'
      : widthWith('slanted') >= MIN_NAMED_WIDTH
        ? 'slanted'
        : 'numbers';
  const cellWidth = widthWith(head);
  const hasNumbers = cellWidth >= NUMBER_WIDTH;
  const rowHeight = hasNumbers ? ROW_HEIGHT : NARROW_ROW_HEIGHT;
  const { height: headHeight, overhang } = findHeadSize(head, longest);
  return {
    cellWidth,
    rowHeight,
    head,
    headHeight,
    overhang,
    hasNumbers,
    width: cellWidth * names.length,
    height: rowHeight * rows,
  };
}

/** The size of a head whose longest name has `chars` characters: its height, and how far it reaches beyond the last column. */
function findHeadSize(head: MapHead, chars: number): { readonly height: number; readonly overhang: number } {
  if (head === 'level') return { height: 28, overhang: 0 };
  if (head === 'numbers') return { height: 24, overhang: 10 };
  const length = chars * CHAR_WIDTH;
  return {
    height: Math.ceil(length * Math.sin(-NAME_ANGLE)) + 12,
    overhang: Math.ceil(length * Math.cos(NAME_ANGLE)),
  };
}
