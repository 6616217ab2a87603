import type { Claim } from './claim.ts';
import { sendFor } from './send-requests.ts';
import type { MeasuredServer } from './start-servers.ts';
import { median } from './statistics.ts';

export type Contestant = {
  readonly name: string;
  readonly server: MeasuredServer;
  /** Instead of those that the others get. */
  readonly requests?: readonly Buffer[];
  /** Its minimum rate, relative to the first server's. */
  readonly minRatio?: number;
};

const RUNS = 5;
const RUN_SECONDS = 2;
/** Until V8 has compiled the code that runs often; a server that does more has more such code. */
const WARM_UP_REQUESTS = 100_000;
const CONNECTIONS = 50;

/** Measures servers in turn, several times over, and compares their median rates with the first one's. */
export async function compareRates(
  contestants: readonly Contestant[],
  requests: readonly Buffer[],
): Promise<readonly Claim[]> {
  const rates = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  const measure = (contestant: Contestant, seconds: number) => {
    const { port } = contestant.server;
    return sendFor({ port, requests: contestant.requests ?? requests, connections: CONNECTIONS }, seconds);
  };
  for (const contestant of contestants) {
    for (let sent = 0; sent < WARM_UP_REQUESTS;) sent += (await measure(contestant, 1)).answered;
  }
  for (let run = 0; run < RUNS; run += 1) {
    // The order alternates, so that a change of the machine's speed affects all servers equally.
    for (const contestant of run % 2 === 0 ? contestants : contestants.toReversed()) {
      const { name } = contestant;
      const { answered, seconds, failed } = await measure(contestant, RUN_SECONDS);
      if (failed > 0) throw new Error(`${name} failed ${failed} of ${failed + answered} requests`);
      rates.get(name)?.push(answered / seconds);
    }
  }
  const rateOf = (name: string): number => median(rates.get(name) ?? []);
  const base = rateOf(contestants[0]?.name ?? '');
  return contestants.map(({ name, minRatio }) => {
    const ratio = rateOf(name) / base;
    const runs = (rates.get(name) ?? []).map((rate) => Math.round(rate).toLocaleString('en')).join(', ');
    return {
      what: name,
      measured: `${Math.round(rateOf(name)).toLocaleString('en')} requests/s, ${ratio.toFixed(2)} (runs: ${runs})`,
      ...(minRatio === undefined
        ? {}
        : { bound: { text: `≥ ${minRatio.toFixed(2)}`, isMet: ratio >= minRatio } }),
    };
  });
}
