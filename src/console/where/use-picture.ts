import { useEffect, useRef } from 'react';
import { useScheme } from '../parts/use-scheme.ts';
import { type MapCells, drawCells, drawHead, readPalette } from './draw-heat-map.ts';
import type { MapLayout } from './lay-out-map.ts';
import type { Room } from './use-room.ts';

/** Draws the head and the cells that are in view, and again in the frame after somebody has scrolled. */
export function usePicture({
  scroller,
  lineNames,
  cells,
  layout,
  room,
}: {
  readonly scroller: { readonly current: HTMLElement | null };
  readonly lineNames: readonly string[];
  readonly cells: MapCells;
  readonly layout: MapLayout;
  readonly room: Room;
}): Readonly<Record<'head' | 'body', { current: HTMLCanvasElement | null }>> {
  const head = useRef<HTMLCanvasElement>(null);
  const body = useRef<HTMLCanvasElement>(null);
  const scheme = useScheme();
  useEffect(() => {
    const { current: node } = scroller;
    if (!node || !head.current || !body.current || room.width <= 0) return undefined;
    const palette = readPalette(body.current);
    const size = {
      width: Math.min(room.width, layout.width + layout.overhang),
      height: Math.min(room.height - layout.headHeight, layout.height),
    };
    const ofHead = openCanvas(head.current, size.width, layout.headHeight);
    const ofBody = openCanvas(body.current, size.width, size.height);
    const draw = (): void => {
      const view = { left: node.scrollLeft, top: node.scrollTop, ...size };
      if (ofHead) drawHead(ofHead, lineNames, { layout, view, palette });
      if (ofBody) drawCells(ofBody, cells, { layout, view, palette });
    };
    let waiting = 0;
    const onScroll = (): void => {
      waiting ||= requestAnimationFrame(() => {
        waiting = 0;
        draw();
      });
    };
    draw();
    node.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(waiting);
      node.removeEventListener('scroll', onScroll);
    };
  }, [scroller, lineNames, cells, layout, room, scheme]);
  return { head, body };
}

function openCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | null {
  const context = canvas.getContext('2d');
  const scale = window.devicePixelRatio;
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  context?.setTransform(scale, 0, 0, scale, 0, 0);
  return context;
}
