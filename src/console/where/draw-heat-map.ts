import type { ConsoleNetworks } from '../../contract/console.ts';
import { formatHost } from '../format/format-names.ts';
import { type CellGrade, gradeCell, readCell } from './cells.ts';

export const ROW_HEIGHT = 22;
/** A name of `MAX_NAME_CHARS` fits into it, slanted. */
const NAMED_HEAD_HEIGHT = 108;
const NUMBERED_HEAD_HEIGHT = 24;
const MIN_CELL_WIDTH = 5;
const MAX_CELL_WIDTH = 56;
/** Narrower columns have no names. Every tenth has its number. */
const MIN_NAMED_WIDTH = 15;
const NAME_ANGLE = -Math.PI / 3.4;
const MAX_NAME_CHARS = 18;
/** A slanted name reaches beyond its column. */
const NAME_OVERHANG = 80;
const NUMBER_OVERHANG = 10;

export type Palette = Readonly<
  Record<'good' | 'poor' | 'failing' | 'none' | 'text' | 'onStrong' | 'font', string>
>;

/** The sizes of the map. */
export type MapLayout = {
  readonly cellWidth: number;
  /** Above the first row. */
  readonly headHeight: number;
  readonly width: number;
  readonly height: number;
};

/** Computes the sizes of the map. If there is enough room, the names of the lines are above it. */
export function layOutMap(room: number, { lines, networks }: ConsoleNetworks): MapLayout {
  const columns = Math.max(1, lines.length);
  const namedWidth = Math.floor((room - NAME_OVERHANG) / columns);
  const isNamed = namedWidth >= MIN_NAMED_WIDTH;
  const cellWidth = isNamed
    ? Math.min(MAX_CELL_WIDTH, namedWidth)
    : Math.max(MIN_CELL_WIDTH, Math.min(MIN_NAMED_WIDTH - 1, Math.floor((room - NUMBER_OVERHANG) / columns)));
  const headHeight = isNamed ? NAMED_HEAD_HEIGHT : NUMBERED_HEAD_HEIGHT;
  return {
    cellWidth,
    headHeight,
    width: cellWidth * lines.length + (isNamed ? NAME_OVERHANG : NUMBER_OVERHANG),
    height: headHeight + ROW_HEIGHT * networks.length,
  };
}

/** Reads the colours for the canvas, which cannot use custom properties. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    good: read('--up-soft'),
    poor: read('--degraded'),
    failing: read('--down'),
    none: read('--control-border'),
    text: read('--muted'),
    onStrong: read('--surface'),
    font: style.fontFamily,
  };
}

/** Draws the whole map. Ten thousand cells take a few milliseconds. */
export function drawHeatMap(
  context: CanvasRenderingContext2D,
  data: ConsoleNetworks,
  { layout, palette }: { readonly layout: MapLayout; readonly palette: Palette },
): void {
  const { cellWidth, headHeight } = layout;
  context.clearRect(0, 0, layout.width, layout.height);
  drawNames(context, data, { layout, palette });
  for (const network of data.networks.keys()) {
    const y = headHeight + network * ROW_HEIGHT;
    for (const line of data.lines.keys()) {
      const cell = readCell(data, { network, line });
      const grade = cell === undefined ? 'none' : gradeCell(cell);
      drawCell(context, grade, { x: line * cellWidth, y, width: cellWidth, height: ROW_HEIGHT, palette });
    }
  }
}

function drawNames(
  context: CanvasRenderingContext2D,
  { lines }: ConsoleNetworks,
  { layout, palette }: { readonly layout: MapLayout; readonly palette: Palette },
): void {
  const { cellWidth, headHeight } = layout;
  const isNamed = headHeight === NAMED_HEAD_HEIGHT;
  context.fillStyle = palette.text;
  context.font = `12px ${palette.font}`;
  for (const [line, { host }] of lines.entries()) {
    if (!isNamed && line % 10 !== 9) continue;
    context.save();
    context.translate((line + 0.5) * cellWidth + (isNamed ? 3 : 0), headHeight - 6);
    if (isNamed) context.rotate(NAME_ANGLE);
    else context.textAlign = 'center';
    context.fillText(isNamed ? shorten(formatHost(host)) : String(line + 1), 0, 0);
    context.restore();
  }
}

function shorten(name: string): string {
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS - 1)}…` : name;
}

export type CellBox = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
};

/** Draws a cell. Each grade has its own shape, not only its own colour: full, half, a cross, a dot. */
export function drawCell(context: CanvasRenderingContext2D, grade: CellGrade, box: CellBox): void {
  const { palette } = box;
  const gap = box.width < MIN_NAMED_WIDTH ? 0.5 : 1;
  const [x, y, width, height] = [box.x + gap, box.y + 1, box.width - 2 * gap, box.height - 2];
  context.fillStyle = palette[grade];
  switch (grade) {
    case 'good':
      context.fillRect(x, y, width, height);
      return;
    case 'poor':
      context.fillRect(x, y + height / 2, width, height / 2);
      return;
    case 'failing':
      context.fillRect(x, y, width, height);
      drawCross(context, { x, y, width, height, palette });
      return;
    case 'none':
      context.fillRect(x + width / 2 - 1, y + height / 2 - 1, 2, 2);
  }
}

function drawCross(context: CanvasRenderingContext2D, { x, y, width, height, palette }: CellBox): void {
  const half = Math.min(width, height) / 4;
  const [centreX, centreY] = [x + width / 2, y + height / 2];
  context.strokeStyle = palette.onStrong;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(centreX - half, centreY - half);
  context.lineTo(centreX + half, centreY + half);
  context.moveTo(centreX + half, centreY - half);
  context.lineTo(centreX - half, centreY + half);
  context.stroke();
}
