import { type Counts, addCount } from '../../src/server/measurements/counts.ts';
import { countReport } from '../../src/server/measurements/count-report.ts';
import { createSteering } from '../../src/server/steering/create-steering.ts';
import { createRandom } from './seeded-random.ts';

const LINES = 200;
const AREAS = 300;
const WINDOWS = 200;
/** At 100,000 visitors an hour. */
const PICKS_PER_WINDOW = 278;

/** The µs that each pick takes at 200 lines, by windows; what is worked out anew after each fold is part of it. */
export function measurePicks(): readonly number[] {
  const random = createRandom(1);
  const steering = createSteering({ random, now: () => 0 });
  const lines = Array.from({ length: LINES }, (_, line) => ({ id: `line${line}`, weight: 1 }));
  steering.setLines(lines, 'measured');
  const drawArea = (): string => {
    const area = Math.floor(AREAS ** random());
    return `C${area % 20}/AS${area}`;
  };
  return Array.from({ length: WINDOWS }, (_, window) => {
    const areas = Array.from({ length: PICKS_PER_WINDOW }, drawArea);
    const startedAt = performance.now();
    const picks = areas.map(steering.pick);
    const tookMs = performance.now() - startedAt;
    const counts: Counts = new Map();
    for (const [visit, area] of areas.entries()) {
      const lineIds = (picks[visit] ?? []).map((line) => `line${line}`);
      const results = lineIds.map((id, index) => ({
        index,
        outcome: random() < 0.9 ? ('valid' as const) : ('timeout' as const),
        time: 50 + Number(id.slice('line'.length)),
      }));
      countReport({ area, lineIds, results, entered: 0 }, (row, field, amount) =>
        addCount(counts, row, field, amount),
      );
    }
    steering.fold(counts, (window + 1) * 10_000);
    return (tookMs * 1_000) / PICKS_PER_WINDOW;
  });
}
