import { describe, expect, test } from 'vitest';
import { type Incident, listLasting, partsOf } from '../../contract/incidents.ts';
import { nameIncident } from '../../contract/describe-incident.ts';
import { EMPTY_MEMORY, type Look, type Sighting, followConditions } from './follow-conditions.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

function sight(id: string, more: Partial<Sighting> = {}): Sighting {
  return {
    cause: `line/${id}`,
    kind: 'line-down',
    severity: 'high',
    subject: `${id}.example`,
    affected: [],
    detail: { kind: 'line-faults', faults: [{ kind: 'timeout' }] },
    since: 0,
    visitors: 0,
    isSure: true,
    ...more,
  };
}

const NOBODY = sight('', {
  cause: 'visitors/now',
  kind: 'visitors-lost',
  severity: 'critical',
  subject: '',
  detail: { kind: 'visitors-stranded', percent: 100, allowedPercent: 1, minutes: 1 },
  visitors: 40,
});
const CUT_OFF = sight('', {
  cause: 'portal/a:1',
  kind: 'portal-cut-off',
  subject: 'a',
  detail: { kind: 'cut-off' },
});

/** A site with twelve lines, a to l. Of these, a, b and c are in one address range. */
const TWELVE = 'a b c d e f g h i j k l'.split(' ');
const GROUPS = {
  lines: new Set(TWELVE.map((id) => `line/${id}`)),
  shared: new Map([
    ['range/203.0.113.0/24', ['line/a', 'line/b', 'line/c']],
    ['port/8443', TWELVE.map((id) => `line/${id}`)],
  ]),
};

function createFollower(more: Partial<Look> = {}) {
  let memory = EMPTY_MEMORY;
  let incidents: readonly Incident[] = [];
  let now = 0;
  let ids = 0;
  return {
    see: (ms: number, ...sightings: readonly Sighting[]) => {
      for (const until = now + ms; now < until;) {
        now += SECOND_MS;
        // A line that was seen first now began now.
        const current = sightings.map((each) => Object.assign({}, each, { since: each.since || now }));
        const look = { sightings: current, now, calmMs: MINUTE_MS, groups: GROUPS, ...more };
        const followed = followConditions(incidents, memory, { ...look, createId: () => String((ids += 1)) });
        ({ incidents, memory } = followed);
      }
      return incidents.filter(({ endedAt }) => endedAt === null);
    },
    all: () => incidents,
  };
}

const linesOf = (incident: Incident | undefined) =>
  incident === undefined ? [] : listLasting(incident).map(({ subject }) => subject.replace('.example', ''));

describe('lines that the same places lose are one incident', () => {
  const lost = (id: string, ...affected: readonly string[]) =>
    sight(id, { kind: 'line-lost', severity: 'medium', affected });

  test('a network that loses three lines within half an hour: one incident of medium severity, which names them', () => {
    const { see } = createFollower();
    const [a, b, c] = ['a', 'b', 'c'].map((id) => lost(id, 'SG/AS64500'));
    if (!a || !b || !c) throw new Error('three');
    see(10 * MINUTE_MS, a);
    see(25 * MINUTE_MS, a, b);
    const [one, ...none] = see(SECOND_MS, a, b, c);
    expect([linesOf(one), none]).toEqual([['a', 'b', 'c'], []]);
    expect(one).toMatchObject({ kind: 'line-lost', severity: 'medium' });
    expect(one && nameIncident(one, 'en')).toBe('Visitors of some networks do not reach 3 of 12 lines');
    // One of them dies: it is named, and the others are not said to be down.
    const [worse] = see(SECOND_MS, a, sight('b'), c);
    expect(worse && nameIncident(worse, 'en')).toBe('b.example is down for everyone');
  });

  test('a network of a country that loses a line is part of the trouble of that country; another network is not', () => {
    const { see } = createFollower();
    const first = lost('a', 'SG/');
    see(SECOND_MS, first);
    const all = [first, lost('b', 'SG/AS64500'), lost('c', 'GB/AS1')];
    expect(see(SECOND_MS, ...all).map(linesOf)).toEqual([['a', 'b'], ['c']]);
  });

  test('a line that has another trouble an hour later is told of that, and not of the one before', () => {
    const { see } = createFollower();
    see(SECOND_MS, sight('a'), sight('b'));
    see(70 * MINUTE_MS, sight('a'));
    const [incident] = see(SECOND_MS, sight('a'), lost('b', 'SG/AS64500'));
    expect(incident && listLasting(incident)).toMatchObject([
      { kind: 'line-down' },
      { kind: 'line-lost', affected: ['SG/AS64500'], hasReturned: false },
    ]);
    const [well] = see(2 * MINUTE_MS, sight('a'));
    expect(linesOf(well)).toEqual(['a']);
  });

  test('one of several places in common is not enough', () => {
    const { see } = createFollower();
    const all = [lost('a', 'SG/AS64500', 'GB/AS1'), lost('b', 'GB/AS1'), lost('c', 'GB/AS1', 'SG/AS64500')];
    expect(see(SECOND_MS, ...all).map(linesOf)).toEqual([['a', 'c'], ['b']]);
  });

  test('after more than half an hour it is another trouble', () => {
    const { see } = createFollower();
    see(31 * MINUTE_MS, lost('a', 'SG/AS64500'));
    expect(see(SECOND_MS, lost('a', 'SG/AS64500'), lost('b', 'SG/AS64500')).map(linesOf)).toEqual([
      ['a'],
      ['b'],
    ]);
  });
});

describe('lines that go down together are one incident', () => {
  test('if one follows the other within a minute, and not if it takes longer', () => {
    const { see } = createFollower();
    see(50 * SECOND_MS, sight('e'));
    const [both, ...none] = see(SECOND_MS, sight('e'), sight('f'));
    expect([linesOf(both), none]).toEqual([['e', 'f'], []]);
    see(70 * SECOND_MS, sight('e'), sight('f'));
    expect(see(SECOND_MS, sight('e'), sight('f'), sight('g')).map(linesOf)).toEqual([['e', 'f'], ['g']]);
  });

  test.each([
    [50 * SECOND_MS, [['e', 'f']]],
    [70 * SECOND_MS, [['e'], ['f']]],
  ])('if other networks lost each of them first, the second one %i ms after the first', (later, lines) => {
    const { see } = createFollower();
    const lost = (id: string, place: string) =>
      sight(id, { kind: 'line-lost', severity: 'medium', affected: [place] });
    see(later, lost('e', 'SG/'));
    expect(see(SECOND_MS, lost('e', 'SG/'), lost('f', 'GB/')).map(linesOf)).toEqual([['e'], ['f']]);
    see(20 * SECOND_MS, sight('e'), lost('f', 'GB/'));
    expect(see(SECOND_MS, sight('e'), sight('f')).map(linesOf)).toEqual(lines);
  });

  test('if they are all lines of an address range, whenever they went down', () => {
    const { see, all } = createFollower();
    see(2 * MINUTE_MS, sight('a'));
    see(2 * MINUTE_MS, sight('a'), sight('b'));
    expect(see(SECOND_MS, sight('a'), sight('b'))).toHaveLength(2);
    const [one, ...none] = see(SECOND_MS, sight('a'), sight('b'), sight('c'));
    expect([linesOf(one), one?.shared, none]).toEqual([['a', 'b', 'c'], 'range/203.0.113.0/24', []]);
    // The one that joined has ended without a word: its lines are no longer its own.
    expect(
      all()
        .filter(({ endedAt }) => endedAt !== null)
        .map(partsOf),
    ).toEqual([[], []]);
  });

  test('if they are half of all lines', () => {
    const { see } = createFollower();
    const down: Sighting[] = [];
    for (const id of ['d', 'e', 'f', 'g', 'h']) {
      down.push(sight(id));
      see(2 * MINUTE_MS, ...down);
    }
    expect(see(SECOND_MS, ...down)).toHaveLength(5);
    const [one, ...none] = see(SECOND_MS, ...down, sight('i'));
    expect([linesOf(one), one?.lineCount, none]).toEqual([['d', 'e', 'f', 'g', 'h', 'i'], 12, []]);
  });

  test('if all of them fail at one port', () => {
    const { see } = createFollower();
    const fail = (id: string) => sight(id, { kind: 'line-degraded', severity: 'medium', affected: ['8443'] });
    const [one, ...none] = see(SECOND_MS, ...TWELVE.map(fail));
    expect([linesOf(one), one?.shared, none]).toEqual([TWELVE, 'port/8443', []]);
  });

  test('if they show one certificate that ends soon', () => {
    const { see } = createFollower();
    const end = (id: string, at: number) =>
      sight(id, {
        cause: `certificate/${id}`,
        kind: 'certificate',
        detail: { kind: 'certificate-ends', at },
      });
    expect(see(SECOND_MS, end('a', 5), end('b', 5), end('c', 6)).map(linesOf)).toEqual([['a', 'b'], ['c']]);
  });

  test('but not a line in maintenance', () => {
    const { see } = createFollower({ isAlone: (cause) => cause === 'line/b' });
    expect(see(SECOND_MS, sight('a'), sight('b'), sight('c')).map(linesOf)).toEqual([['a', 'c'], ['b']]);
  });
});

test('some of the lines come back: the same incident has those that remain, and ends with the last', () => {
  const { see, all } = createFollower();
  see(SECOND_MS, sight('a'), sight('b'), sight('c'));
  const [left] = see(2 * MINUTE_MS, sight('b'));
  expect([left?.id, linesOf(left)]).toEqual(['1', ['b']]);
  see(2 * MINUTE_MS);
  expect(all()).toHaveLength(1);
  expect(all()[0]?.endedAt).not.toBe(null);
  expect(all()[0]?.timeline.map(({ kind, by }) => [kind, by])).toEqual([
    ['opened', undefined],
    ['grew', 'b.example'],
    ['grew', 'c.example'],
    ['shrank', 'a.example'],
    ['shrank', 'c.example'],
    ['closed', undefined],
  ]);
});

describe('if nobody gets in', () => {
  test('lines that went down before are the reason, and lines that go down later belong to it', () => {
    const { see } = createFollower();
    see(2 * MINUTE_MS, sight('e'));
    see(2 * MINUTE_MS, sight('e'), CUT_OFF);
    const [one, ...none] = see(SECOND_MS, sight('e'), CUT_OFF, NOBODY);
    expect([one?.kind, one?.severity, one?.id, none]).toEqual(['visitors-lost', 'critical', '1', []]);
    const lost = sight('g', { kind: 'line-lost', severity: 'medium', affected: ['GB/'] });
    expect(see(5 * MINUTE_MS, sight('e'), sight('f'), lost, CUT_OFF, NOBODY)).toHaveLength(1);
  });

  test('the incident is about the lines again when visitors get in again', () => {
    const { see, all } = createFollower();
    see(SECOND_MS, sight('e'), sight('f'), NOBODY);
    const [eased] = see(2 * MINUTE_MS, sight('e'));
    expect([eased?.kind, eased?.severity, linesOf(eased)]).toEqual(['line-down', 'high', ['e']]);
    expect(eased?.timeline.map(({ kind }) => kind)).toContain('eased');
    see(2 * MINUTE_MS);
    expect(all()).toHaveLength(1);
  });

  test('a line that was down for an hour before is not the reason', () => {
    const { see } = createFollower();
    see(60 * MINUTE_MS, sight('e'));
    expect(see(SECOND_MS, sight('e'), NOBODY).map(({ kind }) => kind)).toEqual([
      'line-down',
      'visitors-lost',
    ]);
  });
});
