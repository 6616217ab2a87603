/** Where the page tag is loaded from, unless the site folder names another address. */
export const DEFAULT_TAG_URL = 'https://www.googletagmanager.com/gtag/js';
