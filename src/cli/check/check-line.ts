import type { LineReply } from '../../line/request-line.ts';
import type { SiteLine } from '../list-lines.ts';
import type { Fault } from './fault.ts';
import { daysLeft } from './judge-certificate.ts';
import { type Expectation, judgeReply } from './judge-reply.ts';

export type LineCheck = {
  readonly line: SiteLine;
  /** Of how many addresses nothing is held against. */
  readonly goodAddresses: number;
  /** The fastest answer; undefined where there was none. */
  readonly timeMs: number | undefined;
  /** Of the certificate that expires first; undefined without any. */
  readonly daysLeft: number | undefined;
  readonly faults: readonly LineFault[];
};

/** A fault, and the ports that have it. */
export type LineFault = Fault & { readonly ports: readonly string[] };

/** Asks a line at each of its addresses, and gathers what is wrong with it. */
export async function checkLine(
  line: SiteLine,
  request: (address: string) => Promise<LineReply>,
  expected: Expectation,
): Promise<LineCheck> {
  const replies = await Promise.all(
    line.addresses.map(async (address) => ({ address, reply: await request(address) })),
  );
  const faults = new Map<string, LineFault>();
  let goodAddresses = 0;
  for (const { address, reply } of replies) {
    const found = judgeReply(address, reply, expected);
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
    faults: [...faults.values()],
  };
}

function portOf(address: string): string {
  const { port, protocol } = new URL(address);
  return port || (protocol === 'https:' ? '443' : '80');
}

function minimum(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}
