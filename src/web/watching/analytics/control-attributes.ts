import type { ControlEvent, SilentControl } from '../../../contract/page/analytics-events.ts';

/** How a control says what it tells the page tag, or that it is silent on purpose. Every link and button does. */
export type ControlAttributes =
  | { readonly 'data-event': ControlEvent }
  | { readonly 'data-silent': SilentControl };

declare module 'react' {
  // Merging with React's own declaration takes an interface. It has a name that is not used here.
  // oxlint-disable-next-line no-unused-vars
  interface HTMLAttributes<T> {
    'data-event'?: ControlEvent | undefined;
    'data-silent'?: SilentControl | undefined;
  }
}
