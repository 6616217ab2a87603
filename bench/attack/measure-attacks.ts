import { setTimeout as wait } from 'node:timers/promises';
import { type VisitOptions, sendVisits } from '../../e2e/support/send-visits.ts';
import type { Claim } from '../claim.ts';
import { median } from '../statistics.ts';

export const VISITORS = 8;
export const ATTACK_MS = 10_000;
const VISIT_PAUSE_MS = 50;
const CALM_MS = 4_000;
/** This long after an attack, everything must be as it was before. */
const RECOVERY_MS = 5_000;
const MAX_SLOWDOWN = 1.5;
const MAX_RESIDENT_MB = 200;

/** What is attacked, and how to measure its visitors and its memory. */
export type Target = {
  /** As a line of the result names it, such as "a portal alone". */
  readonly name: string;
  /** Where visitors ask. */
  readonly url: string;
  readonly ca?: VisitOptions['ca'];
  /** The memory of its largest portal, in MB. */
  readonly residentMb: () => Promise<number>;
};

export type Attack = {
  readonly what: string;
  /** The longest visit during the attack may take this much longer than the longest one before it. Not bound if absent. */
  readonly maxExtraMs?: number;
  /** For how long it goes on, if not for `ATTACK_MS`. */
  readonly forMs?: number;
  /** Starts the attack. Resolves with a function that ends it. */
  readonly start: () => Promise<() => Promise<void>>;
};

/** A target that was started, and its attacks. */
export type Battle = {
  readonly target: Target;
  readonly attacks: readonly Attack[];
  readonly close: () => Promise<void>;
};

/** Makes the attacks with this word in their name, one after the other, and then closes the target. */
export async function measureAttacks(battle: Battle, only: string): Promise<readonly Claim[]> {
  const { target, close } = battle;
  const attacks = battle.attacks.filter(({ what }) => `${target.name}: ${what}`.includes(only));
  const claims: Claim[] = [];
  try {
    // Until V8 has compiled the code that runs often.
    if (attacks.length > 0) await visitFor(target, CALM_MS);
    for (const attack of attacks) claims.push(await measureAttack(target, attack));
  } finally {
    await close();
  }
  return claims;
}

async function measureAttack(
  target: Target,
  { what, maxExtraMs, forMs = ATTACK_MS, start }: Attack,
): Promise<Claim> {
  const before = await visitFor(target, CALM_MS);
  const end = await start();
  const during = await visitFor(target, forMs);
  await end();
  await wait(RECOVERY_MS);
  const after = await visitFor(target, CALM_MS);
  const failures = [...during.failures, ...after.failures];
  const [slowdown, aftermath] = [during.medianMs / before.medianMs, after.medianMs / before.medianMs];
  const extraMs = during.longestMs - before.longestMs;
  return {
    what: `${target.name}: ${what}`,
    measured:
      `${failures.length} of ${5 * (during.visits + after.visits)} requests failed${describeFirst(failures)}, ` +
      `median visit ${before.medianMs.toFixed(1)} → ${during.medianMs.toFixed(1)} → ${after.medianMs.toFixed(1)} ms, ` +
      `longest ${before.longestMs.toFixed(0)} → ${during.longestMs.toFixed(0)} ms, ` +
      `at most ${during.residentMb.toFixed(0)} MB`,
    bound: {
      text:
        `none failed, median ≤ ${MAX_SLOWDOWN} × before, also ${RECOVERY_MS / 1000} s after its end, ` +
        `${maxExtraMs === undefined ? '' : `longest ≤ ${maxExtraMs} ms more than before, `}≤ ${MAX_RESIDENT_MB} MB`,
      isMet:
        failures.length === 0 &&
        slowdown <= MAX_SLOWDOWN &&
        aftermath <= MAX_SLOWDOWN &&
        extraMs <= (maxExtraMs ?? Infinity) &&
        during.residentMb <= MAX_RESIDENT_MB,
    },
  };
}

function describeFirst(failures: readonly string[]): string {
  return failures[0] === undefined ? '' : ` (such as ${failures[0]})`;
}

type Stretch = {
  readonly visits: number;
  readonly failures: readonly string[];
  readonly medianMs: number;
  readonly longestMs: number;
  readonly residentMb: number;
};

/** Lets visitors come for a while. */
async function visitFor({ url, ca, residentMb }: Target, forMs: number): Promise<Stretch> {
  const { tally, stop } = sendVisits(url, {
    ...(ca === undefined ? {} : { ca }),
    visitors: VISITORS,
    pauseMs: VISIT_PAUSE_MS,
  });
  const sizes: number[] = [];
  for (const endsAt = performance.now() + forMs; performance.now() < endsAt;) {
    sizes.push(await residentMb());
    await wait(250);
  }
  await stop();
  return {
    visits: tally.visits,
    failures: tally.failures,
    medianMs: median(tally.durations),
    longestMs: Math.max(...tally.durations),
    residentMb: Math.max(...sizes),
  };
}
