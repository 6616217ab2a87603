type ConsentSetting = Readonly<Record<string, 'granted' | 'denied' | number>>;

/** The commands of the page tag that we use: https://developers.google.com/tag-platform/gtagjs/reference */
export type GtagCommand =
  | readonly ['js', Date]
  | readonly ['config', string]
  | readonly ['consent', 'default' | 'update', ConsentSetting]
  | readonly ['event', string, Readonly<Record<string, string | number>>];

export type Gtag = (...command: GtagCommand) => void;

declare global {
  // Only an interface merges with the DOM's own.
  interface Window {
    /** The queue of the page tag. It keeps what is pushed before the tag has loaded. */
    dataLayer?: unknown[];
  }
}

/** Creates the tag's function. It works before the tag has loaded, and without a tag. */
export function createGtag(page: Pick<Window, 'dataLayer'>): Gtag {
  // Looked up each time, because the tag replaces `push` when it has loaded.
  return function gtag() {
    // The tag wants an arguments object. It reads arrays as something else.
    // oxlint-disable-next-line prefer-rest-params
    (page.dataLayer ??= []).push(arguments);
  };
}
