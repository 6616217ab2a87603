import * as v from 'valibot';
import { must } from '../faults/site-fault.ts';
import { choice, count, headerName, optionalWebUrl } from './site-values.ts';

/** How the portal learns where a caller is. */
export const network = v.optional(
  v.strictObject({
    /** CIDR ranges of proxies that may name the caller's address. */
    trustedProxies: v.optional(
      v.array(v.string(must('range')), must('list', { example: '["10.0.0.0/8"]' })),
      [],
    ),
    clientAddressHeader: v.optional(headerName, ''),
    countryHeader: v.optional(headerName, ''),
    /** A file with countries, one with autonomous systems, or a list of both. */
    mmdb: v.optional(v.union([v.string(), v.array(v.string())], must('mmdb-path')), ''),
    /** Whether a site with restricted regions serves callers of unknown region. */
    unknownRegion: v.optional(choice(['closed', 'open']), 'closed'),
  }),
  {},
);

/** How much one caller may ask for. */
export const limits = v.optional(
  v.strictObject({
    apiPerMinute: v.optional(count, 600),
    reportsPerNetwork: v.optional(count, 10),
    /**
     * CIDR ranges in which many visitors share one address, such as a carrier's. Of the limits by address, only that on
     * reports applies to them: otherwise a liar among them could steer everybody.
     */
    exempt: v.optional(
      v.array(v.string(must('range')), must('list', { example: '["198.51.100.0/24"]' })),
      [],
    ),
  }),
  {},
);

/** What the site uses of other servers. */
export const services = v.optional(
  v.strictObject({
    /** The base URL of a caller's-address service elsewhere. Empty means this server's own. */
    callerAddress: v.pipe(optionalWebUrl, v.transform(dropEndingSlashes)),
  }),
  {},
);

function dropEndingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
