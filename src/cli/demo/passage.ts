import { DEMO_LINES, HERE, type Place, findDistanceMs } from './demo-lines.ts';

/** Where a simulated visitor comes from. */
export type DemoNetwork = {
  /** The beginning of its addresses. */
  readonly prefix: string;
  readonly place: Place;
  /** Its visitors reach no line of this place. */
  readonly blocked?: Place;
};

/** How visitors of a network reach a line. */
export type Passage = {
  /** The part of them who reach it. */
  readonly reach: number;
  /** How much longer a line takes for them than for this machine. Below zero if they are nearer. */
  readonly extraMs: number;
};

/**
 * This machine's own network, which the person at the demo shares, and reserved ranges: for benchmarks (RFC 2544), for
 * carriers (RFC 6598), for documentation (RFC 3849).
 */
export const NETWORKS: readonly DemoNetwork[] = [
  { prefix: '127.0', place: 'north' },
  { prefix: '198.18', place: 'north' },
  { prefix: '198.19', place: 'east' },
  { prefix: '100.64', place: 'east' },
  { prefix: '100.65', place: 'south' },
  { prefix: '2001:db8', place: 'south', blocked: 'south' },
];

/** The ways to the farthest place are busy: they lose a quarter. */
const FAR_MS = 200;
const FAR_REACH = 0.75;

/** Finds how visitors of a network reach a host. Hosts that are no lines of the demo are as far as from this machine. */
export function findPassage({ place, blocked }: DemoNetwork, host: string): Passage {
  const line = DEMO_LINES.find((each) => host.endsWith(`//${each.host}`));
  if (line === undefined) return { reach: 1, extraMs: 0 };
  const distanceMs = findDistanceMs(place, line.place);
  return {
    reach: line.place === blocked ? 0 : distanceMs < FAR_MS ? 1 : FAR_REACH,
    // A line answers as late as it must for this machine.
    extraMs: distanceMs - findDistanceMs(HERE, line.place),
  };
}
