import { RETEST_CONTROL } from './lines/retest-button.ts';

export type HeldUses = {
  /** Resolves when the visitor has used something that needs React, and has seen it pressed. */
  readonly whenReactIsWanted: Promise<void>;
  /** Lets everything through, and clicks again what was clicked meanwhile. */
  readonly release: () => void;
};

/** If React meets one of these before it has hydrated the page, it does all of that at once, and blocks a slow phone. */
const USES =
  'pointerdown pointerup pointercancel touchstart touchend touchcancel mousedown mouseup click auxclick dblclick contextmenu keydown keypress keyup dragstart dragend copy'.split(
    ' ',
  );

/**
 * Keeps what the visitor does from React until it has taken the page over. Links and "retest" work without it. A click on
 * any other button is kept for later.
 */
export function holdUses(page: Window, root: HTMLElement): HeldUses {
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
  for (const name of USES) root.addEventListener(name, keepFromReact, true);

  return {
    whenReactIsWanted,
    release() {
      page.removeEventListener('click', holdClick, true);
      for (const name of USES) root.removeEventListener(name, keepFromReact, true);
      for (const button of held) button.click();
    },
  };
}

/** What was used, if it needs React: a button other than "retest", or a row's link without an address. */
function findControl({ target }: Event): HTMLElement | undefined {
  const control = target instanceof Element && target.closest<HTMLElement>('a, button');
  return control && !control.matches(`[href], ${RETEST_CONTROL}`) ? control : undefined;
}
