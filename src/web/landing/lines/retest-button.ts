import type { BoardSnapshot } from '../../../engine/board/create-line-board.ts';
import type { HandOver } from '../create-idle-hand-over.ts';

/** The controls that measure again: the button of the panel, and that of the warning of a wrong server. */
export const RETEST_CONTROL = '[data-event="retest"]';

/**
 * Measures again when the visitor says so, before React is there and after: the button must work as soon as a number is on
 * screen, and React waits for all of them.
 */
export function serveRetest(document: Document, board: HandOver['board']): void {
  const paint = (): void => {
    const isDisabled = !canRetest(board.getSnapshot());
    document.querySelector(RETEST_CONTROL)?.setAttribute('aria-disabled', String(isDisabled));
  };
  board.subscribe(paint);
  paint();
  // Captured, because defer-events-until-hydration.ts lets no click through until React is there.
  document.addEventListener(
    'click',
    ({ target }) => {
      const isRetest = target instanceof Element && target.closest(RETEST_CONTROL);
      if (isRetest && canRetest(board.getSnapshot())) board.retest();
    },
    true,
  );
}

/** Retest works as soon as any row has an address, even while the hostname call is open. */
export function canRetest({ rows }: BoardSnapshot): boolean {
  return rows.some(({ address }) => address !== undefined);
}
