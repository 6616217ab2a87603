import type { HealthFault } from '../../../contract/line/line-fault.ts';
import type { LineReply } from '../../../contract/line/line-reply.ts';
import { findPageFault, judgeReply } from '../../../engine/line/judge-reply.ts';
import type { StayState } from '../../../engine/line/create-ask-stay.ts';
import { daysLeft } from '../certificates.ts';
import { portOf } from '../line-state.ts';
import type { ListedLine } from './list-lines.ts';
import { type CheckExpectation, type CodedFault, describeCoded, describeReply } from './describe-reply.ts';

export type LineCheck = {
  readonly line: ListedLine;
  /** The number of addresses without a fault. */
  readonly goodAddresses: number;
  /** The time of the fastest answer. Undefined if there was none. */
  readonly timeMs: number | undefined;
  /** The days until the first certificate expires. Undefined without a certificate. */
  readonly daysLeft: number | undefined;
  /** The version of the files that keep visitors in. Undefined if the line has none, or is not asked. */
  readonly stay?: string | undefined;
  readonly faults: readonly PortFault[];
};

/** A fault, and the ports that have it. */
export type PortFault = CodedFault & { readonly ports: readonly number[] };

/** Asks a line at one of its addresses. */
export type LineClient = {
  /** Sends the speed check. */
  readonly askSpeed: (address: string) => Promise<LineReply>;
  /** Asks for the page that visitors enter, at `/`. */
  readonly askPage: (address: string) => Promise<LineReply>;
  /** Asks the application, as `lines.health` of the site says. */
  readonly askApplication?: ((address: string) => Promise<HealthFault | undefined>) | undefined;
  /** Asks for the files that keep visitors in. */
  readonly askStay?: (address: string) => Promise<StayState>;
};

/** Asks a line at each of its addresses, and collects its faults. */
export async function checkLine(
  line: ListedLine,
  { askSpeed, askPage, askApplication, askStay }: LineClient,
  expected: CheckExpectation,
): Promise<LineCheck> {
  const replies = await Promise.all(
    line.addresses.map(async (address) => {
      const reply = await askSpeed(address);
      const isTaken = judgeReply(address, reply, expected).cause === undefined;
      const page = isTaken ? findPageFault(await askPage(address)) : undefined;
      const application = isTaken ? await askApplication?.(address) : undefined;
      const stay = isTaken ? await askStay?.(address) : undefined;
      const others = [page, application, ...(stay?.faults ?? [])].filter((fault) => fault !== undefined);
      return { address, reply, others, stay: stay?.version };
    }),
  );
  const faults = new Map<string, PortFault>();
  let goodAddresses = 0;
  for (const { address, reply, others } of replies) {
    const found = [...describeReply(address, reply, expected), ...others.map(describeCoded)];
    if (found.length === 0) goodAddresses += 1;
    for (const fault of found) {
      const ports = faults.get(fault.problem)?.ports ?? [];
      faults.set(fault.problem, { ...fault, ports: [...ports, portOf(address)] });
    }
  }
  const answers = replies.map(({ reply }) => reply).filter((reply) => reply.kind === 'answer');
  const certificates = answers.flatMap(({ certificate }) => certificate ?? []);
  return {
    line,
    goodAddresses,
    timeMs: minimum(answers.map(({ timeMs }) => timeMs)),
    daysLeft: minimum(certificates.map((certificate) => daysLeft(certificate, expected.now))),
    stay: replies.find(({ stay }) => stay !== undefined)?.stay,
    faults: [...faults.values()],
  };
}

function minimum(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}
