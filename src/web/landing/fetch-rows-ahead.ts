import type { Row } from '../../engine/board/describe-rows.ts';
import { createFetchAhead } from '../kit/start/create-fetch-ahead.ts';
import type { HandOver } from './create-idle-hand-over.ts';
import { isMeasured } from './when-usable.ts';

/** A mouse that stays on a link for this long does not only pass over it. */
const REST_MS = 100;

/**
 * Lets the browser fetch the page of the fastest row after all rows are measured, and that of another row when a finger
 * touches its link or the mouse rests on it for 100 ms. A line that failed the identity check is never asked.
 */
export function fetchRowsAhead(page: Window & typeof globalThis, board: HandOver['board']): void {
  const fetchAhead = createFetchAhead(page);
  const fetched = new Set<string>();

  function fetchRow(isWanted: (row: Row) => boolean): void {
    const row = board.getSnapshot().rows.find(isWanted);
    if (!row?.address || row.speed.key !== 'measured' || fetched.has(row.address)) return;
    fetched.add(row.address);
    fetchAhead(row.address);
  }

  function fetchFastest(): void {
    if (isMeasured(board.getSnapshot())) fetchRow(({ isFastest }) => isFastest);
  }

  fetchFastest();
  board.subscribe(fetchFastest);
  page.document.addEventListener('pointerover', ({ target, pointerType }) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[data-line]');
    if (!link) return;
    const fetchLink = (): void => fetchRow(({ address }) => address === link.origin);
    // A finger touches a link only to tap it, so there is no need to wait.
    if (pointerType !== 'mouse') fetchLink();
    else page.setTimeout(() => link.matches(':hover') && fetchLink(), REST_MS);
  });
}
