import type { ControlEvent } from '../../../contract/page/analytics-events.ts';
import type { Track, TrackedEvent } from './create-analytics.ts';

const MIDDLE_BUTTON = 1;

/** Tracks every control by its attributes. It listens ahead of React, for a click may change what was clicked. */
export function watchControls(document: Document, track: Track): void {
  const onUse = (event: MouseEvent): void => {
    const control = findControl(event);
    const used = control && readEvent(control);
    if (used) track(used);
  };
  document.addEventListener('click', onUse, true);
  // A link that is opened in a tab of its own with the middle button is no click.
  document.addEventListener('auxclick', onUse, true);
}

function findControl({ type, button, target }: MouseEvent): HTMLElement | undefined {
  const control =
    target instanceof Element ? target.closest<HTMLElement>('[data-event], [data-silent]') : null;
  if (!control || control.getAttribute('aria-disabled') === 'true') return undefined;
  // A tab that is selected already: pressing it again changes nothing.
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
