/** What a page of a line and its service worker say to each other. */

/** From the page: the portal whose siblings to keep. */
export type KeepSiblings = { readonly type: 'waypost:keep'; readonly portal: string };

/** From the worker: the line is lost, and this address is a proven sibling's. */
export type LineLost = { readonly type: 'waypost:line-lost'; readonly address: string };

/** The event on `document`, and the message that causes it. */
export const LINE_LOST = 'waypost:line-lost' satisfies LineLost['type'];
export const KEEP_SIBLINGS = 'waypost:keep' satisfies KeepSiblings['type'];
