import { SPEED_CHECK_TIMEOUT_MS } from '../../contract/limits.ts';
import type { LineReply } from '../../line/request-line.ts';
import type { Fault } from './fault.ts';
import { judgeCertificate } from './judge-certificate.ts';

export type Expectation = {
  readonly marker: string;
  readonly markerHeader: string;
  /** The origin of the portal; undefined where it was not given. */
  readonly portal: string | undefined;
  /** Ms since 1970. */
  readonly now: number;
};

const NO_ANSWER: Fault = {
  problem: `gave no answer within ${SPEED_CHECK_TIMEOUT_MS / 1000} seconds`,
  mend: 'See that its server is up and that no firewall drops the port.',
};

type Answer = Extract<LineReply, { kind: 'answer' }>;

/** What a browser would hold against a line, judged by what it replied at one of its addresses. */
export function judgeReply(address: string, reply: LineReply, expected: Expectation): readonly Fault[] {
  const scheme = judgeScheme(address, expected.portal);
  if (reply.kind === 'timeout') return [...scheme, NO_ANSWER];
  if (reply.kind === 'unreachable') return [...scheme, describeUnreachable(reply.code)];
  return [
    ...scheme,
    ...judgeCertificate(address, reply.certificate, expected.now),
    ...judgeStatus(reply),
    ...judgeHeaders(reply, expected),
  ];
}

function judgeScheme(address: string, portal: string | undefined): readonly Fault[] {
  if (!address.startsWith('http:') || portal?.startsWith('https:') !== true) return [];
  return [
    {
      problem: `is http, which a page of ${portal} may not reach`,
      mend: 'Give it a certificate and drop "http://" from its entry.',
    },
  ];
}

function describeUnreachable(code: string): Fault {
  switch (code) {
    case 'ECONNREFUSED':
      return {
        problem: 'refused the connection',
        mend: 'Start its server on that port, or take the port out of the site folder.',
      };
    case 'ENOTFOUND':
      return {
        problem: 'has no such name in DNS',
        mend: 'Add the name and the wildcard below it, or set noWWW for a line without the wildcard.',
      };
    case 'ECONNRESET':
      return { problem: 'ended the connection without an answer', mend: "See its server's error log." };
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return {
        problem: 'does not speak https here',
        mend: 'Give the port its certificate, see deploy/line, or write "http://" in its entry.',
      };
    default:
      return {
        problem: `could not be reached (${code})`,
        mend: 'See that its server is up and its name right.',
      };
  }
}

function judgeStatus({ status, headers }: Answer): readonly Fault[] {
  if (status >= 200 && status < 300) return [];
  if (status >= 300 && status < 400) {
    return [
      {
        problem: `redirects the speed check to ${headers.location ?? 'nowhere'}`,
        mend: 'Answer /speed.php itself: a page does not follow it.',
      },
    ];
  }
  return [{ problem: `answers with status ${status}`, mend: 'Answer /speed.php with 200, see deploy/line.' }];
}

function judgeHeaders({ headers }: Answer, { marker, markerHeader, portal }: Expectation): readonly Fault[] {
  const faults: Fault[] = [];
  const found = headers[markerHeader.toLowerCase()];
  if (found !== marker) {
    faults.push({
      problem: found === undefined ? `sends no ${markerHeader} header` : `says "${found}", not "${marker}"`,
      mend: `Send "${markerHeader}: ${marker}", or correct lines.marker.`,
    });
  }
  // One value: a browser takes two for none, even where they are the same.
  const allowed = headers['access-control-allow-origin'];
  if (allowed !== '*' && (portal === undefined || allowed !== portal)) {
    faults.push({
      problem: 'does not allow pages of the portal to ask it',
      mend: 'Send "Access-Control-Allow-Origin: *", once.',
    });
  }
  const exposed = listOf(headers['access-control-expose-headers']);
  if (!exposed.includes('*') && !exposed.includes(markerHeader.toLowerCase())) {
    faults.push({
      problem: 'does not let a page read its marker',
      mend: `Send "Access-Control-Expose-Headers: ${markerHeader}".`,
    });
  }
  const timed = listOf(headers['timing-allow-origin']);
  if (!timed.includes('*') && !(portal !== undefined && timed.includes(portal))) {
    faults.push({
      problem: "does not let a page read the browser's own timing",
      mend: 'Send "Timing-Allow-Origin: *".',
    });
  }
  return faults;
}

function listOf(header: string | undefined): readonly string[] {
  return (header ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.trim());
}
