/** Carries `get_ip` of the caller's-address service to the hostname call. */
export const REAL_USER_ADDR_HEADER = 'RealUserAddr';
/** Carries `key_id`, the signed proof of that address. */
export const REAL_USER_ID_HEADER = 'RealUserID';
/** Carries the ticket with which a page may report what it measured. */
export const TICKET_HEADER = 'Waypost-Ticket';
/** Tells a line's service worker how to recognise the siblings that were handed out: see `line/stay-rules.ts`. */
export const STAY_HEADER = 'Waypost-Stay';
/** Carries the place in the list of the line that the server believes will win. Without it, `/r` fetches nothing ahead. */
export const FAVOURITE_HEADER = 'Waypost-Favourite';
/** On a page, `off`: the browser keeps nothing and removes what it kept. On a shell: for how many days kept lines are valid. */
export const OFFLINE_HEADER = 'Waypost-Offline';
/** On an image of a recording, `present`: the portal did not keep the image of that time, so this is the present one. */
export const IMAGE_HEADER = 'Waypost-Image';
/** Carries a line's marker, unless the site folder names another header. */
export const DEFAULT_MARKER_HEADER = 'server';
/** Names a request that makes a version, so that it can be sent again after its answer was lost. */
export const REQUEST_KEY_HEADER = 'Idempotency-Key';
