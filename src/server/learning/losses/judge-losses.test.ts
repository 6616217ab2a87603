import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takeSteps } from '../../process/create-step-watch.ts';
import { addObservation, createCounts, openVoter, roundToThousandths } from '../counts.ts';
import { createKnowledge, foldWindow } from '../knowledge.ts';
import { createLosses, findLineLoss, findLossSince, foldLosses, isInDoubt } from './judge-losses.ts';
import { createNameList, readLosses, saveLosses } from './save-losses.ts';

const MINUTE_MS = 60_000;

type Try = {
  readonly area: string;
  readonly line?: string;
  readonly reached?: number;
  readonly lost?: number;
};

/** Visitors come, one of a /24 of their own for each try, in windows of ten seconds. */
function createJudge() {
  const losses = createLosses();
  let now = 0;
  const see = (...tries: readonly Try[]): void => {
    const counts = createCounts();
    for (const [voter, { area, line = 'a', reached = 0, lost = 0 }] of tries.entries()) {
      const seen = { reached, failed: lost, lost, times: reached, sumLnMs: 0 };
      addObservation(openVoter(counts, area, voter), line, seen);
    }
    now += 10_000;
    takeSteps(foldLosses(losses, [...counts.areas], now));
  };
  return {
    losses,
    see,
    /** All visitors of these networks lose the line. */
    loseIn: (...areas: readonly string[]) => {
      for (let window = 0; window < 4; window += 1) see(...areas.map((area) => ({ area, lost: 1 })));
    },
    wait: (ms: number) => void (now += ms),
    now: () => now,
    find: (recoveredAt = 0) => findLineLoss(losses, 'a', { now, recoveredAt }),
    findIn: (area: string, recoveredAt = 0) => findLossSince(losses, { area, lineId: 'a' }, { recoveredAt }),
  };
}

const listNetworks = (country: string, count: number) =>
  Array.from({ length: count }, (_, network) => `${country}/AS${network}`);

describe('a line is lost everywhere', () => {
  test('if three networks lose it, and three quarters of those that tried it, where no country is known', () => {
    const { see, loseIn, find } = createJudge();
    loseIn(...listNetworks('', 3));
    see({ area: '/AS3', reached: 1 });
    expect(find()).toMatchObject({ extent: 'everywhere', networks: 3, since: 10_000, visitors: 12 });
    see({ area: '/AS4', reached: 1 });
    expect(find()).toMatchObject({ extent: 'places', places: ['/AS0', '/AS1', '/AS2'] });
  });

  test('if five countries lose it, and not if four do while others visit the site', () => {
    const { see, loseIn, find } = createJudge();
    see(...['IT/AS5', 'ES/AS6'].map((area) => ({ area, line: 'b', reached: 1 })));
    loseIn('GB/AS1', 'DE/AS2', 'FR/AS3', 'SG/AS4');
    expect(find()).toMatchObject({ extent: 'places' });
    loseIn('IT/AS5');
    expect(find()).toMatchObject({ extent: 'everywhere' });
  });

  test('if all that visit the site lose it, also if that is one country, or one network', () => {
    const country = createJudge();
    country.loseIn(...listNetworks('CN', 5));
    expect(country.find()).toMatchObject({ extent: 'everywhere', networks: 5 });
    const network = createJudge();
    network.loseIn('/AS1');
    expect(network.find()).toMatchObject({ extent: 'everywhere', networks: 1 });
    network.see({ area: '/AS2', line: 'b', reached: 1 });
    expect(network.find()).toMatchObject({ extent: 'places', places: ['/AS1'] });
  });

  test('by those of the last ten minutes: older losses say nothing about who reaches it now', () => {
    const { see, loseIn, wait, find } = createJudge();
    loseIn(...listNetworks('', 3));
    wait(10 * MINUTE_MS);
    see({ area: '/AS9', line: 'b', reached: 1 });
    expect(find()).toMatchObject({ extent: 'places', networks: 0 });
  });
});

describe('some visitors of several networks', () => {
  const areas = ['GB', 'DE', 'FR', 'IT'].map((country, network) => `${country}/AS${network}`);
  /** One of five fails at line a, and none at line b. */
  const loseSome = ({ see }: ReturnType<typeof createJudge>, where: readonly string[]) => {
    for (let round = 0; round < 30; round += 1)
      see(
        ...where.flatMap((area, network) =>
          (round + network) % 2 === 0
            ? [{ area, lost: 1 }, ...Array.from({ length: 4 }, () => ({ area, reached: 1 }))]
            : [{ area, line: 'b', reached: 1 }],
        ),
      );
  };

  test('are told apart from networks that all visitors lose it in, and both together', () => {
    const judge = createJudge();
    loseSome(judge, areas);
    expect(judge.find()).toMatchObject({ extent: 'some-visitors', places: [] });
    judge.loseIn('SG/AS9');
    expect(judge.find()).toMatchObject({ extent: 'places-and-some-visitors', places: ['SG/AS9'] });
  });

  test('of a network that then loses it as a whole are no trouble of their own', () => {
    const judge = createJudge();
    loseSome(judge, areas);
    for (let round = 0; round < 3; round += 1) judge.loseIn(...areas);
    judge.see(...Array.from({ length: 12 }, (_, network) => ({ area: `US/AS${20 + network}`, reached: 1 })));
    expect(judge.find()).toMatchObject({ extent: 'places' });
  });
});

test('what was lost before the server saw the line come back was another trouble', () => {
  const { loseIn, find, findIn, now, see } = createJudge();
  loseIn('/AS1', '/AS2');
  const recoveredAt = now() + 1;
  expect([find(recoveredAt), findIn('/AS1', recoveredAt)]).toEqual([undefined, undefined]);
  see({ area: '/AS1', lost: 1 });
  expect(find(recoveredAt)).toMatchObject({ places: ['/AS1'] });
  expect([findIn('/AS1', recoveredAt), findIn('/AS2', recoveredAt)]).toEqual([10_000, undefined]);
});

test('a country that loses a line takes its networks along, except those that have reached it since', () => {
  const { see, findIn, find } = createJudge();
  see({ area: 'GB/AS9', reached: 1 });
  see(...listNetworks('GB', 4).map((area) => ({ area, lost: 1 })));
  expect(find()).toMatchObject({ places: ['GB/'] });
  expect([findIn('GB/AS0'), findIn('GB/AS9'), findIn('DE/AS0')]).toEqual([20_000, 20_000, undefined]);
  see({ area: 'GB/AS9', reached: 1 });
  expect([findIn('GB/AS0'), findIn('GB/AS9')]).toEqual([20_000, undefined]);
});

test('a line is in doubt where it has failed in the last half hour, and not where it never has', () => {
  const { losses, see, now } = createJudge();
  see({ area: 'GB/AS1', lost: 1 }, { area: 'DE/AS2', reached: 1 });
  const places = ['GB/AS1', 'GB/', 'DE/AS2', 'DE/'];
  const ask = (at: number) => places.map((place) => isInDoubt(losses, { place, lineId: 'a' }, at));
  expect(ask(now() + 30 * MINUTE_MS)).toEqual([true, true, false, false]);
  expect(ask(now() + 30 * MINUTE_MS + 1)).toEqual([false, false, false, false]);
});

test('the end of a loss is remembered for a day, with its last failure', () => {
  const { losses, loseIn, see, wait } = createJudge();
  loseIn('/AS1');
  see({ area: '/AS1', reached: 3 });
  expect(losses.ended.get('a')).toEqual({ at: 50_000, failedAt: 40_000 });
  wait(24 * 60 * MINUTE_MS);
  see({ area: '/AS1', line: 'b', reached: 1 });
  expect(losses.ended.size).toBe(0);
});

test('portals that hear of the same tries in another order judge the same, to the last bit, also after a restart', () => {
  const tries = fc.array(
    fc.record({
      area: fc.constantFrom('GB/AS1', 'GB/AS2', 'GB/AS3', 'DE/AS4', '/AS5'),
      line: fc.constantFrom('a', 'b'),
      voter: fc.nat(3),
      outcome: fc.constantFrom('reached', 'lost', 'open'),
      ms: fc.integer({ min: 20, max: 4000 }),
    }),
    { minLength: 5, maxLength: 40 },
  );
  const fold = (windows: readonly (typeof tries extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const knowledge = createKnowledge(['a', 'b'], [0.5, 0.5], 0);
    for (const [window, seen] of windows.entries()) {
      const counts = createCounts();
      for (const { area, line, voter, outcome, ms } of seen) {
        const [reached, lost] = [Number(outcome === 'reached'), Number(outcome === 'lost')];
        const failed = outcome === 'open' ? 0.3 : lost;
        addObservation(openVoter(counts, area, voter), line, {
          reached,
          lost,
          failed,
          times: reached,
          sumLnMs: reached * roundToThousandths(Math.log(ms)),
          openLnMs: outcome === 'open' ? roundToThousandths(Math.log(ms)) : undefined,
        });
      }
      takeSteps(foldWindow(knowledge, counts, (window + 1) * 10_000));
    }
    return knowledge.losses;
  };
  fc.assert(
    fc.property(fc.array(tries, { minLength: 1, maxLength: 6 }), (windows) => {
      const losses = fold(windows);
      expect(fold(windows.map((seen) => seen.toReversed()))).toEqual(losses);
      const names = createNameList();
      const tables = takeSteps(saveLosses(losses, names));
      expect(takeSteps(readLosses(tables, names.list()))).toEqual(losses);
    }),
    { numRuns: 50 },
  );
});
