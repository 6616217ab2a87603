/** Every key that a page keeps in a browser, a visitor's or the operator's. Nothing else may be stored there. */

/** sessionStorage: the speed results of the last 10 seconds. */
export const RESULTS_KEY = 'waypost.results';
/** localStorage: the last good links config, for when the next one does not load. */
export const LAST_LINKS_KEY = 'waypost.links';
/** localStorage: which announcement the visitor has dismissed. */
export const ANNOUNCEMENT_KEY = 'waypost.announcement';
/** sessionStorage: the hint about in-app browsers was dismissed in this tab. */
export const IN_APP_HINT_KEY = 'waypost.in-app-hint';
/** localStorage: whether the visitor agreed to analytics and monitoring, or refused, where that is asked. */
export const CONSENT_KEY = 'waypost.consent';
/** sessionStorage: this visit's referrer was sent to analytics. */
export const VISIT_KEY = 'waypost.visit';
/** localStorage: the monitored session, and what was decided for it. */
export const SESSION_KEY = 'waypost.session';
/** Cache Storage: shells of the pages, their files, and the lines that the visitor was last given. See `kept-lines.ts`. */
export const OFFLINE_CACHE = 'waypost.offline';
/** Cache Storage of a line's origin: the portal, and the siblings of the line. See `web/stay/keep-siblings.ts`. */
export const STAY_CACHE = 'waypost.stay';
/** Cookie: the language that the visitor chose with `?lang=`. */
export const LOCALE_COOKIE = 'waypost.lang';
/** Cookie: the line that the visitor entered last, signed, where `lines.sticky` is on. */
export const HELD_LINE_COOKIE = 'waypost.line';
/** Cookie of the operator's listener: the language that the operator chose in the console. */
export const CONSOLE_LANGUAGE_COOKIE = 'waypost.console-language';
/** Cookie of the operator's listener: whether the console is light or dark, where the operator chose. */
export const CONSOLE_THEME_COOKIE = 'waypost.console-theme';
/** localStorage of the operator's console: the time zone that the operator chose. */
export const CONSOLE_ZONE_KEY = 'waypost.console-zone';
/** Cookie of the operator's listener: names the session of the person who signed in. */
export const CONSOLE_COOKIE = 'waypost.console';
/** The same over TLS. Browsers accept the prefix only for a cookie of this very host, set over TLS. */
export const SECURE_CONSOLE_COOKIE = '__Host-waypost.console';
/** Cookie of the preview's listener: which draft the operator's console shows there. */
export const PREVIEW_COOKIE = 'waypost.preview';
