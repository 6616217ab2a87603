import { expect, test } from 'vitest';
import { takeSteps } from '../../process/create-step-watch.ts';
import { createRandom } from '../../../engine/testing/create-random.ts';
import { addObservation, createCounts, openVoter } from '../counts.ts';
import { type PartialLosses, foldPartialLosses } from './partial-losses.ts';

type Try = {
  readonly area: string;
  readonly line: string;
  readonly isLost: boolean;
  readonly voter?: number;
};

function createWatch() {
  const losses: PartialLosses = new Map();
  const listLost = () => [...losses].filter(([, { isLost }]) => isLost);
  let now = 0;
  return {
    see: (...tries: readonly Try[]) => {
      const counts = createCounts();
      for (const [index, { area, line, isLost, voter = index }] of tries.entries()) {
        const [reached, lost] = isLost ? [0, 1] : [1, 0];
        const seen = { reached, failed: lost, lost, times: reached, sumLnMs: 0 };
        addObservation(openVoter(counts, area, voter), line, seen);
      }
      now += 10_000;
      takeSteps(foldPartialLosses(losses, [...counts.areas], now));
      return listLost().map(([lineId]) => lineId);
    },
    listAreas: () => [...(listLost()[0]?.[1].failures.keys() ?? [])],
    countVisitors: () => listLost()[0]?.[1].visitors ?? 0,
  };
}

const COUNTRIES = ['GB', 'DE', 'FR', 'SG', 'CN'];
const AREAS = Array.from({ length: 50 }, (_, network) => `${COUNTRIES[network % 5]}/AS${network}`);

/** Visitors of many networks come for some windows: how many windows until a line was lost, and which. */
function run(
  watch: Pick<ReturnType<typeof createWatch>, 'see'>,
  {
    windows,
    failing,
  }: { readonly windows: number; readonly failing: (line: string, area: string) => number },
): { readonly after: number; readonly lost: readonly string[] } {
  const random = createRandom(3);
  for (let window = 1; window <= windows; window += 1) {
    const tries = Array.from({ length: 20 }, () => {
      const area = AREAS[Math.floor(random() * AREAS.length)] ?? '';
      const line = ['a', 'b', 'c', 'd'][Math.floor(random() * 4)] ?? '';
      return { area, line, isLost: random() < failing(line, area) };
    });
    const lost = watch.see(...tries);
    if (lost.length > 0) return { after: window, lost };
  }
  return { after: windows, lost: [] };
}

test('a line of which 20 % is lost everywhere is found, and no other', () => {
  const { after, lost } = run(createWatch(), {
    windows: 100,
    failing: (line) => (line === 'b' ? 0.2 : 0.015),
  });
  expect(lost).toEqual(['b']);
  expect(after).toBeLessThan(60);
});

test('60,000 tries of which 1.5 % fail are no loss, and neither is it if all lines fail more often', () => {
  expect(run(createWatch(), { windows: 3_000, failing: () => 0.015 }).lost).toEqual([]);
  expect(run(createWatch(), { windows: 1_000, failing: () => 0.08 }).lost).toEqual([]);
});

test('networks and countries that have lost the line as a whole do not count', () => {
  const failing = (line: string, area: string) => (line === 'b' && /^(GB|DE)/.test(area) ? 1 : 0.015);
  expect(run(createWatch(), { windows: 1_000, failing }).lost).toEqual([]);
});

test('a site of one country alone has partial losses, too', () => {
  const watch = createWatch();
  const inOne = {
    see: (...tries: readonly Try[]) =>
      watch.see(
        ...tries.map(({ area, line, isLost }) => ({ area: area.replace(/^../, 'CN'), line, isLost })),
      ),
  };
  expect(run(inOne, { windows: 100, failing: (line) => (line === 'b' ? 0.2 : 0.015) }).lost).toEqual(['b']);
});

test('failures of one country alone do not count, however often it reaches the line between them', () => {
  const failing = (line: string, area: string) => (line === 'b' && area.startsWith('GB') ? 0.4 : 0.005);
  expect(run(createWatch(), { windows: 1_000, failing }).lost).toEqual([]);
});

test('a line that is down for half a minute is another trouble', () => {
  const watch = createWatch();
  const everyone = (isLost: boolean) => AREAS.map((area) => ({ area, line: 'a', isLost }));
  for (const isLost of [false, true, true, true, false, false])
    expect(watch.see(...everyone(isLost))).toEqual([]);
});

test('of very many networks that fail, no more than 1,000 wait to be counted', () => {
  const watch = createWatch();
  const tries = (isLost: boolean, name: string) =>
    Array.from({ length: 1_001 }, (_, network) => ({ area: `/${name}${network}`, line: 'b', isLost }));
  // As many reach the line, so that it is not down for a moment.
  watch.see(...tries(true, 'AS1'), ...tries(false, 'AS2'));
  expect(watch.see(...tries(false, 'AS1'))).toEqual(['b']);
  expect(watch.countVisitors()).toBe(1_000);
});

test('the networks are named where visitors have lost it, and no others', () => {
  const watch = createWatch();
  const failing = (line: string, area: string) => (line === 'b' && !area.startsWith('GB') ? 0.25 : 0);
  expect(run(watch, { windows: 200, failing }).lost).toEqual(['b']);
  const areas = watch.listAreas();
  expect(areas.length).toBeGreaterThan(1);
  expect(areas.filter((area) => area.startsWith('GB'))).toEqual([]);
});

test('a hundred successes without a failure end it', () => {
  const watch = createWatch();
  expect(run(watch, { windows: 100, failing: (line) => (line === 'b' ? 0.3 : 0.015) }).lost).toEqual(['b']);
  const fifty = AREAS.map((area) => ({ area, line: 'b', isLost: false }));
  // What still waits to count is counted now.
  watch.see(...fifty);
  expect(watch.see(...fifty)).toEqual(['b']);
  expect(watch.see(...fifty)).toEqual([]);
});
