import { MAX_ROWS } from '../../contract/limits.ts';
import type { LinksConfig } from '../../contract/site/links-config.ts';
import { createStore } from '../../contract/store.ts';
import type { BoardSnapshot, LineBoard } from '../../engine/board/create-line-board.ts';
import type { LinksState, LinksStore } from './links-store.ts';

/** What the start script has under way by the time that the page's own script arrives. */
export type HandOver = {
  readonly board: Pick<LineBoard, 'getSnapshot' | 'subscribe' | 'retest'>;
  readonly links: LinksStore;
};

declare global {
  // Merging with the DOM's own declaration takes an interface.
  interface Window {
    /** Left by `start.ts`, taken away by `main.tsx`: two scripts, so that measuring need not wait for React. */
    waypost?: HandOver;
  }
}

/** The rows as they are before anything is measured: what the page is rendered with. */
export const UNMEASURED_BOARD: BoardSnapshot = {
  phase: 'loading',
  rows: Array.from({ length: MAX_ROWS }, (_, index) => ({
    number: index + 1,
    host: undefined,
    address: undefined,
    isBackup: false,
    speed: { key: 'testing' },
    cause: undefined,
    isFastest: false,
  })),
};

/** A board on which nothing happens: for the server, and for a page whose start script never came. */
export function createIdleHandOver(
  kind: LinksState['kind'],
  links: LinksConfig,
  reload: () => void = () => undefined,
): HandOver {
  return {
    board: { ...createStore(UNMEASURED_BOARD), retest: reload },
    links: { ...createStore<LinksState>({ kind, links }), load: () => Promise.resolve(reload()) },
  };
}
