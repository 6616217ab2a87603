import { useEffect, useState } from 'react';

export type Room = {
  /** For the cells. */
  readonly width: number;
  readonly height: number;
  readonly namesWidth: number;
};

/** Follows the room that the map has. */
export function useRoom(
  scroller: { readonly current: HTMLElement | null },
  names: { readonly current: HTMLElement | null },
): Room {
  const [room, setRoom] = useState<Room>({ width: 0, height: 0, namesWidth: 0 });
  useEffect(() => {
    const { current: node } = scroller;
    if (!node) return undefined;
    const watching = new ResizeObserver(() => {
      const namesWidth = names.current?.offsetWidth ?? 0;
      const next = { width: node.clientWidth - namesWidth, height: findMaxHeight(node), namesWidth };
      setRoom((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    });
    watching.observe(node);
    if (names.current) watching.observe(names.current);
    return () => watching.disconnect();
  }, [scroller, names]);
  return room;
}

/** As high as it may become: its height depends on what is in it. */
function findMaxHeight(node: HTMLElement): number {
  const height = Number.parseFloat(getComputedStyle(node).maxHeight);
  return Number.isNaN(height) ? node.clientHeight : height;
}
