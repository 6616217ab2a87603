import type { ProbeFault } from '../../contract/console.ts';
import type { SiteConfig } from '../../contract/site-config.ts';
import type { LineReply } from './watch-lines.ts';

/** Why a line's reply to the speed check does not count, judged as a browser would: a certificate that it trusts, a good status, and the marker, exactly. */
export function findReplyFault(
  reply: LineReply,
  { marker, markerHeader }: Pick<SiteConfig['lines'], 'marker' | 'markerHeader'>,
): ProbeFault | undefined {
  if (reply.kind !== 'answer') return reply.kind;
  if (reply.certificate?.faultCode !== undefined) return 'certificate';
  if (reply.status < 200 || reply.status > 299) return 'status';
  return reply.headers[markerHeader.toLowerCase()] === marker ? undefined : 'wrong-server';
}
