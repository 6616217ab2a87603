import type { ControlEvent, SilentControl } from '../../../contract/page/analytics-events.ts';
import type { Store } from '../../../contract/create-store.ts';
import type { BoardSnapshot } from '../../../engine/board/create-line-board.ts';
import type { Analytics } from './create-analytics.ts';

const MIDDLE_BUTTON = 1;

/** Tracks every control by its attributes. It listens before React, because a click may change the control. */
export function watchControls(
  document: Document,
  board: Store<BoardSnapshot>,
  { track, note }: Pick<Analytics, 'track' | 'note'>,
): void {
  const onUse = (event: MouseEvent): void => {
    const control = findControl(event);
    if (!control) return;
    // Our own markup: the types of these attributes in external-link.tsx let nothing else through.
    const name = control.dataset['event'] as ControlEvent | undefined;
    const silent = control.dataset['silent'] as SilentControl | undefined;
    if (name === 'official_line') {
      // Only links have this event.
      const { origin } = control as HTMLAnchorElement;
      const row = board.getSnapshot().rows.find(({ address }) => address === origin);
      const index = Number(control.dataset['line']);
      track({ name, index, entered: row && { row, clickedAt: Date.now() } });
    } else if (name) track({ name });
    else if (silent && silent !== 'consent') note({ name: silent });
  };
  document.addEventListener('click', onUse, true);
  // The middle button opens a link in a new tab, and fires no click.
  document.addEventListener('auxclick', onUse, true);
}

function findControl({ type, button, target }: MouseEvent): HTMLElement | undefined {
  const control =
    target instanceof Element ? target.closest<HTMLElement>('[data-event], [data-silent]') : null;
  if (!control || control.getAttribute('aria-disabled') === 'true') return undefined;
  // Clicking the selected tab changes nothing.
  if (control.getAttribute('aria-selected') === 'true') return undefined;
  const isOpenedApart = button === MIDDLE_BUTTON && control instanceof HTMLAnchorElement;
  return type === 'click' || isOpenedApart ? control : undefined;
}
