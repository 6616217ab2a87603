import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../engine/testing/create-random.ts';
import { createGauss } from './create-gauss.ts';
import { drawLines, pickLines, shortlistLines } from './pick-lines.ts';

/** Scores of up to 40 lines, some of them equal, of which some may not be picked; and some luck. */
const worlds = fc
  .record({
    scores: fc.array(fc.oneof(fc.double({ min: 3, max: 9, noNaN: true }), fc.constantFrom(4, 4.25, 5)), {
      minLength: 1,
      maxLength: 40,
    }),
    excluded: fc.uniqueArray(fc.nat(39), { maxLength: 38 }),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  })
  .map(({ scores, excluded, seed }) => ({
    scores,
    seed,
    candidates: [...scores.keys()].filter((line) => !excluded.includes(line)),
  }));

type World = {
  readonly scores: readonly number[];
  readonly candidates: readonly number[];
  readonly seed: number;
};

function pick({ scores, candidates, seed }: World): number[] {
  const random = createRandom(seed);
  const shortlist = shortlistLines(candidates, scores);
  return pickLines({ candidates, shortlist }, { random, gauss: createGauss(random) });
}

describe('a pick', () => {
  test('has no line that may not be picked, none twice, and leaves no place empty that a line could have', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const picked = pick(world);
        expect(picked.filter((line) => !world.candidates.includes(line))).toEqual([]);
        expect(new Set(picked).size).toBe(picked.length);
        expect(picked).toHaveLength(Math.min(4, world.candidates.length));
      }),
    );
  });

  test('is the same with the same luck', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        expect(pick(world)).toEqual(pick(world));
      }),
    );
  });

  test('has three that no line beats by more than luck allows, and a wildcard that is none of them', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { scores, candidates } = world;
        fc.pre(candidates.length > 4);
        const [first = -1, second = -1, third = -1, wildcard = -1] = pick(world);
        const best = candidates.map((line) => scores[line] ?? 0).toSorted((a, b) => a - b);
        for (const line of [first, second, third]) {
          // Each of two scores is changed by a tenth of at most 2.5.
          expect(scores[line]).toBeLessThanOrEqual((best[2] ?? 0) + 0.5);
        }
        expect([first, second, third]).not.toContain(wildcard);
      }),
    );
  });

  test('has the line that is in doubt as its wildcard, and is told which three it must not be', () => {
    const candidates = [0, 1, 2, 3, 4, 5, 6];
    const shortlist = shortlistLines(
      candidates,
      [1, 2, 3, 9, 9, 9, 9].map((each) => each * 10),
    );
    const random = createRandom(5);
    const asked: (readonly number[])[] = [];
    const pickDoubting = (doubted: number | undefined) => {
      const askDoubted = (picked: readonly number[]) => (asked.push([...picked]), doubted);
      return pickLines({ candidates, shortlist }, { random, gauss: createGauss(random), askDoubted });
    };
    expect(pickDoubting(6)).toEqual([0, 1, 2, 6]);
    expect([3, 4, 5, 6]).toContain(pickDoubting(undefined)[3]);
    expect(asked).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });

  test('takes any of the lines that are not among the three as its wildcard, each as likely', () => {
    const candidates = Array.from({ length: 8 }, (_, line) => line);
    // The first three are so much better that no luck changes it.
    const shortlist = shortlistLines(
      candidates,
      [1, 2, 3, 9, 9, 9, 9, 9].map((each) => each * 10),
    );
    const random = createRandom(5);
    const gauss = createGauss(random);
    const wildcards = Array.from(
      { length: 5_000 },
      () => pickLines({ candidates, shortlist }, { random, gauss })[3] ?? -1,
    );
    for (const line of [3, 4, 5, 6, 7]) {
      const drawn = wildcards.filter((each) => each === line).length;
      expect(Math.abs(drawn / 5_000 - 0.2)).toBeLessThan(0.03);
    }
  });
});

describe('a draw by weight', () => {
  test('has no line that may not be drawn, none twice, and is the same with the same luck', () => {
    fc.assert(
      fc.property(worlds, ({ scores: weights, candidates, seed }) => {
        const [drawn, again] = [1, 2].map(() => drawLines(candidates, weights, createRandom(seed)));
        expect(again).toEqual(drawn);
        expect(drawn?.filter((line) => !candidates.includes(line))).toEqual([]);
        expect(new Set(drawn).size).toBe(Math.min(4, candidates.length));
      }),
    );
  });
});

test('the shortlist has every line that may be among the three best, in the order of the candidates', () => {
  fc.assert(
    fc.property(worlds, ({ scores, candidates }) => {
      const listed = shortlistLines(candidates, scores).map(({ line }) => line);
      const [, , third = Infinity] = candidates.map((line) => scores[line] ?? 0).toSorted((a, b) => a - b);
      expect(listed).toEqual(candidates.filter((line) => (scores[line] ?? 0) <= third + 0.5));
    }),
  );
});
