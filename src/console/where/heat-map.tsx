import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ConsoleNetworks } from '../../contract/console.ts';
import { formatCountry, formatHost, formatNetwork } from '../format/format-names.ts';
import { useLocale } from '../locale/locale.ts';
import { StatusMark } from '../parts/status-mark.tsx';
import kit from '../parts/view.module.css';
import { type CellPlace, gradeCell, isForAll, movePlace, readCell } from './cells.ts';
import { computeCells } from './draw-heat-map.ts';
import styles from './heat-map.module.css';
import { type MapLayout, type MapZoom, hasRoomForNumbers, layOutMap, nameLines } from './lay-out-map.ts';
import { Legend } from './legend.tsx';
import { MapControls } from './map-controls.tsx';
import { type MapOrder, type MapRow, listRows } from './order-networks.ts';
import { useWhereTexts } from './texts.ts';
import { usePicture } from './use-picture.ts';
import { useRoom } from './use-room.ts';

/** Sites with more lines than this start with all of them in view, and without their numbers. */
const MANY_LINES = 24;

type HeatMapProps = {
  /** In the order in which it is shown. */
  readonly data: ConsoleNetworks;
  readonly order: MapOrder;
  readonly place: CellPlace;
  readonly onChoose: (place: CellPlace) => void;
  readonly onOrder: (order: MapOrder) => void;
};

/**
 * Networks and lines as one picture, with a frame that the arrow keys move. It is a canvas, because ten thousand
 * elements would be slow, and as large as the part in view, because a larger one would not fit into memory. The cell in the
 * frame is described in words beside the map.
 */
export function HeatMap({ data, order, place, onChoose, onOrder }: HeatMapProps): ReactNode {
  const [zoom, setZoom] = useState<MapZoom>(data.lines.length > MANY_LINES ? 'fit' : 'numbers');
  const scroller = useRef<HTMLDivElement>(null);
  const names = useRef<HTMLOListElement>(null);
  const room = useRoom(scroller, names);
  const rows = useMemo(() => listRows(data, order.isGrouped), [data, order]);
  const lineNames = useMemo(() => nameColumns(data), [data]);
  const layout = useMemo(
    () => layOutMap(room.width, { names: lineNames, rows: rows.length, zoom }),
    [room.width, lineNames, rows, zoom],
  );
  const cells = useMemo(() => computeCells(data, rows), [data, rows]);
  const { head, body } = usePicture({ scroller, lineNames, cells, layout, room });
  return (
    <div className={kit.stack}>
      <MapControls
        order={order}
        // Where all numbers fit, there is nothing to choose.
        zoom={room.width > 0 && hasRoomForNumbers(room.width, data.lines.length) ? undefined : zoom}
        onOrder={onOrder}
        onZoom={setZoom}
      />
      <Legend />
      <div className={styles.scroller} ref={scroller} data-map>
        <div
          className={styles.sheet}
          style={{
            gridTemplateRows: `${layout.headHeight}px ${layout.height}px`,
            gridTemplateColumns: `auto ${layout.width + layout.overhang}px`,
          }}
        >
          <div className={styles.corner} />
          <canvas className={styles.head} ref={head} style={{ left: room.namesWidth }} aria-hidden="true" />
          <ol className={styles.names} ref={names} style={{ lineHeight: `${layout.rowHeight}px` }}>
            <RowNames data={data} rows={rows} />
          </ol>
          <div className={styles.cells}>
            <Cells
              canvas={body}
              scroller={scroller}
              data={data}
              rows={rows}
              layout={layout}
              namesWidth={room.namesWidth}
              onChoose={onChoose}
            />
            <Frame
              data={data}
              rows={rows}
              layout={layout}
              namesWidth={room.namesWidth}
              place={place}
              onChoose={onChoose}
            />
          </div>
        </div>
      </div>
    </div>
  );
}

type CellsProps = Pick<HeatMapProps, 'data' | 'onChoose'> & {
  readonly rows: readonly MapRow[];
  readonly layout: MapLayout;
  readonly namesWidth: number;
};

/** The canvas of the cells, where the pointer chooses one. */
function Cells({
  canvas,
  scroller,
  data,
  rows,
  layout: { cellWidth, rowHeight, headHeight },
  namesWidth,
  onChoose,
}: CellsProps & {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly scroller: RefObject<HTMLElement | null>;
}): ReactNode {
  const describe = useDescription(data);
  const placeAt = ({ nativeEvent }: PointerEvent<HTMLCanvasElement>): CellPlace | undefined => {
    const { scrollLeft = 0, scrollTop = 0 } = scroller.current ?? {};
    const pointed = rows[Math.floor((nativeEvent.offsetY + scrollTop) / rowHeight)];
    const line = Math.floor((nativeEvent.offsetX + scrollLeft) / cellWidth);
    return pointed?.kind === 'network' && data.lines[line] ? { network: pointed.network, line } : undefined;
  };
  return (
    <canvas
      className={styles.body}
      ref={canvas}
      style={{ top: headHeight, left: namesWidth }}
      aria-hidden="true"
      onPointerDown={(event) => {
        const pointed = placeAt(event);
        if (pointed) onChoose(pointed);
      }}
      onPointerMove={(event) => {
        const pointed = placeAt(event);
        event.currentTarget.title = pointed ? describe(pointed, true) : '';
      }}
    />
  );
}

/** The frame around the chosen cell, which the keys move. */
function Frame({
  data,
  rows,
  layout: { cellWidth, rowHeight, headHeight },
  namesWidth,
  place,
  onChoose,
}: CellsProps & Pick<HeatMapProps, 'place'>): ReactNode {
  const texts = useWhereTexts();
  const describe = useDescription(data);
  const frame = useRef<HTMLButtonElement>(null);
  const row = rows.findIndex((one) => one.kind === 'network' && one.network === place.network);
  useEffect(() => {
    // Keyboard users must see the frame, even if the map is larger than the screen.
    const { current: node } = frame;
    if (node !== null && node === document.activeElement) {
      node.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  }, [place.network, place.line]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = movePlace(event.key, place, { networks: data.networks.length, lines: data.lines.length });
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
  };
  return (
    <button
      ref={frame}
      className={styles.frame}
      type="button"
      aria-label={describe(place, false)}
      aria-description={texts.mapHint}
      style={{
        left: place.line * cellWidth,
        top: row * rowHeight,
        width: cellWidth,
        height: rowHeight,
        scrollMargin: `${headHeight + 8}px 8px 8px ${namesWidth + 8}px`,
      }}
      onKeyDown={onKeyDown}
    />
  );
}

/** A circle marks a line that not everybody may be handed. */
function nameColumns({ lines }: ConsoleNetworks): readonly string[] {
  const names = nameLines(lines.map(({ host }) => host));
  return lines.map((line, index) => `${isForAll(line) ? '' : '○ '}${names[index]}`);
}

function RowNames({
  data,
  rows,
}: {
  readonly data: ConsoleNetworks;
  readonly rows: readonly MapRow[];
}): ReactNode {
  const { texts: consoleTexts, language, format } = useLocale();
  const texts = useWhereTexts();
  return rows.map((row) => {
    if (row.kind === 'country') {
      const country = row.country === '' ? texts.unknownCountry : formatCountry(row.country, language);
      return (
        <li key={`country ${row.country}`} data-country>
          {country} <span>{format.count(row.size)}</span>
        </li>
      );
    }
    const network = data.networks[row.network];
    if (network === undefined) return null;
    const name = formatNetwork(network.name, consoleTexts);
    return (
      <li key={network.name} title={name}>
        {network.failing > 0 ? <StatusMark status="down" label={name} /> : name}
      </li>
    );
  });
}

/** Says what is at a place of the map, with its number for a tooltip. */
function useDescription(data: ConsoleNetworks): (place: CellPlace, hasNumber: boolean) => string {
  const { texts: consoleTexts, format } = useLocale();
  const texts = useWhereTexts();
  return (place, hasNumber) => {
    const line = data.lines[place.line];
    const cell = readCell(data, place);
    if (line === undefined || cell === undefined) return texts.map;
    const { reached, lost } = cell;
    const grade = consoleTexts.cell[gradeCell(cell)];
    const said = texts.mapPlace(formatHost(line.host), formatNetwork(cell.network, consoleTexts), grade);
    return hasNumber && reached + lost > 0
      ? `${said} · ${texts.reachedBy(format.part(reached, reached + lost))}`
      : said;
  };
}
