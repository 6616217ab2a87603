/** What a page of a line and its service worker say to each other. */

/** From the page: the portal whose siblings to keep. */
export type KeepSiblings = { readonly type: 'waypost:keep'; readonly portal: string };

/** From the worker: the line is lost, and this address is a proven sibling's. */
export type LineLost = { readonly type: 'waypost:line-lost'; readonly address: string };

/** From the worker, and the same back from the page: what the page says is an event, and keeps the worker running. */
export type Hold = { readonly type: 'waypost:hold' };

/** The event on `document`, and the message that causes it. */
export const LINE_LOST = 'waypost:line-lost' satisfies LineLost['type'];
export const HOLD: Hold = { type: 'waypost:hold' };
export const KEEP_SIBLINGS = 'waypost:keep' satisfies KeepSiblings['type'];
