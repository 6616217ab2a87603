/** Every key that a page keeps in the visitor's browser. Nothing else may be stored there. */

/** sessionStorage: the speed results of the last 10 seconds. */
export const RESULTS_KEY = 'waypost.results';
/** localStorage: the last good links config, for when the next one does not load. */
export const LAST_LINKS_KEY = 'waypost.links';
/** Cookie: the language that the visitor chose with `?lang=`. */
export const LOCALE_COOKIE = 'waypost.lang';
