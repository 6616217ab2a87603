import type { Closing } from '../../contract/api/closing.ts';

/**
 * What `/t` shows. The script sets it on the root element, and the style reads it. The button is there when an address is `found`, when
 * the first one is `unproven` because somebody else answers there, and when `none` answers. A click on an unproven one leads to the
 * warning, `wrong-server`.
 */
export type ViewState = 'choosing' | 'found' | 'unproven' | 'none' | 'wrong-server' | 'failed' | Closing;

export const ENTER_ID = 'enter';
export const ADDRESS_ID = 'address';
/** What was measured. */
export const FINDING_ID = 'finding';
export const ANYWAY_ID = 'anyway';
/** The link to the next address where nobody else answers. Its last element shows the host. */
export const OTHER_ID = 'other';
/** A name, because three states have this button. */
export const AGAIN_NAME = 'again';
/** Set on the link to the chosen address if it sent the marker. */
export const PROVEN_ATTRIBUTE = 'data-proven';

/** Undefined shows the plain links. */
export function showState(document: Document, state: ViewState | undefined): void {
  if (state) document.documentElement.dataset['state'] = state;
  else delete document.documentElement.dataset['state'];
}
