/** What `/t` shows. The script sets it on the root element, and the style reads it. */
export type ViewState = 'choosing' | 'found' | 'failed' | 'restricted';

export const ENTER_ID = 'enter';
export const ADDRESS_ID = 'address';
export const AGAIN_ID = 'again';
/** Set on the link to the chosen address if it sent the marker. */
export const PROVEN_ATTRIBUTE = 'data-proven';

/** Undefined shows the plain links. */
export function showState(document: Document, state: ViewState | undefined): void {
  if (state) document.documentElement.dataset['state'] = state;
  else delete document.documentElement.dataset['state'];
}
