import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../../engine/testing/create-random.ts';
import { tenthOf } from '../../engine/testing/tenth-of.ts';
import { createFindExclusions, createLinePolicy } from '../site/create-line-policy.ts';
import { addObservation, createCounts, openVoter } from './counts.ts';
import { createSteering } from './create-steering.ts';

const NOW = Date.parse('2026-12-01T08:00Z');
const COUNTRIES = ['SG', 'GB', 'CN'];
/** Each with the addresses `10.X.Y.1` that are in it. */
const NETWORKS: Readonly<Record<string, (x: number, y: number) => boolean>> = {
  '10.0.0.0/8': () => true,
  '10.1.0.0/16': (x) => x === 1,
  '10.2.128.0/17': (x, y) => x === 2 && y >= 128,
  '10.1.7.1': (x, y) => x === 1 && y === 7,
};
const SYSTEMS = [64_500, 64_501, 64_502];
const WINDOWS = [
  { window: { reason: 'now' }, isOn: true },
  { window: { reason: 'soon', from: '2026-12-01T08:01Z' }, isOn: false },
  { window: { reason: 'past', until: '2026-12-01T08:00Z' }, isOn: false },
];

const networkNames = [...Object.keys(NETWORKS), ...SYSTEMS.map((system) => `AS${system}`)];
const rules = (names: readonly string[]) =>
  fc.record(
    {
      only: fc.subarray([...names], { maxLength: 2 }),
      not: fc.subarray([...names], { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
const line = fc.record(
  {
    drain: fc.boolean(),
    countries: rules(COUNTRIES),
    networks: rules(networkNames),
    maintenance: fc.subarray(WINDOWS, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const visitor = fc.record({
  country: fc.constantFrom(...COUNTRIES, undefined),
  system: fc.constantFrom(...SYSTEMS, undefined),
  place: fc.option(fc.record({ x: fc.integer({ min: 0, max: 3 }), y: fc.constantFrom(0, 7, 127, 128, 255) })),
  held: fc.option(fc.nat(11)),
});
type Line = typeof line extends fc.Arbitrary<infer T> ? T : never;
type Visitor = typeof visitor extends fc.Arbitrary<infer T> ? T : never;

/** The rule as a reader of the docs would write it. */
function mayHave(
  { drain, countries, networks, maintenance = [] }: Line,
  isHeld: boolean,
  who: Visitor,
): boolean {
  const { country, system, place } = who;
  const isIn = (name: string): boolean => {
    if (name.startsWith('AS')) return name === `AS${system}`;
    return place !== null && NETWORKS[name]?.(place.x, place.y) === true;
  };
  const isFrom = (code: string): boolean => code === country;
  const passes = (
    { only = [], not = [] }: { only?: string[]; not?: string[] } = {},
    fits: (name: string) => boolean,
  ): boolean => (only.length === 0 || only.some(fits)) && !not.some(fits);
  return (
    !maintenance.some(({ isOn }) => isOn) &&
    (drain !== true || isHeld) &&
    passes(countries, isFrom) &&
    passes(networks, isIn)
  );
}

function countFailures(lineIds: readonly string[]) {
  const counts = createCounts();
  const voter = openVoter(counts, AREA, 1);
  for (const id of lineIds)
    addObservation(voter, id, { reached: 0, failed: 1, lost: 1, times: 0, sumLnMs: 0 });
  return counts;
}

const AREA = 'SG/10.1';
const WORLDS = tenthOf(1_000);
const VISITORS = 50;
const PICKS_PER_VISITOR = 20;
const world = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 12 }),
  visitors: fc.array(visitor, { minLength: VISITORS, maxLength: VISITORS }),
  down: fc.subarray(Array.from({ length: 12 }, (_, index) => `line-${index}`)),
  /** Lines that somebody has just failed to reach: the wildcard asks for them. */
  failed: fc.subarray(Array.from({ length: 12 }, (_, index) => `line-${index}`)),
  mode: fc.constantFrom('measured' as const, 'uniform' as const),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});

test(`of ${WORLDS * VISITORS * PICKS_PER_VISITOR} picks, none has a line that its visitor may not have, and none leaves one out for nothing`, () => {
  fc.assert(
    fc.property(world, ({ lines, visitors, down, failed, mode, seed }) => {
      const steering = createSteering({ random: createRandom(seed), now: () => NOW });
      const ids = lines.map((_, index) => `line-${index}`);
      steering.setLines(
        ids.map((id) => ({ id, weight: 1 })),
        mode,
      );
      steering.setDown(new Set(down));
      steering.fold(countFailures(failed), NOW);
      const findExclusions = createFindExclusions(
        lines.map(({ maintenance = [], ...rest }, index) =>
          createLinePolicy(`line-${index}`, {
            ...rest,
            maintenance: maintenance.map(({ window }) => window),
          }),
        ),
      );
      const wrong: unknown[] = [];
      const isAnyUp = ids.some((id) => !down.includes(id));
      for (const who of visitors) {
        const { country, system, place, held } = who;
        const address =
          place === null ? undefined : { text: `10.${place.x}.${place.y}.1`, family: 'ipv4' as const };
        const excluded = findExclusions(
          { country, system, address, heldId: held === null ? undefined : `line-${held}` },
          NOW,
        );
        const allowed = lines.flatMap((each, index) => (mayHave(each, held === index, who) ? [index] : []));
        const offered = allowed.filter((index) => !isAnyUp || !down.includes(`line-${index}`));
        for (let pick = 0; pick < PICKS_PER_VISITOR; pick += 1) {
          const picked = steering.pick(AREA, { excluded, held: held ?? undefined });
          const isWrong = picked.some((index) => !offered.includes(index));
          const isShort =
            picked.length !== Math.min(4, offered.length) || new Set(picked).size !== picked.length;
          if (isWrong || isShort) wrong.push({ picked, offered, who });
        }
      }
      // Once, because a million calls of `expect` take a minute.
      expect(wrong).toEqual([]);
    }),
    { numRuns: WORLDS },
  );
});
