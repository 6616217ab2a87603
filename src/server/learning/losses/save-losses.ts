import { findOrAdd } from '../../process/find-or-add.ts';
import { type AnyTable, createTable } from '../create-table.ts';
import { type Losses, createLosses } from './judge-losses.ts';
import { createPartialEvidence } from './partial-losses.ts';
import { beginLoss } from './place-losses.ts';
import { beginSlowness, createPace } from './slow-lines.ts';

/** Gives names numbers, so that tables can have them. */
export type NameList = {
  readonly numberOf: (name: string) => number;
  /** The names in the order of their numbers. */
  readonly list: () => readonly string[];
};

export function createNameList(): NameList {
  const numbers = new Map<string, number>();
  return {
    numberOf: (name) => findOrAdd(numbers, name, () => numbers.size),
    list: () => [...numbers.keys()],
  };
}

/** Lines and places are numbers of names. */
const LINE_IN_PLACE = { line: 'u32', place: 'u32' } as const;

export function createLossTables() {
  return {
    usual: createTable({ tries: 'f64', reached: 'f64' }),
    evidence: createTable({
      ...LINE_IN_PLACE,
      sum: 'f64',
      runFailures: 'f64',
      runSum: 'f64',
      usualTries: 'f64',
      usualReached: 'f64',
      successes: 'f64',
      isLost: 'u8',
      since: 'f64',
      visitors: 'f64',
      triedAt: 'f64',
      failedAt: 'f64',
      signAt: 'f64',
      reachedAt: 'f64',
      isCountry: 'u8',
    }),
    failing: createTable({ ...LINE_IN_PLACE, network: 'u32', failures: 'f64' }),
    lost: createTable(LINE_IN_PLACE),
    partial: createTable({
      line: 'u32',
      sum: 'f64',
      isLost: 'u8',
      since: 'f64',
      visitors: 'f64',
      triedAt: 'f64',
      failedAt: 'f64',
      successes: 'f64',
      usualTries: 'f64',
      usualFailures: 'f64',
    }),
    partialFailures: createTable({ ...LINE_IN_PLACE, failures: 'f64' }),
    partialSuccesses: createTable({ line: 'u32', country: 'u32', successes: 'f64' }),
    partialWaiting: createTable({ ...LINE_IN_PLACE, failures: 'f64', at: 'f64' }),
    paces: createTable({
      ...LINE_IN_PLACE,
      usualTimes: 'f64',
      usualLn: 'f64',
      lateTimes: 'f64',
      lateSum: 'f64',
      at: 'f64',
      sum: 'f64',
      since: 'f64',
      visitors: 'f64',
      slowSum: 'f64',
      isSlow: 'u8',
    }),
    slowIn: createTable({ ...LINE_IN_PLACE, network: 'u32', times: 'f64' }),
    lately: createTable({ place: 'u32', lateTimes: 'f64', lateSum: 'f64', at: 'f64' }),
    ended: createTable({ line: 'u32', at: 'f64', failedAt: 'f64' }),
    entries: createTable({ at: 'f64', reports: 'f64', stranded: 'f64' }),
    /** The window is a row of `entries`. */
    entryVoters: createTable({ window: 'u32', voter: 'u8', stranded: 'f64' }),
  } satisfies Record<string, AnyTable>;
}

export type LossTables = ReturnType<typeof createLossTables>;

/** Writes all that is known of losses into tables, in its order: portals that know the same write the same. */
export function* saveLosses(
  { places, partial, paces, ended, entries }: Losses,
  { numberOf }: NameList,
): Generator<void, LossTables> {
  const tables = createLossTables();
  tables.usual.addRow(places.usual);
  for (const [lineId, ofLine] of places.lines) {
    const line = numberOf(lineId);
    for (const [area, evidence] of ofLine) {
      const place = numberOf(area);
      tables.evidence.addRow({
        line,
        place,
        sum: evidence.sum,
        runFailures: evidence.runFailures,
        runSum: evidence.runSum,
        usualTries: evidence.usual.tries,
        usualReached: evidence.usual.reached,
        successes: evidence.successes,
        isLost: Number(evidence.isLost),
        since: evidence.since,
        visitors: evidence.visitors,
        triedAt: evidence.triedAt,
        failedAt: evidence.failedAt,
        signAt: evidence.signAt,
        reachedAt: evidence.reachedAt,
        isCountry: Number(evidence.isCountry),
      });
      for (const [network, failures] of evidence.failing ?? [])
        tables.failing.addRow({ line, place, network: numberOf(network), failures });
    }
    yield;
  }
  for (const [lineId, lostIn] of places.lost)
    for (const area of lostIn) tables.lost.addRow({ line: numberOf(lineId), place: numberOf(area) });
  for (const [lineId, evidence] of partial) {
    const line = numberOf(lineId);
    const { usual, isLost, failures, successesByCountry, waiting, ...numbers } = evidence;
    const { tries: usualTries, failures: usualFailures } = usual;
    tables.partial.addRow({ ...numbers, line, isLost: Number(isLost), usualTries, usualFailures });
    for (const [area, count] of failures)
      tables.partialFailures.addRow({ line, place: numberOf(area), failures: count });
    for (const [country, successes] of successesByCountry)
      tables.partialSuccesses.addRow({ line, country: numberOf(country), successes });
    for (const [area, failed] of waiting)
      tables.partialWaiting.addRow({ line, place: numberOf(area), ...failed });
    yield;
  }
  for (const [lineId, ofLine] of paces.lines) {
    const line = numberOf(lineId);
    for (const [area, { slowIn = [], isSlow, ...numbers }] of ofLine) {
      const place = numberOf(area);
      tables.paces.addRow({ ...numbers, line, place, isSlow: Number(isSlow) });
      for (const [network, times] of slowIn)
        tables.slowIn.addRow({ line, place, network: numberOf(network), times });
    }
    yield;
  }
  for (const [area, numbers] of paces.lately) tables.lately.addRow({ ...numbers, place: numberOf(area) });
  for (const [lineId, end] of ended) tables.ended.addRow({ line: numberOf(lineId), ...end });
  for (const [window, { at, reports, stranded, strandedByVoter }] of entries.entries()) {
    tables.entries.addRow({ at, reports, stranded });
    for (const [voter, count] of strandedByVoter)
      tables.entryVoters.addRow({ window, voter, stranded: count });
  }
  return tables;
}

/** Reads what `saveLosses` wrote. */
export function* readLosses(tables: LossTables, names: readonly string[]): Generator<void, Losses> {
  const losses = createLosses();
  const { places, partial, paces, ended } = losses;
  const nameOf = (number: number): string => names[number] ?? '';
  const evidenceOf = ({ line, place }: { readonly line: number; readonly place: number }) =>
    places.lines.get(nameOf(line))?.get(nameOf(place));
  for (const row of tables.usual.rows()) Object.assign(places.usual, row);
  for (const row of tables.evidence.rows()) {
    const ofLine = findOrAdd(places.lines, nameOf(row.line), () => new Map());
    ofLine.set(nameOf(row.place), {
      sum: row.sum,
      runFailures: row.runFailures,
      runSum: row.runSum,
      usual: { tries: row.usualTries, reached: row.usualReached },
      successes: row.successes,
      isLost: row.isLost === 1,
      since: row.since,
      visitors: row.visitors,
      triedAt: row.triedAt,
      failedAt: row.failedAt,
      signAt: row.signAt,
      reachedAt: row.reachedAt,
      failing: undefined,
      isCountry: row.isCountry === 1,
    });
    yield;
  }
  for (const { network, failures, ...inPlace } of tables.failing.rows()) {
    const evidence = evidenceOf(inPlace);
    if (evidence !== undefined) (evidence.failing ??= new Map()).set(nameOf(network), failures);
    yield;
  }
  for (const inPlace of tables.lost.rows()) {
    const evidence = evidenceOf(inPlace);
    if (evidence !== undefined)
      beginLoss(places, { lineId: nameOf(inPlace.line), place: nameOf(inPlace.place), evidence });
  }
  for (const { line, isLost, usualTries, usualFailures, ...numbers } of tables.partial.rows()) {
    const evidence = createPartialEvidence(0);
    Object.assign(evidence, numbers, { isLost: isLost === 1 });
    Object.assign(evidence.usual, { tries: usualTries, failures: usualFailures });
    partial.set(nameOf(line), evidence);
    yield;
  }
  for (const { line, place, failures } of tables.partialFailures.rows()) {
    partial.get(nameOf(line))?.failures.set(nameOf(place), failures);
    yield;
  }
  for (const { line, country, successes } of tables.partialSuccesses.rows())
    partial.get(nameOf(line))?.successesByCountry.set(nameOf(country), successes);
  for (const { line, place, ...failed } of tables.partialWaiting.rows())
    partial.get(nameOf(line))?.waiting.set(nameOf(place), failed);
  for (const { line, place, isSlow, ...numbers } of tables.paces.rows()) {
    const [lineId, area] = [nameOf(line), nameOf(place)];
    const pace = Object.assign(createPace(0), numbers);
    findOrAdd(paces.lines, lineId, () => new Map()).set(area, pace);
    if (isSlow === 1) beginSlowness(paces, pace, { lineId, place: area });
    yield;
  }
  for (const { line, place, network, times } of tables.slowIn.rows()) {
    const pace = paces.lines.get(nameOf(line))?.get(nameOf(place));
    if (pace !== undefined) (pace.slowIn ??= new Map()).set(nameOf(network), times);
    yield;
  }
  for (const { place, ...numbers } of tables.lately.rows()) paces.lately.set(nameOf(place), numbers);
  for (const { line, ...end } of tables.ended.rows()) ended.set(nameOf(line), end);
  const byWindow = Array.from({ length: tables.entries.rowCount() }, () => new Map<number, number>());
  for (const { window, voter, stranded } of tables.entryVoters.rows()) byWindow[window]?.set(voter, stranded);
  for (const [window, row] of [...tables.entries.rows()].entries())
    losses.entries.push({ ...row, strandedByVoter: byWindow[window] ?? new Map() });
  return losses;
}
