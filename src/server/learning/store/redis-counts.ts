import { type Counts, createCounts, openVoter } from '../counts.ts';
import { BUCKETS } from '../time-buckets.ts';
import { VOTERS } from '../voters.ts';

/**
 * Counts as they lie in Redis, which adds up whole numbers in the named fields of named rows. A row is a voter of an area, or
 * `TOTALS`. A field is a letter, which says what was counted, and the id of a line.
 */
export type PackedCounts = Map<string, Map<string, number>>;
type ReadonlyPackedCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The row of what was counted wherever visitors are. */
export const TOTALS = '*';
/** Stands in `TOTALS` for the site as a whole, in the place of a line's id. */
const SITE = '*';

/** What is counted of a line in the row of a voter. */
const SEEN = { reached: 'o', failedTenths: 'f', lost: 'x', lnMsThousandths: 'l' } as const;
/** What is counted of a line in `TOTALS`. */
const LINE = { handedOut: 'h', visitThousandths: 'v', tried: 't', reached: 'r', entered: 'e' } as const;
/** What is counted of the site in `TOTALS`. */
const WHOLE = { hostnameCalls: 'h', reports: 't', entered: 'r', stranded: 's' } as const;
/** In `TOTALS`, one letter for each bucket of times. */
const BUCKET_LETTERS = Array.from({ length: BUCKETS }, (_, bucket) => String.fromCodePoint(65 + bucket));
/** In `TOTALS`, one letter for each voter of the stranded. */
const VOTER_LETTERS = Array.from({ length: VOTERS.stranded.count }, (_, voter) =>
  String.fromCodePoint(0x1_00 + voter),
);
const TENTHS = 10;
const THOUSANDTHS = 1_000;

/** The field that says how many reports were counted. */
export const REPORTS_FIELD = WHOLE.reports + SITE;

/** Hands over what was counted, number by number. */
export function packCounts(
  { areas, lines, site }: Counts,
  add: (row: string, field: string, amount: number) => void,
): void {
  const addAll = (row: string, id: string, amounts: Readonly<Record<string, number>>): void => {
    for (const [letter, amount] of Object.entries(amounts)) if (amount > 0) add(row, letter + id, amount);
  };
  for (const [area, voters] of areas) {
    for (const [voter, seen] of voters) {
      for (const [lineId, { reached, failed, lost, sumLnMs }] of seen) {
        addAll(nameRow(area, voter), lineId, {
          [SEEN.reached]: reached,
          [SEEN.failedTenths]: Math.round(failed * TENTHS),
          [SEEN.lost]: lost,
          [SEEN.lnMsThousandths]: Math.round(sumLnMs * THOUSANDTHS),
        });
      }
    }
  }
  for (const [lineId, { handedOut, visits, tried, reached, entered, times }] of lines) {
    addAll(TOTALS, lineId, {
      [LINE.handedOut]: handedOut,
      [LINE.visitThousandths]: Math.round(visits * THOUSANDTHS),
      [LINE.tried]: tried,
      [LINE.reached]: reached,
      [LINE.entered]: entered,
      ...packLetters(BUCKET_LETTERS, times),
    });
  }
  addAll(TOTALS, SITE, {
    [WHOLE.hostnameCalls]: site.hostnameCalls,
    [WHOLE.reports]: site.reports,
    [WHOLE.entered]: site.entered,
    [WHOLE.stranded]: site.stranded,
    ...packLetters(VOTER_LETTERS, site.strandedByVoter),
    ...packLetters(BUCKET_LETTERS, site.times),
  });
}

/** Reads what `packCounts` wrote. Fields of other letters are left out. */
export function unpackCounts(rows: ReadonlyPackedCounts): Counts {
  const counts = createCounts();
  for (const [row, fields] of rows) {
    const amountOf = (letter: string, id: string): number => fields.get(letter + id) ?? 0;
    const lineIds = new Set([...fields.keys()].map((field) => field.slice(1)));
    if (row === TOTALS) unpackTotals(counts, lineIds, amountOf);
    else {
      const { area, voter } = parseRow(row);
      const seen = openVoter(counts, area, voter);
      for (const lineId of lineIds) {
        const reached = amountOf(SEEN.reached, lineId);
        seen.set(lineId, {
          reached,
          failed: amountOf(SEEN.failedTenths, lineId) / TENTHS,
          lost: amountOf(SEEN.lost, lineId),
          times: reached,
          sumLnMs: amountOf(SEEN.lnMsThousandths, lineId) / THOUSANDTHS,
        });
      }
    }
  }
  return counts;
}

function unpackTotals(
  { lines, site }: Counts,
  lineIds: ReadonlySet<string>,
  amountOf: (letter: string, id: string) => number,
): void {
  for (const lineId of lineIds) {
    if (lineId === SITE) continue;
    lines.set(lineId, {
      handedOut: amountOf(LINE.handedOut, lineId),
      visits: amountOf(LINE.visitThousandths, lineId) / THOUSANDTHS,
      tried: amountOf(LINE.tried, lineId),
      reached: amountOf(LINE.reached, lineId),
      entered: amountOf(LINE.entered, lineId),
      times: unpackLetters(BUCKET_LETTERS, (letter) => amountOf(letter, lineId)),
    });
  }
  site.hostnameCalls = amountOf(WHOLE.hostnameCalls, SITE);
  site.reports = amountOf(WHOLE.reports, SITE);
  site.entered = amountOf(WHOLE.entered, SITE);
  site.stranded = amountOf(WHOLE.stranded, SITE);
  site.strandedByVoter = unpackLetters(VOTER_LETTERS, (letter) => amountOf(letter, SITE));
  site.times = unpackLetters(BUCKET_LETTERS, (letter) => amountOf(letter, SITE));
}

function packLetters(
  letters: readonly string[],
  counts: ReadonlyMap<number, number>,
): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].map(([index, count]) => [letters[index] ?? '', count]));
}

function unpackLetters(
  letters: readonly string[],
  amountOf: (letter: string) => number,
): Map<number, number> {
  const counted = letters.map((letter, index) => [index, amountOf(letter)] as const);
  return new Map(counted.filter(([, count]) => count > 0));
}

/** A voter's row; areas have no "#" in them. */
function nameRow(area: string, voter: number): string {
  return `${area}#${voter}`;
}

function parseRow(row: string): { readonly area: string; readonly voter: number } {
  const [area = '', voter = '0'] = row.split('#');
  return { area, voter: Number(voter) };
}
