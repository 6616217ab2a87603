import type { FailureCause } from '../../contract/speed-result.ts';
import type { LineReply } from '../../line/request-line.ts';

/** Why a page would not take a line that replied so; undefined for a valid line. */
export function findCause(
  reply: LineReply,
  { marker, markerHeader }: { readonly marker: string; readonly markerHeader: string },
): FailureCause | undefined {
  if (reply.kind !== 'answer') return reply.kind;
  // A browser says no more of a bad certificate, or of a redirect that it must not follow, than that it failed.
  if (reply.certificate?.faultCode !== undefined) return 'unreachable';
  if (reply.status >= 300 && reply.status < 400) return 'unreachable';
  const isLine = reply.status < 300 && reply.headers[markerHeader.toLowerCase()] === marker;
  return isLine ? undefined : 'wrong-server';
}
