import type { Closing } from '../../contract/api/closing.ts';
import { MAX_ROWS } from '../../contract/limits.ts';
import type { Prober } from '../probe/create-prober.ts';
import type { Effects } from '../effects/effects.ts';
import { fetchTarget } from '../portal/fetch-target.ts';
import { type Line, buildTargetLine } from '../line/build-line.ts';
import { startRace } from '../probe/start-race.ts';

export type FoundTarget =
  /** `proof` is there if the address sent the marker. If none did, this is the first one. */
  | { readonly kind: 'found'; readonly address: string; readonly proof: TargetProof | undefined }
  /**
   * No address sent the marker, and somebody else answers at the first one. `other` is the next one where nobody else does,
   * if there is one.
   */
  | { readonly kind: 'wrong-server'; readonly address: string; readonly other: string | undefined }
  | { readonly kind: Closing }
  /** The target has no file, or no usable address is in it. */
  | { readonly kind: 'failed' };

/** What is known of the address that won. */
export type TargetProof = {
  /** Undefined if the page was hidden meanwhile, because a hidden page measures wrong times. */
  readonly timeMs: number | undefined;
  /** How many addresses were asked. None of the others answered before it. */
  readonly of: number;
};

export type FindTargetSettings = Pick<Effects, 'fetch' | 'setTimer'> & {
  readonly prober: Pick<Prober, 'probe' | 'cache'>;
  /** Asks for the links config together with the first call. No probe is sent before it has settled. */
  readonly askLinks: (signal: AbortSignal) => Promise<unknown>;
  readonly signal: AbortSignal;
  /** Called with the addresses that the portal has answered. */
  readonly onListed?: (hosts: readonly unknown[]) => void;
  /** Called for every entry that is dropped. */
  readonly onRefused: (entry: unknown, reason: string) => void;
};

/** Finds the fastest address of a `/t` target, four at a time. If none answers as ours, the first one is used. */
export async function findTarget(target: string, settings: FindTargetSettings): Promise<FoundTarget> {
  const { prober, askLinks, signal, onRefused } = settings;
  const listed = fetchTarget(target, signal, settings);
  const linksSettled = askLinks(signal);
  const answer = await listed;
  if (answer.kind !== 'listed') return answer;
  const lines = answer.hosts.flatMap((host) => createTargetLine(host, onRefused) ?? []);
  const [first] = lines;
  if (!first) return { kind: 'failed' };
  await linksSettled;
  const wrong = new Set<string>();
  let asked = 0;
  // The cache cannot say which addresses were wrong: it holds no results of a hidden page.
  const probe: Prober['probe'] = (line, aborted) => {
    asked += 1;
    const sent = prober.probe(line, aborted);
    void sent.verdict.then((verdict) => verdict === 'wrong-server' && wrong.add(line.host));
    return sent;
  };
  const race = startRace({ probe, cache: prober.cache }, signal);
  for (let start = 0; start < lines.length && !race.signal.aborted; start += MAX_ROWS) {
    await race.add(lines.slice(start, start + MAX_ROWS));
  }
  settings.onListed?.(answer.hosts);
  const winner = race.winner();
  const { address } = winner ?? first;
  const proof = winner && { timeMs: prober.cache.get(winner.host)?.time, of: asked };
  if (winner || !wrong.has(first.host)) return { kind: 'found', address, proof };
  const other = lines.find(({ host }) => !wrong.has(host))?.address;
  return { kind: 'wrong-server', address, other };
}

function createTargetLine(entry: unknown, onRefused: FindTargetSettings['onRefused']): Line | undefined {
  const built =
    typeof entry === 'string'
      ? buildTargetLine(entry)
      : ({ kind: 'refused', reason: 'is not a text' } as const);
  if ('reason' in built) {
    onRefused(entry, built.reason);
    return undefined;
  }
  // The slash makes the key differ from that of a line with the same host, whose address may be another.
  return { host: `${built.address}/`, address: built.address };
}
