/** The answer to a visitor from a region that the operator does not serve (RFC 7725). */
export const RESTRICTED_STATUS = 451;
