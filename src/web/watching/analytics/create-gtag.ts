type ConsentSetting = Readonly<Record<string, 'granted' | 'denied' | number>>;

/** The commands of the page tag that we use: https://developers.google.com/tag-platform/gtagjs/reference */
export type GtagCommand =
  | readonly ['js', Date]
  | readonly ['config', string]
  | readonly ['consent', 'default' | 'update', ConsentSetting]
  | readonly ['event', string, Readonly<Record<string, string | number>>];

export type Gtag = (...command: GtagCommand) => void;

declare global {
  // Merging with the DOM's own declaration takes an interface.
  interface Window {
    /** The queue of the page tag: what was pushed before the tag has loaded is kept in it. */
    dataLayer?: unknown[];
  }
}

/** Creates the tag's own function, which works before the tag has loaded, and without one. */
export function createGtag(page: Pick<Window, 'dataLayer'>): Gtag {
  // The layer is looked up each time: the tag replaces its `push` when it takes over.
  return function gtag() {
    // An arguments object and no array: the tag takes arrays for something else.
    // oxlint-disable-next-line prefer-rest-params
    (page.dataLayer ??= []).push(arguments);
  };
}
