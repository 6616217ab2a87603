import type { LineCertificate } from '../../contract/line/line-reply.ts';
import type { FaultText } from '../../engine/line/describe-fault.ts';

const DAY_MS = 86_400_000;
/** Whoever renews by itself has done so long before. */
export const MIN_DAYS_LEFT = 14;

/** A certificate that is valid, but not for long. */
export function findExpiry(certificate: LineCertificate | undefined, now: number): readonly FaultText[] {
  if (certificate === undefined || certificate.faultCode !== undefined) return [];
  if (daysLeft(certificate, now) >= MIN_DAYS_LEFT) return [];
  return [{ problem: `has a certificate that expires on ${dateOf(certificate)}`, advice: 'Renew it now.' }];
}

/** Whole days until a certificate expires; negative once it has. */
export function daysLeft({ validTo }: LineCertificate, now: number): number {
  return Math.floor((validTo.getTime() - now) / DAY_MS);
}

function dateOf({ validTo }: LineCertificate): string {
  return validTo.toISOString().slice(0, 10);
}
