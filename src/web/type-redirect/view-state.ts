/** What `/t` shows: set by its script on the root element, read by its style. */
export type ViewState = 'choosing' | 'found' | 'failed' | 'restricted';

export const ENTER_ID = 'enter';
export const ADDRESS_ID = 'address';
export const AGAIN_ID = 'again';

export function showState(document: Document, state: ViewState): void {
  document.documentElement.dataset['state'] = state;
}
