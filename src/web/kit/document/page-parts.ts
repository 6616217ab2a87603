/** Marks the style sheet that is for pages without scripts. */
export const PLAIN_ATTRIBUTE = 'data-plain';

/** What a page adds to the document that all pages share. */
export type PageParts = {
  readonly body: string;
  /** Its style sheets; they travel inside the page. */
  readonly styles: readonly string[];
  /** Shown only where scripts do not run. */
  readonly noScriptStyle?: string;
  /** Elements of the head: what is to be loaded. */
  readonly head?: readonly string[];
  /** Scripts that travel inside the page: those of the head run before anything is painted … */
  readonly headScripts?: readonly string[];
  /** … and these when the whole page is there. */
  readonly bodyScripts?: readonly string[];
  /** What the browser may fetch ahead of a click: https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API */
  readonly speculationRules?: string;
};
