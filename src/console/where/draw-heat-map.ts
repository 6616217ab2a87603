import type { ConsoleNetworks } from '../../contract/console.ts';
import { readColours } from '../parts/read-colours.ts';
import { MAX_NAME_CHARS, NAME_ANGLE, type MapLayout, type MapView } from './lay-out-map.ts';
import type { MapRow } from './order-networks.ts';
import { type ReachColour, createReachScale } from './reach-scale.ts';

const NARROW_GAP_PX = 0.5;
const GAP_PX = 1;

/** The cells of the map, row by row, ready to be drawn. */
export type MapCells = {
  /** In percent. `NO_TRIES` where nobody has tried. */
  readonly reach: Uint8Array;
  /** 1 where the line fails. */
  readonly failing: Uint8Array;
  readonly columns: number;
};

const NO_TRIES = 255;

export type Palette = {
  readonly scale: readonly ReachColour[];
  readonly none: string;
  readonly failing: string;
  readonly text: string;
  readonly font: string;
};

/** Computes every cell once: to draw while somebody scrolls must be quick. */
export function computeCells({ networks, lines }: ConsoleNetworks, rows: readonly MapRow[]): MapCells {
  const columns = lines.length;
  const reach = new Uint8Array(rows.length * columns).fill(NO_TRIES);
  const failing = new Uint8Array(rows.length * columns);
  for (const [index, row] of rows.entries()) {
    const source = row.kind === 'country' ? row : networks[row.network];
    const since = row.kind === 'country' ? undefined : networks[row.network]?.failingSince;
    if (source === undefined) continue;
    for (let line = 0; line < columns; line += 1) {
      const reached = source.reached[line] ?? 0;
      const tries = reached + (source.lost[line] ?? 0);
      // Less than all is never shown as 100.
      const most = reached === tries ? 100 : 99;
      if (tries > 0) reach[index * columns + line] = Math.min(most, Math.round((100 * reached) / tries));
      if ((since?.[line] ?? null) !== null) failing[index * columns + line] = 1;
    }
  }
  return { reach, failing, columns };
}

/** Reads the colours and the font for the canvas. */
export function readPalette(canvas: HTMLCanvasElement): Palette {
  const colours = readColours(canvas, ['up-soft', 'degraded-soft', 'down', 'control-border', 'muted']);
  return {
    scale: createReachScale({
      all: colours['up-soft'],
      most: colours['degraded-soft'],
      none: colours.down,
    }),
    none: colours['control-border'],
    failing: colours.down,
    text: colours.muted,
    font: getComputedStyle(canvas).fontFamily,
  };
}

/** Draws the part of the map that is in view. */
export function drawCells(
  context: CanvasRenderingContext2D,
  cells: MapCells,
  {
    layout,
    view,
    palette,
  }: { readonly layout: MapLayout; readonly view: MapView; readonly palette: Palette },
): void {
  const { cellWidth, rowHeight } = layout;
  const { columns, reach, failing } = cells;
  const firstRow = Math.floor(view.top / rowHeight);
  const lastRow = Math.min(reach.length / columns, Math.ceil((view.top + view.height) / rowHeight));
  const firstLine = Math.floor(view.left / cellWidth);
  const lastLine = Math.min(columns, Math.ceil((view.left + view.width) / cellWidth));
  context.clearRect(0, 0, view.width, view.height);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `12px ${palette.font}`;
  for (let row = firstRow; row < lastRow; row += 1) {
    for (let line = firstLine; line < lastLine; line += 1) {
      const cell = row * columns + line;
      drawCell(context, {
        percent: reach[cell] ?? NO_TRIES,
        isFailing: failing[cell] === 1,
        x: line * cellWidth - view.left,
        y: row * rowHeight - view.top,
        width: cellWidth,
        height: rowHeight,
        hasNumber: layout.hasNumbers,
        palette,
      });
    }
  }
}

export type CellBox = {
  readonly percent: number;
  readonly isFailing: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly hasNumber: boolean;
  readonly palette: Palette;
};

/** Draws a cell: its colour and its number are the reach, a cross says that the line fails, and a dot that nobody tried. */
export function drawCell(context: CanvasRenderingContext2D, box: CellBox): void {
  const { percent, isFailing, x, y, width, height, hasNumber, palette } = box;
  const colour = palette.scale[percent];
  if (colour === undefined) {
    context.fillStyle = palette.none;
    context.fillRect(x + width / 2 - 1, y + height / 2 - 1, 2, 2);
    return;
  }
  const gap = hasNumber ? GAP_PX : NARROW_GAP_PX;
  context.fillStyle = colour.fill;
  context.fillRect(x + gap, y + GAP_PX, width - 2 * gap, height - 2 * GAP_PX);
  if (hasNumber) {
    context.fillStyle = colour.ink;
    context.fillText(String(percent), x + width / 2 + (isFailing ? 6 : 0), y + height / 2 + 1);
  }
  if (!isFailing) return;
  drawCross(context, box, colour.ink);
  if (!hasNumber) return;
  // A frame, because cells with a few failures have nearly the same colour.
  context.strokeStyle = palette.failing;
  context.strokeRect(x + gap + 1, y + GAP_PX + 1, width - 2 * gap - 2, height - 2 * GAP_PX - 2);
}

/** In the middle of the cell, or beside its number. */
function drawCross(
  context: CanvasRenderingContext2D,
  { x, y, width, height, hasNumber }: CellBox,
  ink: string,
): void {
  const half = hasNumber ? 3 : Math.min(width, height) / 4;
  const centreX = x + width / 2 - (hasNumber ? 10 : 0);
  const centreY = y + height / 2;
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(centreX - half, centreY - half);
  context.lineTo(centreX + half, centreY + half);
  context.moveTo(centreX + half, centreY - half);
  context.lineTo(centreX - half, centreY + half);
  context.stroke();
}

/** Draws the names of the lines above the cells, or every tenth number where there is no room for names. */
export function drawHead(
  context: CanvasRenderingContext2D,
  names: readonly string[],
  {
    layout,
    view,
    palette,
  }: { readonly layout: MapLayout; readonly view: MapView; readonly palette: Palette },
): void {
  const { cellWidth, headHeight, head } = layout;
  context.clearRect(0, 0, view.width, headHeight);
  context.fillStyle = palette.text;
  context.font = `12px ${palette.font}`;
  const first = Math.max(0, Math.floor((view.left - layout.overhang) / cellWidth));
  const last = Math.min(names.length, Math.ceil((view.left + view.width) / cellWidth));
  for (let line = first; line < last; line += 1) {
    if (head === 'numbers' && line % 10 !== 9) continue;
    const middle = (line + 0.5) * cellWidth - view.left;
    const name = head === 'numbers' ? String(line + 1) : shorten(names[line] ?? '');
    context.textAlign = head === 'slanted' ? 'start' : 'center';
    context.save();
    context.translate(middle + (head === 'slanted' ? 3 : 0), headHeight - 8);
    if (head === 'slanted') context.rotate(NAME_ANGLE);
    context.fillText(name, 0, 0);
    context.restore();
  }
}

function shorten(name: string): string {
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS - 1)}…` : name;
}
