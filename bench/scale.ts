import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench, Claim } from './claim.ts';
import { measureVisit } from './scale/measure-visit.ts';

type Size = { readonly lines: number; readonly networks: number };

/** What `scale/measure-size.mjs` prints. */
type Cost = {
  readonly callUs: number;
  readonly reportUs: number;
  readonly foldMs: number;
  readonly foldStepMs: number;
  readonly memoryMb: number;
  readonly snapshotMb: number;
  readonly snapshotStepMs: number;
  readonly startMs: number;
  readonly startStepMs: number;
  readonly overviewMs: number;
  readonly mapMs: number;
  readonly viewStepMs: number;
};

const LINES: readonly number[] = [8, 40, 200];
const NETWORKS: readonly number[] = [100, 1_000, 10_000];
const SIZES: readonly Size[] = [
  ...LINES.flatMap((lines) => NETWORKS.map((networks) => ({ lines, networks }))),
  { lines: 200, networks: 50_000 },
];
/** The columns of the table. Which step is the longest depends on how the work is divided, so the longest step has a bound of its own. */
const COLUMNS = [
  'callUs',
  'reportUs',
  'foldMs',
  'memoryMb',
  'snapshotMb',
  'startMs',
  'overviewMs',
  'mapMs',
] as const satisfies readonly (keyof Cost)[];
/** The clock of the processor shows less than 1 ms as 0. */
const MIN_COST = 0.1;
/** Each network has its part of the visits, down to 50 an hour in the mean; 50,000 networks have a million together. */
const VISITS_OF_NETWORK = 50;
const MAX_VISITS = 1_000_000;
const MAX_STEP_MS = 20;
const MAX_MEMORY_MB = 64;
const MAX_SNAPSHOT_MB = 8;
/** With 10,000 networks, a call may cost this many times as much as with 100, because they do not all fit into the caches of a processor. */
const MAX_CALL_GROWTH = 2;

/** What lines and networks cost. All times are of the processor, on the main thread. */
export const scale: Bench = {
  title: 'cost against size: half an hour of visits each, in a process of its own',
  async run({ only = '' }) {
    const rows: Row[] = [];
    for (const size of SIZES) {
      if (nameSize(size).includes(only)) rows.push({ size, cost: await measureSize(size) });
    }
    const visit = 'a visit'.includes(only) ? await measureVisit() : [];
    return [
      ...rows.map(({ size, cost }) => describeCost(size, cost)),
      ...claimCallGrowth(rows),
      ...claimGrowth(rows),
      ...visit,
    ];
  },
};

async function measureSize({ lines, networks }: Size): Promise<Cost> {
  const program = fileURLToPath(new URL('scale/measure-size.mjs', import.meta.url));
  const visits = Math.min(MAX_VISITS, networks * VISITS_OF_NETWORK);
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--max-semi-space-size=8',
    program,
    ...[lines, networks, visits].map(String),
  ]);
  return JSON.parse(stdout) as Cost; // As our own program prints it.
}

function describeCost(size: Size, cost: Cost): Claim {
  const longestMs = Math.max(cost.foldStepMs, cost.snapshotStepMs, cost.startStepMs, cost.viewStepMs);
  return {
    what: nameSize(size),
    measured: [
      `a pick ${cost.callUs.toFixed(1)} µs`,
      `a report ${cost.reportUs.toFixed(1)} µs`,
      `a fold ${cost.foldMs.toFixed(1)} ms (longest step ${cost.foldStepMs.toFixed(1)})`,
      `memory ${cost.memoryMb.toFixed(1)} MB`,
      `snapshot ${cost.snapshotMb.toFixed(1)} MB (longest step ${cost.snapshotStepMs.toFixed(1)} ms)`,
      `start ${cost.startMs.toFixed(0)} ms (longest step ${cost.startStepMs.toFixed(1)})`,
      `overview ${cost.overviewMs.toFixed(1)} ms`,
      `map ${cost.mapMs.toFixed(1)} ms (longest step of a view ${cost.viewStepMs.toFixed(1)})`,
    ].join(', '),
    bound: {
      text: `steps ≤ ${MAX_STEP_MS} ms, memory ≤ ${MAX_MEMORY_MB} MB, snapshot ≤ ${MAX_SNAPSHOT_MB} MB`,
      isMet: longestMs <= MAX_STEP_MS && cost.memoryMb <= MAX_MEMORY_MB && cost.snapshotMb <= MAX_SNAPSHOT_MB,
    },
  };
}

type Row = { readonly size: Size; readonly cost: Cost };

/** A call must not grow with networks. */
function claimCallGrowth(rows: readonly Row[]): readonly Claim[] {
  return LINES.flatMap((lines) => {
    const few = findCost(rows, { lines, networks: 100 });
    const many = findCost(rows, { lines, networks: 10_000 });
    if (few === undefined || many === undefined) return [];
    const growth = many.callUs / few.callUs;
    return [
      {
        what: `${lines} lines: a pick at 10,000 networks ÷ at 100`,
        measured: growth.toFixed(2),
        bound: { text: `≤ ${MAX_CALL_GROWTH}`, isMet: growth <= MAX_CALL_GROWTH },
      },
    ];
  });
}

/** No column may grow faster than its cause: the lines, or the networks and with them the visits. */
function claimGrowth(rows: readonly Row[]): readonly Claim[] {
  return rows.flatMap(({ size, cost }) => {
    const { lines, networks } = size;
    const fewerLines = LINES[LINES.indexOf(lines) - 1] ?? 0;
    const fewerNetworks = NETWORKS.findLast((few) => few < networks) ?? 0;
    const steps = [
      { from: { lines: fewerLines, networks }, factor: lines / fewerLines },
      { from: { lines, networks: fewerNetworks }, factor: networks / fewerNetworks },
    ];
    return steps.flatMap(({ from, factor }): readonly Claim[] => {
      const before = findCost(rows, from);
      if (before === undefined) return [];
      const growths = COLUMNS.map((column) => ({
        column,
        growth: cost[column] / Math.max(before[column], MIN_COST),
      }));
      const fastest = growths.reduce((most, each) => (each.growth > most.growth ? each : most));
      return [
        {
          what: `from ${nameSize(from)} to ${nameSize(size)}: the column that grows fastest`,
          measured: `${fastest.column}, ${fastest.growth.toFixed(2)} times`,
          bound: { text: `≤ ${factor} times, as its cause`, isMet: fastest.growth <= factor },
        },
      ];
    });
  });
}

function findCost(rows: readonly Row[], { lines, networks }: Size): Cost | undefined {
  return rows.find(({ size }) => size.lines === lines && size.networks === networks)?.cost;
}

function nameSize({ lines, networks }: Size): string {
  return `${lines} lines × ${networks.toLocaleString('en')} networks`;
}
