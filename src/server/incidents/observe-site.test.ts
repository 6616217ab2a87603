import { describe, expect, test } from 'vitest';
import { countReport } from '../learning/count-report.ts';
import { addCounts, createCounts } from '../learning/counts.ts';
import { createHistory } from '../learning/create-history.ts';
import { type Counted, type SiteSources, observeSite } from './observe-site.ts';
import { createMinuteCounts } from './create-minute-counts.ts';

const MINUTE_MS = 60_000;
const NOW = 1_000 * MINUTE_MS;
const WELL = { isUp: true, since: 0 };

function see(
  spells: readonly { readonly minutes: number; readonly reports: number; readonly stranded: number }[],
  more: Partial<SiteSources> = {},
) {
  const history = createHistory();
  let minute = 1_000 - spells.reduce((sum, { minutes }) => sum + minutes, 0);
  for (const { minutes, reports, stranded } of spells) {
    for (const until = minute + minutes; minute < until;) {
      const window = createCounts();
      Object.assign(window.site, { reports, stranded });
      minute += 1;
      history.addWindow(window, minute * MINUTE_MS + 10_000);
    }
  }
  return observeSite({
    counts: createMinuteCounts<Counted>(5),
    history,
    entries: [],
    entriesLostAt: 0,
    objective: 0.99,
    siteRecord: { publishedAt: 0, refusal: undefined },
    database: { isShared: false, ...WELL },
    dataFolder: WELL,
    missing: undefined,
    now: NOW,
    ...more,
  });
}

function observe(...of: Parameters<typeof see>) {
  return see(...of).map(({ kind, severity }) => [kind, severity]);
}

describe('visitors who do not get in', () => {
  test('are told as a part of all, rounded, so that it does not change at each look', () => {
    const [sighting] = see([{ minutes: 60, reports: 700, stranded: 110 }]);
    expect(sighting?.detail).toEqual({
      kind: 'visitors-stranded',
      percent: 15.7,
      allowedPercent: 1,
      minutes: 5,
    });
  });

  test('15 in 100 for an hour burn the budget more than 14.4 times too fast', () => {
    expect(observe([{ minutes: 60, reports: 100, stranded: 15 }])).toEqual([['visitors-lost', 'high']]);
    expect(observe([{ minutes: 60, reports: 100, stranded: 14 }])).toEqual([['visitors-lost', 'medium']]);
  });

  test('7 in 100 for six hours burn it more than 6 times too fast', () => {
    expect(observe([{ minutes: 360, reports: 100, stranded: 7 }])).toEqual([['visitors-lost', 'medium']]);
    expect(observe([{ minutes: 360, reports: 100, stranded: 6 }])).toEqual([]);
  });

  test('five bad minutes of a good hour are not enough, nor is a bad hour that is over', () => {
    expect(
      observe([
        { minutes: 355, reports: 100, stranded: 0 },
        { minutes: 5, reports: 100, stranded: 50 },
      ]),
    ).toEqual([]);
    expect(
      observe([
        { minutes: 60, reports: 100, stranded: 90 },
        { minutes: 30, reports: 100, stranded: 0 },
      ]),
    ).toEqual([]);
  });

  test('one address range alone is not enough, however often it reports', () => {
    const results = [{ index: 0, outcome: 'unreachable' as const, time: 9 }];
    const strand = (prefixes: readonly string[]) => {
      const window = createCounts();
      for (const prefix of prefixes) {
        addCounts(window, countReport({ area: 'GB/AS1', prefix, lineIds: ['a'], results, entered: null }));
      }
      const history = createHistory();
      history.addWindow(window, NOW);
      return observe([], { history });
    };
    const liar = Array.from({ length: 100 }, () => '198.51.100');
    const others = ['192.0.2', '203.0.113', '198.51.101', '192.0.3', '192.0.4'];
    expect(strand(liar)).toEqual([]);
    expect(strand([...liar, ...others.slice(1)])).toEqual([]);
    expect(strand([...liar, ...others])).toEqual([['visitors-lost', 'high']]);
  });

  test('one address range counts neither as lost nor as a visitor', () => {
    const spell = (stranded: number) => {
      const window = createCounts();
      Object.assign(window.site, {
        reports: 110,
        stranded: 10 + stranded,
        strandedByVoter: new Map([[0, 10]]),
      });
      const history = createHistory();
      history.addWindow(window, NOW);
      return observe([], { history });
    };
    expect(spell(15)).toEqual([['visitors-lost', 'high']]);
    expect(spell(14)).toEqual([['visitors-lost', 'medium']]);
  });

  test('a few visitors with bad luck are not enough', () => {
    expect(observe([{ minutes: 4, reports: 1, stranded: 1 }])).toEqual([]);
  });
});

test('a refused site change is one until it is corrected', () => {
  const fault = { code: 'broken-json', values: { fact: { kind: 'empty-file' } } } as const;
  const refusal = { at: 5, faults: [fault], correctedAt: undefined };
  expect(see([], { siteRecord: { publishedAt: 0, refusal } })).toMatchObject([
    {
      kind: 'site-refused',
      severity: 'medium',
      detail: { kind: 'site-fault', fault: { code: 'broken-json', sentences: { en: 'the file is empty' } } },
    },
  ]);
  const corrected = { publishedAt: 9, refusal: { ...refusal, correctedAt: 9 } };
  expect(observe([], { siteRecord: corrected })).toEqual([]);
});

test('a data folder that fails, with the database in it, is one cause; a database elsewhere is another one', () => {
  const away = { isUp: false, since: 0 };
  const listSubjects = (...of: Parameters<typeof see>) => see(...of).map(({ subject }) => subject);
  const own = { isShared: false, ...away };
  expect(listSubjects([], { database: own, dataFolder: away })).toEqual(['the data folder']);
  expect(listSubjects([], { database: own })).toEqual(['the database']);
  const shared = { isShared: true, ...away };
  expect(listSubjects([], { database: shared, dataFolder: away })).toEqual([
    'the database',
    'the data folder',
  ]);
});

test.each<[string, Counted, Counted, number, number, boolean]>([
  ['reports-refused', 'refused', 'accepted', 200, 199, true],
  ['reports-refused', 'refused', 'accepted', 199, 0, false],
  ['reports-refused', 'refused', 'accepted', 200, 200, false],
  ['unknown-regions', 'unknownRegions', 'knownRegions', 100, 300, true],
  ['unknown-regions', 'unknownRegions', 'knownRegions', 99, 0, false],
  ['unknown-regions', 'unknownRegions', 'knownRegions', 100, 301, false],
])('%s: %s and %s, %d and %d: %s', (kind, bad, good, badCount, goodCount, isSeen) => {
  const counts = createMinuteCounts<Counted>(5);
  for (let count = 0; count < badCount; count += 1) counts.add(bad, NOW - 4 * MINUTE_MS);
  for (let count = 0; count < goodCount; count += 1) counts.add(good, NOW);
  expect(observe([], { counts }).map(([seen]) => seen)).toEqual(isSeen ? [kind] : []);
});

test('visitors are missing: high if everywhere, medium if in some places; nothing opens and nothing ends while nobody knows', () => {
  const missing = { places: [], since: NOW - 360_000, seen: 12, expected: 240 };
  const at = (places: readonly string[]) => ({
    ...missing,
    places: places.map((name) => ({ kind: 'network' as const, name })),
  });
  const find = (given: SiteSources['missing']) =>
    see([], { missing: given }).filter(({ kind }) => kind === 'visitors-missing');
  expect(find(missing)).toMatchObject([
    { severity: 'high', affected: [], visitors: 228, isSure: true, detail: { percent: 5, minutes: 6 } },
  ]);
  expect(find(at(['SG/AS1']))).toMatchObject([{ severity: 'medium', affected: ['SG/AS1'] }]);
  expect(find('unknown')).toMatchObject([{ cause: 'visitors/missing', isSure: false }]);
  expect(find(undefined)).toEqual([]);
});
