import { type Counts, addCount } from '../../src/server/measurements/counts.ts';
import { countReport } from '../../src/server/measurements/count-report.ts';
import type { createSteering } from '../../src/server/steering/create-steering.ts';
import { createRandom } from './seeded-random.ts';

type SteeringModule = { readonly createSteering: typeof createSteering };

const LINES = 200;
const AREAS = 300;
const WINDOWS = 200;
/** At 100,000 visitors an hour. */
const PICKS_PER_WINDOW = 278;

/**
 * The µs of processor time that a pick takes at 200 lines, window by window; what is worked out anew after each fold is
 * part of it. It is the built code that is measured: here, imports between modules are slower than in plain Node.
 */
export async function measurePicks(): Promise<readonly number[]> {
  const built = new URL('../../dist/server/steering/create-steering.js', import.meta.url).href;
  const { createSteering } = (await import(/* @vite-ignore */ built)) as SteeringModule;
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
    const before = process.cpuUsage();
    const picks = areas.map(steering.pick);
    const { user, system } = process.cpuUsage(before);
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
    return (user + system) / PICKS_PER_WINDOW;
  });
}
