// Prints the µs of processor time that a pick takes at 200 lines, window by window; what is worked out anew after each
// fold is part of it. A program of its own, because it measures the code as it is built.
import { addCounts, createCounts } from '../../dist/server/learning/counts.js';
import { countReport } from '../../dist/server/learning/count-report.js';
import { createSteering } from '../../dist/server/learning/create-steering.js';

const LINES = 200;
const AREAS = 300;
const WINDOWS = 200;
/** At 100,000 visitors an hour. */
const PICKS_PER_WINDOW = 278;

const steering = createSteering({ random: Math.random, now: () => 0 });
steering.setLines(
  Array.from({ length: LINES }, (_, line) => ({ id: `line${line}`, weight: 1 })),
  'measured',
);
const costs = Array.from({ length: WINDOWS }, (_, window) => {
  const areas = Array.from({ length: PICKS_PER_WINDOW }, drawArea);
  const before = process.cpuUsage();
  const picks = areas.map(steering.pick);
  const { user, system } = process.cpuUsage(before);
  steering.fold(reportAll(areas, picks), (window + 1) * 10_000);
  return (user + system) / PICKS_PER_WINDOW;
});
process.stdout.write(JSON.stringify(costs));

/** A few areas have most of the visitors. */
function drawArea() {
  const area = Math.floor(AREAS ** Math.random());
  return `C${area % 20}/AS${area}`;
}

function reportAll(areas, picks) {
  const counts = createCounts();
  for (const [visit, area] of areas.entries()) {
    const lineIds = picks[visit].map((line) => `line${line}`);
    const results = picks[visit].map((line, index) => ({
      index,
      outcome: Math.random() < 0.9 ? 'valid' : 'timeout',
      time: 50 + line,
    }));
    addCounts(counts, countReport({ area, prefix: `${visit}`, lineIds, results, entered: 0 }));
  }
  return counts;
}
