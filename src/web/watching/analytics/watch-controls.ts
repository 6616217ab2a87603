import type { ControlEvent } from '../../../contract/page/analytics-events.ts';
import type { Track, TrackedEvent } from './create-analytics.ts';

const MIDDLE_BUTTON = 1;

/** Tracks every control by its attributes. It listens before React, because a click may change the control. */
export function watchControls(document: Document, track: Track): void {
  const onUse = (event: MouseEvent): void => {
    const control = findControl(event);
    const used = control && readEvent(control);
    if (used) track(used);
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

function readEvent(control: HTMLElement): TrackedEvent | undefined {
  // Our own markup: the type of `data-event` in external-link.tsx lets nothing else through.
  const name = control.dataset['event'] as ControlEvent | undefined;
  if (name === undefined) return undefined;
  return name === 'official_line' ? { name, index: Number(control.dataset['line']) } : { name };
}
