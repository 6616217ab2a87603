import type { LineCertificate, LineReply } from '../../contract/line/line-reply.ts';
import { DAY_MS } from '../../contract/time-units.ts';

/** The certificate that expires first, of those that a line's addresses showed. Undefined if none showed one. */
export function findFirstToExpire(
  addresses: readonly { readonly reply: LineReply }[],
): LineCertificate | undefined {
  return addresses
    .flatMap(({ reply }) => (reply.kind === 'answer' && reply.certificate ? [reply.certificate] : []))
    .toSorted((one, other) => one.validTo.getTime() - other.validTo.getTime())[0];
}

/** The whole days until a certificate expires. Negative if it has expired. */
export function daysLeft({ validTo }: LineCertificate, now: number): number {
  return Math.floor((validTo.getTime() - now) / DAY_MS);
}
