import { describe, expect, test } from 'vitest';
import { takeSteps } from '../../process/create-step-watch.ts';
import { createRandom } from '../../../engine/testing/create-random.ts';
import { addObservation, createCounts, openVoter } from '../counts.ts';
import { countNetworks, createPlaceLosses, foldPlaces, listPlaceLosses } from './place-losses.ts';
import { createPace, createPaces } from './slow-lines.ts';

type Try = {
  readonly area: string;
  readonly voter?: number;
  readonly reached?: number;
  readonly lost?: number;
  readonly open?: number;
  /** How long the open probes had waited, and how long another line took the same visitor. */
  readonly waitedMs?: number;
  readonly otherMs?: number;
};

function createWatch() {
  const losses = createPlaceLosses();
  const paces = createPaces();
  let now = 0;
  const list = () => listPlaceLosses(losses, 'a', { now, recoveredAt: 0 });
  return {
    /** From now on it is known how long the lines take in a network. */
    know: (area: string, usualMs: number) => {
      for (const line of ['a', 'b'])
        paces.lines.set(
          line,
          new Map([[area, { ...createPace(0), usualTimes: 20, usualLn: Math.log(usualMs) }]]),
        );
    },
    see: (...tries: readonly Try[]) => {
      const counts = createCounts();
      for (const { area, voter = 1, reached = 0, lost = 0, open = 0, waitedMs, otherMs } of tries) {
        const openLnMs = waitedMs === undefined ? undefined : open * Math.log(waitedMs);
        const seen = { reached, failed: lost + 0.3 * open, lost, times: reached, sumLnMs: 0, openLnMs };
        addObservation(openVoter(counts, area, voter), 'a', seen);
        const other = { reached: 1, failed: 0, lost: 0, times: 1, sumLnMs: Math.log(otherMs ?? 1) };
        if (otherMs !== undefined) addObservation(openVoter(counts, area, voter), 'b', other);
      }
      now += 10_000;
      takeSteps(foldPlaces(losses, [...counts.areas], { at: now, paces }));
      return list().map(({ area, networks }) => [area, networks]);
    },
    wait: (ms: number) => void (now += ms),
    losses: list,
    countNetworks: () => countNetworks(losses, 'a', now),
  };
}

test('four failures in a row are a loss, and three successes end it', () => {
  const { see, losses } = createWatch();
  const area = '/AS1';
  see({ area, reached: 50 });
  expect(see({ area, lost: 1 }, { area, voter: 2, lost: 1 }, { area, voter: 3, lost: 1 })).toEqual([]);
  expect(see({ area, lost: 1 })).toEqual([[area, 1]]);
  expect(losses()[0]).toMatchObject({ since: 20_000, visitors: 4 });
  expect(see({ area, reached: 2 })).toEqual([[area, 1]]);
  expect(see({ area, reached: 1 })).toEqual([]);
});

test('visitors who leave before a silent line has failed count where it was usually reached, but not without two failures', () => {
  const { see } = createWatch();
  const area = '/AS1';
  see({ area, reached: 60, open: 40 });
  expect(see({ area, open: 50 })).toEqual([]);
  expect(see({ area, lost: 1 })).toEqual([]);
  expect(see({ area, lost: 1 })).toEqual([[area, 1]]);
});

test('where it is known how long a line takes, two failures and six who waited twice as long are a loss, and forty who waited half as long are none', () => {
  const isLostAfter = (waits: number, waitedMs: number): boolean => {
    const { see, know } = createWatch();
    know('/AS1', 100);
    see({ area: '/AS1', lost: 1 });
    for (let wait = 0; wait < waits; wait += 1) see({ area: '/AS1', open: 1, waitedMs });
    return see({ area: '/AS1', lost: 1 }).length > 0;
  };
  expect([isLostAfter(6, 200), isLostAfter(2, 200), isLostAfter(40, 50)]).toEqual([true, false, false]);
});

test('a visitor whose other lines are twice as slow as usual waits twice as long before it says anything', () => {
  const { see, know } = createWatch();
  know('/AS1', 100);
  see({ area: '/AS1', lost: 1 });
  for (let wait = 0; wait < 6; wait += 1) see({ area: '/AS1', open: 1, waitedMs: 200, otherMs: 200 });
  expect(see({ area: '/AS1', lost: 1 })).toEqual([]);
});

test('a failure beside a success does not make a loss last longer', () => {
  const { see, wait, losses } = createWatch();
  for (let failure = 0; failure < 4; failure += 1) see({ area: '/AS1', lost: 1 });
  wait(20 * 60_000);
  see({ area: '/AS1', reached: 1, lost: 1 });
  expect(losses()).toHaveLength(1);
  wait(10 * 60_000);
  see({ area: '/AS2', reached: 1 });
  expect(losses()).toEqual([]);
});

test('where six of ten usually reach a line, three failures and eight who left may be bad luck; with a dozen who left it is lost', () => {
  const { see } = createWatch();
  const area = '/AS1';
  see({ area, reached: 120, open: 80 });
  see({ area, open: 5 });
  for (let failure = 0; failure < 3; failure += 1) expect(see({ area, lost: 1, open: 1 })).toEqual([]);
  expect(see({ area, open: 4 })).toEqual([[area, 1]]);
});

test('four failures with a success between them may be bad luck, and five are a loss', () => {
  const { see } = createWatch();
  const area = '/AS1';
  for (const voter of [1, 2]) see({ area, voter, lost: 1 });
  see({ area, reached: 1 });
  for (const voter of [1, 2]) expect(see({ area, voter, lost: 1 })).toEqual([]);
  expect(see({ area, voter: 3, lost: 1 })).toEqual([[area, 1]]);
});

test('one /24 alone, however often it tries in a window, is not believed at once', () => {
  const { see } = createWatch();
  expect(see({ area: '/AS1', lost: 100 })).toEqual([]);
});

test('networks of a country that are too small to tell are believed together, and named as the country', () => {
  const { see } = createWatch();
  const tries = ['GB/AS1', 'GB/AS2', 'GB/AS3', 'GB/AS4'].map((area) => ({ area, lost: 1 }));
  expect(see(...tries)).toEqual([['GB/', 4]]);
});

test('one network of a country does not stand for the country', () => {
  const { see } = createWatch();
  see({ area: 'GB/AS2', reached: 3 });
  expect(see({ area: 'GB/AS1', lost: 2 }, { area: 'GB/AS1', voter: 2, lost: 2 })).toEqual([['GB/AS1', 1]]);
});

test('of a network that has lost the line, two failures count for its country, and no more', () => {
  const { see } = createWatch();
  for (let window = 0; window < 5; window += 1)
    see({ area: 'GB/AS1', lost: 2 }, { area: 'GB/AS4', reached: 1 });
  expect(
    see({ area: 'GB/AS2', lost: 1 }, { area: 'GB/AS3', lost: 1 }, { area: 'GB/AS4', reached: 1 }),
  ).toEqual([['GB/AS1', 1]]);
});

test('failures count together with those of now for an hour', () => {
  const { see, wait } = createWatch();
  const [area, other] = ['/AS1', '/AS2'];
  for (let failure = 0; failure < 3; failure += 1) see({ area, lost: 1 }, { area: other, lost: 1 });
  wait(59 * 60_000);
  expect(see({ area, lost: 1 })).toEqual([[area, 1]]);
  wait(60_000);
  expect(see({ area: other, lost: 1 })).toEqual([[area, 1]]);
});

test('a country that reaches the line again takes along its networks that nobody has seen fail for ten minutes', () => {
  const { see, wait } = createWatch();
  const networks = ['GB/AS1', 'GB/AS2', 'GB/AS3'];
  for (let window = 0; window < 2; window += 1) see(...networks.map((area) => ({ area, lost: 2 })));
  wait(600_000);
  expect(see({ area: 'GB/AS3', lost: 1 })).toEqual([['GB/', 1]]);
  // The last one has failed just now.
  expect(see({ area: 'GB/AS1', reached: 3 })).toEqual([['GB/AS3', 1]]);
});

test('a network that is well with its country is not lost again by one failure', () => {
  const { see, wait } = createWatch();
  const networks = ['GB/AS1', 'GB/AS2', 'GB/AS3'];
  for (let window = 0; window < 2; window += 1) see(...networks.map((area) => ({ area, lost: 2 })));
  wait(600_000);
  expect(see({ area: 'GB/AS1', reached: 3 })).toEqual([]);
  expect(see({ area: 'GB/AS2', lost: 1 })).toEqual([]);
});

test('a loss that nobody has met for ten minutes goes on, and stands for no network of those that tried the line lately', () => {
  const { see, wait, countNetworks } = createWatch();
  see({ area: '/AS1', lost: 2 }, { area: '/AS1', voter: 2, lost: 2 });
  wait(590_000);
  expect(see({ area: '/AS2', reached: 1 })).toEqual([['/AS1', 1]]);
  expect(see({ area: '/AS2', reached: 1 })).toEqual([['/AS1', 0]]);
  expect(countNetworks()).toBe(1);
});

test('a country ends its loss by those who reach the line, if those who lost it have not tried it for half an hour', () => {
  const { see, wait } = createWatch();
  see(...['GB/AS1', 'GB/AS2', 'GB/AS3', 'GB/AS4'].map((area) => ({ area, lost: 1 })));
  expect(see({ area: 'GB/AS5', reached: 3 })).toEqual([['GB/', 5]]);
  wait(20 * 60_000);
  see({ area: 'GB/AS5', reached: 3 });
  wait(20 * 60_000);
  see({ area: 'GB/AS5', reached: 1 });
  expect(see({ area: 'GB/AS5', reached: 3 })).toEqual([]);
});

test('one network that goes on failing does not keep its country lost', () => {
  const { see, wait } = createWatch();
  see(...['GB/AS2', 'GB/AS3', 'GB/AS4'].map((area) => ({ area, lost: 1 })));
  const failing = { area: 'GB/AS1', lost: 1 };
  for (let failure = 0; failure < 4; failure += 1) see(failing);
  wait(20 * 60_000);
  expect(see(failing)).toEqual([['GB/', 1]]);
  // Of those that failed, nobody but AS1 has tried the line for half an hour.
  wait(10 * 60_000);
  expect(see(failing)).toEqual([['GB/AS1', 1]]);
});

describe('somebody who sends from very many networks', () => {
  const listAreas = (count: number) => Array.from({ length: count }, (_, network) => `/AS${1_000 + network}`);

  test('makes nobody remember more than 10,000 of them for a line, and hides no loss', () => {
    const { see, countNetworks } = createWatch();
    see({ area: '/AS1', lost: 2 }, { area: '/AS1', voter: 2, lost: 2 });
    expect(see(...listAreas(10_500).map((area) => ({ area, reached: 1 })))).toEqual([['/AS1', 1]]);
    expect(countNetworks()).toBe(10_000);
    // Failures of networks that have not lost it do not hide it, either.
    const failing = listAreas(10_500).map((area) => ({ area, lost: 1 }));
    expect(see(...failing)).toEqual([['/AS1', 1]]);
    expect(countNetworks()).toBe(10_000);
  });

  test('does not make a line that 4,000 of 12,000 networks reach look lost everywhere', () => {
    const { see, losses, countNetworks } = createWatch();
    const [lost, well] = [listAreas(12_000).slice(0, 8_000), listAreas(12_000).slice(8_000)];
    see(
      ...lost.flatMap((area) => [1, 2].map((voter) => ({ area, voter, lost: 2 }))),
      ...well.map((area) => ({ area, reached: 1 })),
    );
    expect(countNetworks()).toBe(10_000);
    // From three quarters on, a line is told to be down.
    expect(losses().length / countNetworks()).toBeLessThan(0.75);
  });

  test('makes nobody remember more than 25,000 of them for all lines together', () => {
    const losses = createPlaceLosses();
    const counts = createCounts();
    const lines = Array.from({ length: 20 }, (_, line) => `line${line}`);
    const seen = { reached: 1, failed: 0, lost: 0, times: 1, sumLnMs: 0 };
    for (const area of listAreas(5_100)) {
      const voter = openVoter(counts, area, 1);
      for (const line of lines) addObservation(voter, line, seen);
    }
    takeSteps(foldPlaces(losses, [...counts.areas], { at: 10_000, paces: createPaces() }));
    expect(lines.map((line) => countNetworks(losses, line, 10_000))).toEqual(lines.map(() => 1_250));
  });
});

test('thirty thousand tries of which 1.5 in 100 fail are no loss', () => {
  const { see } = createWatch();
  const random = createRandom(7);
  for (let window = 0; window < 3_000; window += 1) {
    const tries = Array.from({ length: 10 }, (_, voter) =>
      random() < 0.015 ? { area: '/AS1', voter, lost: 1 } : { area: '/AS1', voter, reached: 1 },
    );
    expect(see(...tries)).toEqual([]);
  }
});

test('half an hour without a failure ends a loss, although one visitor has reached the line since', () => {
  const { see, wait, losses } = createWatch();
  const area = '/AS1';
  see({ area, reached: 5 });
  expect(see(...[1, 2, 3, 4].map((voter) => ({ area, voter, lost: 1 })))).toEqual([[area, 1]]);
  wait(20 * 60_000);
  expect(see({ area, reached: 1 })).toEqual([[area, 1]]);
  wait(9 * 60_000);
  see({ area: '/AS2', reached: 1 });
  expect(losses()).toHaveLength(1);
  wait(60_000);
  see({ area: '/AS2', reached: 1 });
  expect(losses()).toEqual([]);
});
