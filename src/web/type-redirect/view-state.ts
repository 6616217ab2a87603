/** What `/t` shows: set by its script on the root element, read by its style. */
export type ViewState = 'choosing' | 'found' | 'failed' | 'restricted';

export const ENTER_ID = 'enter';
export const ADDRESS_ID = 'address';
export const AGAIN_ID = 'again';
/** Of the link to the chosen address, where that answered as the brand's. */
export const PROVEN_ATTRIBUTE = 'data-proven';

export function showState(document: Document, state: ViewState): void {
  document.documentElement.dataset['state'] = state;
}
