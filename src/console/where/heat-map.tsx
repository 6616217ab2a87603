import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ConsoleNetworks } from '../../contract/console.ts';
import { formatHost, formatNetwork } from '../format/format-names.ts';
import type { Texts } from '../locale/en.ts';
import { useLocale } from '../locale/locale.ts';
import { useScheme } from '../parts/use-scheme.ts';
import { type MapLayout, ROW_HEIGHT, drawHeatMap, layOutMap, readPalette } from './draw-heat-map.ts';
import styles from './heat-map.module.css';
import { type CellPlace, gradeCell, movePlace, readCell } from './cells.ts';

type HeatMapProps = {
  readonly data: ConsoleNetworks;
  readonly place: CellPlace;
  readonly onChoose: (place: CellPlace) => void;
};

/**
 * Networks and lines as one picture, with a frame that the arrow keys move. It is a canvas, because ten thousand
 * elements would be slow. The cell in the frame is described in words beside the map.
 */
export function HeatMap({ data, place, onChoose }: HeatMapProps): ReactNode {
  const room = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLButtonElement>(null);
  const width = useWidth(room);
  const scheme = useScheme();
  const { texts } = useLocale();
  const layout = useMemo(() => layOutMap(width, data), [width, data]);
  const { cellWidth, headHeight } = layout;
  const size = { width: layout.width, height: layout.height };

  useEffect(() => {
    if (canvas.current && width > 0) drawOn(canvas.current, data, layout);
  }, [data, scheme, width, layout]);

  useEffect(() => {
    // Keyboard users must see the frame, even if the map is wider than the screen.
    const { current: node } = frame;
    if (node !== null && node === document.activeElement) {
      node.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  }, [place.network, place.line]);

  const placeAt = ({ nativeEvent }: PointerEvent): CellPlace | undefined => {
    const network = Math.floor((nativeEvent.offsetY - headHeight) / ROW_HEIGHT);
    const line = Math.floor(nativeEvent.offsetX / cellWidth);
    return data.networks[network] && data.lines[line] && { network, line };
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = movePlace(event.key, place, { networks: data.networks.length, lines: data.lines.length });
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
  };
  const onPointerDown = (event: PointerEvent): void => {
    const pointed = placeAt(event);
    if (pointed) onChoose(pointed);
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>): void => {
    const pointed = placeAt(event);
    event.currentTarget.title = pointed ? describePlace(data, pointed, texts) : '';
  };

  return (
    <div className={styles.map}>
      <ol className={styles.networks} style={{ paddingTop: headHeight }}>
        {data.networks.map(({ name, failing }) => (
          <li key={name} data-failing={failing > 0 || undefined} title={formatNetwork(name, texts)}>
            {formatNetwork(name, texts)}
          </li>
        ))}
      </ol>
      <div className={styles.room} ref={room}>
        <div className={styles.picture} style={size}>
          <canvas
            ref={canvas}
            style={size}
            aria-hidden="true"
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
          />
          <button
            ref={frame}
            className={styles.frame}
            type="button"
            aria-label={describePlace(data, place, texts)}
            aria-description={texts.mapHint}
            style={{
              left: place.line * cellWidth,
              top: headHeight + place.network * ROW_HEIGHT,
              width: cellWidth,
              height: ROW_HEIGHT,
            }}
            onKeyDown={onKeyDown}
          />
        </div>
      </div>
    </div>
  );
}

function drawOn(canvas: HTMLCanvasElement, data: ConsoleNetworks, layout: MapLayout): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const scale = window.devicePixelRatio;
  canvas.width = layout.width * scale;
  canvas.height = layout.height * scale;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  drawHeatMap(context, data, { layout, palette: readPalette(canvas) });
}

function describePlace(data: ConsoleNetworks, place: CellPlace, texts: Texts): string {
  const line = data.lines[place.line];
  const cell = readCell(data, place);
  if (line === undefined || cell === undefined) return texts.map;
  const network = formatNetwork(cell.network, texts);
  return texts.mapPlace(formatHost(line.host), network, texts.cell[gradeCell(cell)]);
}

/** Follows the width of an element. */
function useWidth(room: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current: node } = room;
    if (!node) return undefined;
    const watching = new ResizeObserver(() => setWidth(node.clientWidth));
    watching.observe(node);
    return () => watching.disconnect();
  }, [room]);
  return width;
}
