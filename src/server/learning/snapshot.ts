import * as v from 'valibot';
import { DAY_MINUTES, DAY_MS, HOUR_MINUTES } from '../../contract/time-units.ts';
import { type AnyTable, createTable } from './create-table.ts';
import { ARRIVAL_COUNTS, LINE_COUNTS, SITE_COUNTS, type SavedHistory } from './create-history.ts';
import { NO_ROW, type VoteTable, createVoteTable } from './create-vote-table.ts';
import { type AreaView, type Knowledge, createAreaView } from './knowledge.ts';
import {
  type NameList,
  createLossTables,
  createNameList,
  readLosses,
  saveLosses,
} from './losses/save-losses.ts';
import {
  LARGEST_NUMBER,
  SnapshotError,
  expectTable,
  readSnapshotFile,
  writeSnapshotFile,
} from './snapshot-file.ts';
import { BUCKETS } from './time-buckets.ts';
import { type View, createView } from './view.ts';
import { VOTERS } from './voters.ts';

/** Everything that was learned up to a window. */
export type Snapshot = {
  /** The number of that window, see `open-window-log.ts`. */
  readonly seq: number;
  readonly knowledge: Knowledge;
  readonly history: SavedHistory;
};

const VERSION = 10;
/** The logarithm of a day. The longest time that can be reported is 99,999 ms, with a logarithm of 11.5. */
const LARGEST_LN_MS = Math.log(DAY_MS);
/** There are tens of thousands of names, for each of which `v.array` makes an object. */
const texts = v.custom<readonly string[]>(
  (given) => Array.isArray(given) && given.every((text) => typeof text === 'string'),
);
const factsSchema = v.object({
  version: v.literal(VERSION),
  seq: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  at: v.pipe(v.number(), v.minValue(0), v.maxValue(LARGEST_NUMBER)),
  lineIds: texts,
  countries: texts,
  areas: texts,
  /** The lines and places that tables name by their number. */
  names: texts,
  /** The lines whose last day is kept. */
  historyOf: texts,
});

function createTables() {
  return {
    shares: createTable({ share: 'f64' }),
    /** Everyone, then the countries, then the areas. */
    views: createTable({ at: 'f64', records: 'u32' }),
    uses: createTable({ use: 'f64', usedIn: 'f64', usedBy: 'u32' }),
    records: createTable({ line: 'u32', votes: 'u8' }),
    votes: createTable({
      at: 'f64',
      voter: 'u8',
      reached: 'f32',
      failed: 'f32',
      lost: 'f32',
      times: 'f32',
      sumLnMs: 'f32',
    }),
    reached: createTable({ line: 'u32', at: 'f64', area: 'u32', voter: 'u8', otherAt: 'f64' }),
    ...createLossTables(),
    site: createTable(listColumns(SITE_COUNTS)),
    siteTimes: createTable({ minute: 'u32' }),
    siteTimesCounts: createTable({ counts: 'u32' }),
    arrivals: createTable(listColumns(ARRIVAL_COUNTS)),
    arrivalsVoters: createTable({ minute: 'u32' }),
    arrivalsVotersCounts: createTable({ counts: 'u32' }),
    lines: createTable(listColumns(LINE_COUNTS)),
    lineTimes: createTable({ minute: 'u32' }),
    lineTimesCounts: createTable({ counts: 'u32' }),
  };
}

type Tables = ReturnType<typeof createTables>;

function listColumns<Name extends string>(names: readonly Name[]) {
  const columns = ['minute', ...names].map((name) => [name, 'u32'] as const);
  return Object.fromEntries(columns) as Readonly<Record<Name | 'minute', 'u32'>>; // Each name has its column.
}

/** Writes a snapshot step by step. What is known must not change meanwhile. */
export function* encodeSnapshot({ seq, knowledge, history }: Snapshot): Generator<void, Buffer> {
  const { lineIds, at, shares, everyone, countries, areas } = knowledge;
  const names = createNameList();
  const tables = createTables();
  for (const share of shares) tables.shares.addRow({ share });
  for (const view of [everyone, ...countries.values(), ...areas.values()]) {
    saveView(view, tables, names);
    yield;
  }
  for (const { use, usedIn, usedBy } of areas.values()) tables.uses.addRow({ use, usedIn, usedBy });
  for (const [lineId, { area, ...last }] of knowledge.reached)
    tables.reached.addRow({ ...last, line: names.numberOf(lineId), area: names.numberOf(area) });
  Object.assign(tables, yield* saveLosses(knowledge.losses, names));
  yield* saveHistory(history, tables);
  const facts: v.InferOutput<typeof factsSchema> = {
    version: VERSION,
    seq,
    at,
    lineIds: [...lineIds],
    countries: [...countries.keys()],
    areas: [...areas.keys()],
    names: [...names.list()],
    historyOf: [...history.lines.keys()],
  };
  return yield* writeSnapshotFile({ facts, tables: new Map(Object.entries<AnyTable>(tables)) });
}

/** Reads what `encodeSnapshot` wrote, step by step. Throws a `SnapshotError` if it is something else. */
export function* decodeSnapshot(bytes: Buffer): Generator<void, Snapshot> {
  const { facts, tables: found } = yield* readSnapshotFile(bytes, factsSchema);
  const { seq, at, lineIds, names } = facts;
  const tables = createTables();
  for (const [name, { kinds }] of Object.entries<AnyTable>(tables))
    Object.assign(tables, { [name]: expectTable(found, name, kinds) });
  if (tables.views.rowCount() !== 1 + facts.countries.length + facts.areas.length)
    throw new SnapshotError('does not have one view for each country and each area');
  const [widerVotes, areaVotes] = [createVoteTable(), createVoteTable()];
  const reader = {
    views: tables.views.rows(),
    records: tables.records.rows(),
    votes: tables.votes.rows(),
    names,
  };
  const everyone = createView(0, widerVotes);
  yield* readView(everyone, reader);
  const countries = new Map<string, View>();
  for (const country of facts.countries) {
    const view = createView(0, widerVotes);
    yield* readView(view, reader);
    countries.set(country, view);
  }
  const areas = new Map<string, AreaView>();
  const uses = tables.uses.rows();
  for (const area of facts.areas) {
    const view = createAreaView(0, areaVotes);
    yield* readView(view, reader);
    Object.assign(view, uses.next().value);
    areas.set(area, view);
  }
  const reached: Knowledge['reached'] = new Map();
  for (const { line, area, ...last } of tables.reached.rows())
    reached.set(names[line] ?? '', { ...last, area: names[area] ?? '' });
  const shares = Array.from(tables.shares.column('share'));
  if (shares.length !== lineIds.length || shares.some((share) => share > 1))
    throw new SnapshotError('holds a number that is no share of a line');
  const losses = yield* readLosses(tables, names);
  return {
    seq,
    knowledge: { lineIds, at, shares, everyone, countries, areas, areaVotes, widerVotes, reached, losses },
    history: yield* readHistory(tables, facts.historyOf),
  };
}

function saveView(view: View, tables: Tables, { numberOf }: NameList): void {
  tables.views.addRow({ at: view.at, records: view.lines.size });
  const columns = view.votes.columns();
  for (const [lineId, firstVote] of view.lines) {
    let votes = 0;
    for (let row = firstVote; row !== NO_ROW; row = columns.next[row] ?? NO_ROW) {
      votes += 1;
      tables.votes.addRow({
        at: columns.at[row] ?? 0,
        voter: columns.voter[row] ?? 0,
        reached: columns.reached[row] ?? 0,
        failed: columns.failed[row] ?? 0,
        lost: columns.lost[row] ?? 0,
        times: columns.times[row] ?? 0,
        sumLnMs: columns.sumLnMs[row] ?? 0,
      });
    }
    tables.records.addRow({ line: numberOf(lineId), votes });
  }
}

type ViewReader = {
  readonly views: ReturnType<Tables['views']['rows']>;
  readonly records: ReturnType<Tables['records']['rows']>;
  readonly votes: ReturnType<Tables['votes']['rows']>;
  readonly names: readonly string[];
};

function* readView(view: View, { views, records, votes, names }: ViewReader): Generator<void, void> {
  const saved = take(views);
  view.at = saved.at;
  for (let left = saved.records; left > 0; left -= 1) {
    const { line, votes: count } = take(records);
    const lineId = names[line] ?? '';
    for (let vote = 0, last = NO_ROW; vote < count; vote += 1) {
      const row = addVote(view.votes, take(votes));
      if (last === NO_ROW) view.lines.set(lineId, row);
      else view.votes.columns().next[last] = row;
      last = row;
    }
    yield;
  }
}

function addVote(table: VoteTable, vote: ReturnType<ViewReader['votes']['next']>['value']): number {
  const row = table.addRow();
  const columns = table.columns();
  columns.at[row] = vote.at;
  columns.voter[row] = vote.voter;
  columns.reached[row] = vote.reached;
  columns.failed[row] = vote.failed;
  columns.lost[row] = vote.lost;
  columns.times[row] = vote.times;
  columns.sumLnMs[row] = vote.sumLnMs;
  columns.next[row] = NO_ROW;
  // No time is longer than a day, so the sum of the logarithms has this bound.
  if (vote.sumLnMs > vote.times * LARGEST_LN_MS)
    throw new SnapshotError('holds a number that is too large for a time');
  return row;
}

function* saveHistory({ site, arrivals, lines }: SavedHistory, tables: Tables): Generator<void, void> {
  tables.site.addColumns(site.counts, DAY_MINUTES);
  tables.siteTimes.addColumns(site.groups, HOUR_MINUTES);
  tables.siteTimesCounts.addColumns(site.groups, site.groups.counts.length);
  tables.arrivals.addColumns(arrivals.counts, DAY_MINUTES);
  tables.arrivalsVoters.addColumns(arrivals.groups, HOUR_MINUTES);
  tables.arrivalsVotersCounts.addColumns(arrivals.groups, arrivals.groups.counts.length);
  for (const { counts, groups } of lines.values()) {
    tables.lines.addColumns(counts, DAY_MINUTES);
    tables.lineTimes.addColumns(groups, HOUR_MINUTES);
    tables.lineTimesCounts.addColumns(groups, groups.counts.length);
    yield;
  }
}

type LineRings = SavedHistory['lines'] extends ReadonlyMap<string, infer Rings> ? Rings : never;

function* readHistory(tables: Tables, historyOf: readonly string[]): Generator<void, SavedHistory> {
  const lines: (readonly [string, LineRings])[] = [];
  for (const [index, lineId] of historyOf.entries()) {
    const counts = cutColumns(tables.lines, ['minute', ...LINE_COUNTS], DAY_MINUTES, index);
    const groups = readGroups(tables.lineTimes, tables.lineTimesCounts, BUCKETS, index);
    lines.push([lineId, { counts, groups }]);
    yield;
  }
  return {
    site: {
      counts: cutColumns(tables.site, ['minute', ...SITE_COUNTS], DAY_MINUTES, 0),
      groups: readGroups(tables.siteTimes, tables.siteTimesCounts, BUCKETS, 0),
    },
    arrivals: {
      counts: cutColumns(tables.arrivals, ['minute', ...ARRIVAL_COUNTS], DAY_MINUTES, 0),
      groups: readGroups(tables.arrivalsVoters, tables.arrivalsVotersCounts, VOTERS.stranded.count, 0),
    },
    lines: new Map(lines),
  };
}

function readGroups(minutes: AnyTable, counts: AnyTable, groups: number, index: number) {
  return {
    ...cutColumns(minutes, ['minute'], HOUR_MINUTES, index),
    ...cutColumns(counts, ['counts'], HOUR_MINUTES * groups, index),
  };
}

/** Some rows of a table, column by column. Copied, so that what is not needed any more is not kept with it. */
function cutColumns<Name extends string>(
  table: AnyTable,
  names: readonly Name[],
  rows: number,
  index: number,
): Readonly<Record<Name, Uint32Array>> {
  if (table.rowCount() < (index + 1) * rows) throw new SnapshotError('has a day with too few minutes');
  const cut = names.map((name) => {
    const column = table.column(name);
    return [name, new Uint32Array(column.subarray(index * rows, (index + 1) * rows))] as const;
  });
  return Object.fromEntries(cut) as Readonly<Record<Name, Uint32Array>>; // Each name has its column.
}

function take<T>(rows: Generator<T>): T {
  const { value, done } = rows.next();
  if (done) throw new SnapshotError('has fewer rows than it says');
  return value;
}
