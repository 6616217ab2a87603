import type { LineCertificate } from '../../line/request-line.ts';
import type { Fault } from './fault.ts';

const DAY_MS = 86_400_000;
/** Whoever renews by itself has done so long before. */
export const MIN_DAYS_LEFT = 14;

/** What a browser, or the calendar, holds against the certificate of an address. */
export function judgeCertificate(
  address: string,
  certificate: LineCertificate | undefined,
  now: number,
): readonly Fault[] {
  if (certificate === undefined) return [];
  if (certificate.faultCode !== undefined) {
    return [describeFault(certificate.faultCode, new URL(address).hostname, certificate)];
  }
  if (daysLeft(certificate, now) >= MIN_DAYS_LEFT) return [];
  return [{ problem: `has a certificate that expires on ${dateOf(certificate)}`, mend: 'Renew it now.' }];
}

/** Whole days until a certificate expires; negative once it has. */
export function daysLeft({ validTo }: LineCertificate, now: number): number {
  return Math.floor((validTo.getTime() - now) / DAY_MS);
}

function describeFault(code: string, hostname: string, certificate: LineCertificate): Fault {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return {
        problem: `has a certificate that expired on ${dateOf(certificate)}`,
        mend: 'Renew it.',
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        problem: `has a certificate that is not for ${hostname}`,
        mend: 'Get one with the wildcard below its name, or set noWWW for the line.',
      };
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return {
        problem: 'has a certificate that is signed by itself, which no browser trusts',
        mend: 'Get one from a public authority.',
      };
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return {
        problem: 'has a certificate whose authority is missing or not trusted',
        mend: 'Serve the whole chain (fullchain.pem), from a public authority.',
      };
    default:
      return { problem: `has a certificate that is not valid (${code})`, mend: 'Replace it.' };
  }
}

function dateOf({ validTo }: LineCertificate): string {
  return validTo.toISOString().slice(0, 10);
}
