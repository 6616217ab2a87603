import { MINUTE_MS } from '../../src/contract/time-units.ts';
import { type Attack, type Tally, expectTally, meanMs, startSimulation } from './simulate.ts';

/** What an attack from one prefix changes, beside the same visitors without it. */
export type Damage = {
  /** By which part the mean time to enter changes, in the whole world. */
  readonly meanMoved: number;
  /** The largest change of a line's share of the visitors of the whole world. */
  readonly shareMoved: number;
  /** The victim's entries in the attacker's own network, with the attack and without it. */
  readonly ownEntries: { readonly attacked: number; readonly before: number };
};

export type AttackSettings = {
  readonly seed: number;
  /** The attacker's own network, by its rank among all. */
  readonly network: number;
  readonly lines: number;
  readonly visitorsPerHour: number;
  readonly warmUpMinutes: number;
  readonly minutes: number;
};

/** Attacks the line that the attacker's own network enters most, in each direction. */
export function measureAttacks(settings: AttackSettings): { readonly down: Damage; readonly up: Damage } {
  const before = visitWorld(settings, undefined);
  return {
    down: compare(before, visitWorld(settings, 'down'), settings),
    up: compare(before, visitWorld(settings, 'up'), settings),
  };
}

type Visited = { readonly tally: Tally; readonly victim: number };

function compare(before: Visited, attacked: Visited, { network }: AttackSettings): Damage {
  const moves = Array.from(before.tally.entries, (_, line) =>
    Math.abs(shareOf(attacked.tally, line) - shareOf(before.tally, line)),
  );
  return {
    meanMoved: Math.abs(meanMs(attacked.tally) / meanMs(before.tally) - 1),
    shareMoved: Math.max(...moves),
    ownEntries: {
      attacked: entriesIn(attacked.tally, network)[attacked.victim] ?? 0,
      before: entriesIn(before.tally, network)[before.victim] ?? 0,
    },
  };
}

function visitWorld(settings: AttackSettings, direction: Attack['direction'] | undefined): Visited {
  const { network, warmUpMinutes, minutes } = settings;
  const { run, attack } = startSimulation({ ...settings, policies: ['ours'] });
  const entries = entriesIn(expectTally(run(warmUpMinutes * MINUTE_MS).get('ours')), network);
  const victim = entries.indexOf(Math.max(...entries));
  if (direction !== undefined) attack({ network, victim, direction });
  return { tally: expectTally(run(minutes * MINUTE_MS).get('ours')), victim };
}

function entriesIn({ entriesOf, entries }: Tally, network: number): Float64Array {
  return entriesOf.get(network) ?? new Float64Array(entries.length);
}

function shareOf({ entries }: Tally, line: number): number {
  return (entries[line] ?? 0) / entries.reduce((sum, count) => sum + count, 0);
}
