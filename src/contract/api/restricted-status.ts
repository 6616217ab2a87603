/** The status for visitors from a region that the operator does not serve (RFC 7725). */
export const RESTRICTED_STATUS = 451;
