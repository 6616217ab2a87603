import { MAX_ROWS } from '../../contract/limits.ts';
import type { LinksConfig } from '../../contract/site/links-config.ts';
import { createStore } from '../../contract/create-store.ts';
import type { BoardSnapshot, LineBoard } from '../../engine/board/create-line-board.ts';
import type { LinksState, LinksStore } from './create-links-store.ts';

/** What the start script hands to the page's main script. */
export type HandOver = {
  readonly board: Pick<LineBoard, 'getSnapshot' | 'subscribe' | 'retest'>;
  readonly links: LinksStore;
};

declare global {
  // Only an interface merges with the DOM's own.
  interface Window {
    /**
     * Set by `start.ts`, removed by `main.ts`. There are two scripts, so that measuring does not wait for the other.
     * Undefined if `start.ts` began and broke.
     */
    waypost?: HandOver | undefined;
  }
}

/** The rows before anything is measured. The server renders the page with them. */
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

/** Creates a hand-over in which nothing happens: for the server, and for a page whose start script did not load. */
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
