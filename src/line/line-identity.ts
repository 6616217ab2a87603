import { validateHeaderName, validateHeaderValue } from 'node:http';
import { DEFAULT_MARKER_HEADER } from '../contract/api/headers.ts';

/** What a line says of itself, and in which header. */
export type LineIdentity = {
  readonly marker: string;
  /** The name of the header, `Server` unless a CDN in front overwrites that one. */
  readonly markerHeader: string;
};

/** Fills in the usual header, spelled as the servers in `deploy/line` send it. Throws where no header could carry it. */
export function lineIdentity(marker: string, markerHeader = DEFAULT_MARKER_HEADER): LineIdentity {
  validateHeaderName(markerHeader);
  validateHeaderValue(markerHeader, marker);
  return { marker, markerHeader: markerHeader.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()) };
}
