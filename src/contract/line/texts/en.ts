import { SPEED_CHECK_TIMEOUT_MS } from '../../limits.ts';
import { writeDay } from '../../write-day.ts';
import type { LineFault } from '../line-fault.ts';

export type FaultText = {
  /** In English it completes the sentence "it …". Without a full stop. */
  readonly problem: string;
  /** A sentence that tells the operator what to do. */
  readonly advice: string;
};

export type FaultOf<Kind> = Extract<LineFault, { readonly kind: Kind }>;

/** What is wrong with a line, by its kind. */
export type LineFaultTexts = {
  readonly [Kind in LineFault['kind']]: FaultText | ((fault: FaultOf<Kind>) => FaultText);
};

const ANSWER_200 = 'Answer /speed.php with 200, see deploy/line.';

export const en: LineFaultTexts = {
  timeout: {
    problem: `gave no answer within ${SPEED_CHECK_TIMEOUT_MS / 1_000} seconds`,
    advice: 'Check that its server runs and that no firewall drops the port.',
  },
  unreachable: sayUnreachable,
  'mixed-content': ({ portal }) => ({
    problem: `is http, which a page of ${portal} may not reach`,
    advice: 'Give it a certificate and drop "http://" from its entry.',
  }),
  certificate: sayCertificate,
  upgrade: { problem: 'switches to another protocol (status 101)', advice: ANSWER_200 },
  redirect: ({ location }) => ({
    problem: `redirects the speed check to ${location ?? 'nowhere'}`,
    advice: 'Answer /speed.php with 200: pages do not follow redirects.',
  }),
  'not-allowed': {
    problem: 'does not allow pages of the portal to ask it',
    advice: 'Send "Access-Control-Allow-Origin: *", once.',
  },
  status: ({ status }) => ({ problem: `answers with status ${status}`, advice: ANSWER_200 }),
  'no-marker': (fault) => ({ problem: `sends no ${fault.header} header`, advice: correctMarker(fault) }),
  'other-marker': (fault) => ({
    problem: `sends the marker "${fault.found}", not "${fault.marker}"`,
    advice: correctMarker(fault),
  }),
  'not-exposed': ({ header }) => ({
    problem: 'does not let a page read its marker',
    advice: `Send "Access-Control-Expose-Headers: ${header}".`,
  }),
  'page-status': ({ status }) => sayPage(`answers ${status}`),
  'page-no-answer': sayPage('does not answer'),
  'health-no-answer': ({ path }) => sayHealth(path, 'does not answer'),
  'health-status': ({ path, status }) => sayHealth(path, `answers ${status}`),
  'health-body': ({ path }) => sayHealth(path, 'does not have the expected content'),
  'stay-no-worker': {
    problem: 'has stay.js, but no /waypost/stay-worker.js',
    advice: 'Copy both files of deploy/line/www/waypost to the line.',
  },
  'stay-scope': {
    problem: 'does not let stay-worker.js act for the whole line',
    advice: 'Send "Service-Worker-Allowed: /" with it, see deploy/line.',
  },
  'stay-type': {
    problem: 'sends stay-worker.js with a type that browsers do not run',
    advice: 'Send "Content-Type: text/javascript" with it, see deploy/line.',
  },
};

function correctMarker({ header, marker }: FaultOf<'no-marker' | 'other-marker'>): string {
  return `Send "${header}: ${marker}", or correct lines.marker.`;
}

function sayPage(what: string): FaultText {
  return {
    problem: `answers the speed check, but its page ${what}`,
    advice: 'Put the site that visitors came for at / on the line, see deploy/line.',
  };
}

function sayHealth(path: string, what: string): FaultText {
  return {
    problem: `has an application that fails its health check: ${path} ${what}`,
    advice: 'Start the application behind the line, or correct lines.health.',
  };
}

function sayUnreachable({ code }: FaultOf<'unreachable'>): FaultText {
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
        advice: 'Check that its server runs and that its name is correct.',
      };
  }
}

function sayCertificate({ code, hostname, validTo }: FaultOf<'certificate'>): FaultText {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return {
        problem: `has a certificate that expired on ${writeDay(validTo)}`,
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
