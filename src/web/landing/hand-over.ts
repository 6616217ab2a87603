import type { LineBoard } from '../../engine/board/create-line-board.ts';
import type { LinksStore } from './links-store.ts';

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
