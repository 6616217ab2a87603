import { RETEST_CONTROL } from './lines/retest-button.ts';

export type DeferredEvents = {
  /** Resolves when the visitor has used something that needs React, and has seen it pressed. */
  readonly whenReactIsWanted: Promise<void>;
  /** Lets all events through, and clicks the buttons again that were clicked meanwhile. */
  readonly release: () => void;
};

/** Each of these events makes React hydrate the whole page at once, which blocks a slow phone. */
const EVENTS =
  'pointerdown pointerup pointercancel touchstart touchend touchcancel mousedown mouseup click auxclick dblclick contextmenu keydown keypress keyup dragstart dragend copy'.split(
    ' ',
  );

/**
 * Keeps the visitor's events from React until it has hydrated the page. Links and "retest" work without React. A click on any
 * other button is repeated after the hydration.
 */
export function deferEventsUntilHydration(page: Window, root: HTMLElement): DeferredEvents {
  const held: HTMLElement[] = [];
  let wantReact: (() => void) | undefined;
  const whenReactIsWanted = new Promise<void>((resolve) => (wantReact = resolve));

  const keepFromReact = (event: Event): void => {
    event.stopImmediatePropagation();
    if (!findControl(event)) return;
    // After the next frame, which shows the button pressed.
    page.requestAnimationFrame(() => page.setTimeout(() => wantReact?.()));
  };
  const holdClick = (event: Event): void => {
    const control = findControl(event);
    if (control?.tagName !== 'BUTTON' || control.getAttribute('aria-disabled') === 'true') return;
    // Nobody else may see it now: it would be counted twice.
    event.stopImmediatePropagation();
    held.push(control);
  };
  page.addEventListener('click', holdClick, true);
  for (const name of EVENTS) root.addEventListener(name, keepFromReact, true);

  return {
    whenReactIsWanted,
    release() {
      page.removeEventListener('click', holdClick, true);
      for (const name of EVENTS) root.removeEventListener(name, keepFromReact, true);
      for (const button of held) button.click();
    },
  };
}

/** The control that was used, if only React can handle it: any button but "retest", or a row's link without an address. */
function findControl({ target }: Event): HTMLElement | undefined {
  const control = target instanceof Element && target.closest<HTMLElement>('a, button');
  return control && !control.matches(`[href], ${RETEST_CONTROL}`) ? control : undefined;
}
