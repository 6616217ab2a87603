import { SPEED_CHECK_TIMEOUT_MS } from '../limits.ts';
import type { LineFault } from './line-fault.ts';

export type FaultText = {
  /** Completes the sentence "it …". */
  readonly problem: string;
  /** A sentence that tells the operator what to do. */
  readonly advice: string;
};

/**
 * Says in English what is wrong with a line, and what to do about it: for commands, for the log, and for the console,
 * which has the same words in other languages.
 */
export function describeFault(fault: LineFault): FaultText {
  switch (fault.kind) {
    case 'timeout':
      return {
        problem: `gave no answer within ${SPEED_CHECK_TIMEOUT_MS / 1000} seconds`,
        advice: 'See that its server is up and that no firewall drops the port.',
      };
    case 'unreachable':
      return describeUnreachable(fault.code);
    case 'mixed-content':
      return {
        problem: `is http, which a page of ${fault.portal} may not reach`,
        advice: 'Give it a certificate and drop "http://" from its entry.',
      };
    case 'certificate':
      return describeCertificate(fault);
    case 'upgrade':
      return {
        problem: 'switches to another protocol (status 101)',
        advice: 'Answer /speed.php with 200, see deploy/line.',
      };
    case 'redirect':
      return {
        problem: `redirects the speed check to ${fault.location ?? 'nowhere'}`,
        advice: 'Answer /speed.php itself: a page does not follow it.',
      };
    case 'not-allowed':
      return {
        problem: 'does not allow pages of the portal to ask it',
        advice: 'Send "Access-Control-Allow-Origin: *", once.',
      };
    case 'status':
      return {
        problem: `answers with status ${fault.status}`,
        advice: 'Answer /speed.php with 200, see deploy/line.',
      };
    case 'no-marker':
      return {
        problem: `sends no ${fault.header} header`,
        advice: `Send "${fault.header}: ${fault.marker}", or correct lines.marker.`,
      };
    case 'other-marker':
      return {
        problem: `says "${fault.found}", not "${fault.marker}"`,
        advice: `Send "${fault.header}: ${fault.marker}", or correct lines.marker.`,
      };
    case 'not-exposed':
      return {
        problem: 'does not let a page read its marker',
        advice: `Send "Access-Control-Expose-Headers: ${fault.header}".`,
      };
    case 'page-status':
      return describePage(`answers ${fault.status}`);
    case 'page-no-answer':
      return describePage('does not answer');
    case 'health-no-answer':
      return describeHealth(fault.path, 'does not answer');
    case 'health-status':
      return describeHealth(fault.path, `answers ${fault.status}`);
    case 'health-body':
      return describeHealth(fault.path, 'does not say what it must');
  }
}

function describeHealth(path: string, what: string): FaultText {
  return {
    problem: `has an application that is not well: ${path} ${what}`,
    advice: 'Start the application behind the line, or correct lines.health.',
  };
}

function describePage(what: string): FaultText {
  return {
    problem: `answers the speed check, but its page ${what}`,
    advice: 'Put the site that visitors came for at / on the line, see deploy/line.',
  };
}

function describeUnreachable(code: string): FaultText {
  switch (code) {
    case 'ECONNREFUSED':
      return {
        problem: 'refused the connection',
        advice: 'Start its server on that port, or take the port out of the site folder.',
      };
    case 'ENOTFOUND':
      return {
        problem: 'has no such name in DNS',
        advice: 'Add the name and the wildcard below it, or set noWWW for a line without the wildcard.',
      };
    case 'PRIVATE_ADDRESS':
      return {
        problem: 'leads to an address of a private network, which the console does not ask',
        advice: 'Correct its name, or start the portal with WAYPOST_PRIVATE_LINES=on.',
      };
    case 'ECONNRESET':
      return { problem: 'ended the connection without an answer', advice: "See its server's error log." };
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return {
        problem: 'does not speak https here',
        advice: 'Give the port its certificate, see deploy/line, or write "http://" in its entry.',
      };
    default:
      return {
        problem: `could not be reached (${code})`,
        advice: 'See that its server is up and its name right.',
      };
  }
}

function describeCertificate({
  code,
  hostname,
  validTo,
}: Extract<LineFault, { kind: 'certificate' }>): FaultText {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return {
        problem: `has a certificate that expired on ${new Date(validTo).toISOString().slice(0, 10)}`,
        advice: 'Renew it.',
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        problem: `has a certificate that is not for ${hostname}`,
        advice: 'Get one with the wildcard below its name, or set noWWW for the line.',
      };
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return {
        problem: 'has a certificate that is signed by itself, which no browser trusts',
        advice: 'Get one from a public authority.',
      };
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return {
        problem: 'has a certificate whose authority is missing or not trusted',
        advice: 'Serve the whole chain (fullchain.pem), from a public authority.',
      };
    default:
      return { problem: `has a certificate that is not valid (${code})`, advice: 'Replace it.' };
  }
}
