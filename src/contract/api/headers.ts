/** The caller's address, passed on to the hostname call as the caller's-address service gave it. */
export const REAL_USER_ADDR_HEADER = 'RealUserAddr';
/** The signed proof of that address. */
export const REAL_USER_ID_HEADER = 'RealUserID';
/** The ticket with which a page may report what it measured. */
export const TICKET_HEADER = 'Waypost-Ticket';
/** Where a line identifies itself, unless the site folder names another header. */
export const DEFAULT_MARKER_HEADER = 'server';
