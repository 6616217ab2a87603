import { MIN_CERTIFICATE_DAYS } from '../../../contract/limits.ts';
import type { LineCode } from '../../../contract/error-codes.ts';
import { describeFault } from '../../../contract/line/describe-fault.ts';
import type { FaultText } from '../../../contract/line/texts/en.ts';
import type { LineFault } from '../../../contract/line/line-fault.ts';
import type { LineAnswer, LineCertificate, LineReply } from '../../../contract/line/line-reply.ts';
import { writeDay } from '../../../contract/write-day.ts';
import { type Expectation, judgeReply } from '../../../engine/line/judge-reply.ts';
import { daysLeft } from '../certificates.ts';

export type CheckExpectation = Expectation & {
  /** Ms since 1970. */
  readonly now: number;
};

export type CodedFault = FaultText & {
  readonly code: LineCode;
  /** The fault as data, to say it in another language. A warning has none. */
  readonly fault?: LineFault;
};

/** Describes all faults of a line's reply to the speed check, and what will become one. */
export function describeReply(
  address: string,
  reply: LineReply,
  expected: CheckExpectation,
): readonly CodedFault[] {
  const { faults } = judgeReply(address, reply, expected);
  const texts = faults.map(describeCoded);
  if (reply.kind !== 'answer') return texts;
  return [...texts, ...findExpiry(reply.certificate, expected.now), ...judgeTiming(reply, expected.portal)];
}

/** Describes a fault, with its kind as its code. */
export function describeCoded(fault: LineFault): CodedFault {
  const { problem, advice } = describeFault(fault, 'en');
  return { code: fault.kind, problem, advice, fault };
}

/** Without this header a line works, but the measured time is less exact. */
function judgeTiming({ headers }: LineAnswer, portal: string | undefined): readonly CodedFault[] {
  const timed = new Set((headers['timing-allow-origin'] ?? '').split(',').map((item) => item.trim()));
  if (timed.has('*') || (portal !== undefined && timed.has(portal))) return [];
  return [
    {
      code: 'no-timing',
      problem: "does not let a page read the browser's own timing",
      advice: 'Send "Timing-Allow-Origin: *".',
    },
  ];
}

/** Finds a certificate that is valid, but not for long. */
function findExpiry(certificate: LineCertificate | undefined, now: number): readonly CodedFault[] {
  if (certificate === undefined || certificate.faultCode !== undefined) return [];
  if (daysLeft(certificate, now) >= MIN_CERTIFICATE_DAYS) return [];
  return [
    {
      code: 'certificate-ends-soon',
      problem: `has a certificate that expires on ${writeDay(certificate.validTo.getTime())}`,
      advice: 'Renew it now.',
    },
  ];
}
