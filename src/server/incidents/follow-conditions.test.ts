import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { Incident } from '../../contract/incidents.ts';
import { EMPTY_MEMORY, type Sighting, followConditions } from './follow-conditions.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const DOWN: Sighting = {
  cause: 'line/a',
  kind: 'line-down',
  severity: 'high',
  subject: 'a.example',
  affected: [],
  detail: { kind: 'line-faults', faults: [{ kind: 'unreachable', code: 'ECONNREFUSED' }] },
  since: 0,
  visitors: 0,
  isSure: true,
};
const LOST: Sighting = { ...DOWN, kind: 'line-lost', severity: 'medium', affected: ['GB/AS1'] };

/** Follows what is seen, second by second. */
function createFollower(calmMs = MINUTE_MS) {
  let memory = EMPTY_MEMORY;
  let incidents: readonly Incident[] = [];
  let now = 0;
  let ids = 0;
  return {
    setBack: (ms: number) => void (now -= ms),
    see: (ms: number, ...sightings: readonly Sighting[]) => {
      for (const until = now + ms; now < until;) {
        now += SECOND_MS;
        const look = { sightings, now, calmMs, createId: () => String((ids += 1)) };
        ({ incidents, memory } = followConditions(incidents, memory, look));
      }
      return incidents;
    },
  };
}

const eventsOf = ({ timeline }: Incident) => timeline.map(({ kind }) => kind);

test('what is sure opens an incident, which is closed when it was not seen for a minute', () => {
  const { see } = createFollower();
  const [incident] = see(SECOND_MS, DOWN);
  expect(incident).toMatchObject({ kind: 'line-down', startedAt: 0, endedAt: null });
  expect(see(59_000)[0]?.endedAt).toBe(null);
  const [closed, ...others] = see(2_000);
  // It was over when it was no longer seen, not when that was believed.
  expect([closed?.endedAt, others]).toEqual([2_000, []]);
  expect(closed && eventsOf(closed)).toEqual(['opened', 'closed']);
});

test('one that ended before the clock was set back is closed after a minute, and one that was seen opens', () => {
  const { see, setBack } = createFollower();
  const [down] = see(20 * MINUTE_MS, DOWN);
  see(SECOND_MS);
  setBack(10 * MINUTE_MS);
  expect(down?.endedAt).toBe(null);
  expect(see(61_000)[0]?.endedAt).not.toBe(null);
  const refused = { ...DOWN, cause: 'site', kind: 'site-refused' } as const;
  see(SECOND_MS, refused);
  setBack(5 * MINUTE_MS);
  expect(see(11_000, refused).map(({ kind }) => kind)).toEqual(['line-down', 'site-refused']);
});

test('what is not sure opens none, but keeps one open', () => {
  const { see } = createFollower();
  expect(see(5 * MINUTE_MS, { ...DOWN, isSure: false })).toEqual([]);
  see(SECOND_MS, DOWN);
  const [incident] = see(5 * MINUTE_MS, { ...DOWN, isSure: false, detail: { kind: 'text', text: 'unsure' } });
  expect(incident).toMatchObject({ endedAt: null, detail: DOWN.detail });
});

test('one that gets worse stays one, and keeps its worst kind when it eases', () => {
  const { see } = createFollower();
  see(30_000, LOST);
  see(SECOND_MS, DOWN);
  const [incident, ...others] = see(SECOND_MS, LOST);
  expect([incident?.kind, incident?.affected, others]).toEqual(['line-down', ['GB/AS1'], []]);
  expect(incident && eventsOf(incident)).toEqual(['opened', 'changed']);
});

test('one that is seen as before is the same object, so that nothing is written or shown anew', () => {
  const { see } = createFollower();
  const [before] = see(SECOND_MS, DOWN);
  expect(see(SECOND_MS, { ...DOWN, detail: structuredClone(DOWN.detail) })[0]).toBe(before);
  const slow = { kind: 'line-faults', faults: [{ kind: 'timeout' }] } as const;
  expect(see(SECOND_MS, { ...DOWN, detail: slow })[0]).toMatchObject({ detail: slow });
});

describe('one that comes back', () => {
  test('within ten minutes is the same, and needs ten minutes of calm', () => {
    const { see } = createFollower();
    see(SECOND_MS, DOWN);
    see(9 * MINUTE_MS);
    const [incident, ...others] = see(SECOND_MS, DOWN);
    expect([incident?.endedAt, others]).toEqual([null, []]);
    expect(see(9 * MINUTE_MS)[0]?.endedAt).toBe(null);
    const [closed] = see(2 * MINUTE_MS);
    expect(closed && eventsOf(closed)).toEqual(['opened', 'closed', 'returned', 'closed']);
  });

  test('later is another one', () => {
    const { see } = createFollower();
    see(SECOND_MS, DOWN);
    see(12 * MINUTE_MS);
    expect(see(SECOND_MS, DOWN)).toHaveLength(2);
  });
});

test('whatever comes and goes, a cause has one open incident, and ends no more often than every ten minutes after its first end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 200 })), { maxLength: 40 }),
      (spells) => {
        const { see } = createFollower();
        for (const [isSeen, seconds] of spells) {
          const incidents = see(seconds * SECOND_MS, ...(isSeen ? [DOWN] : []));
          expect(incidents.filter(({ endedAt }) => endedAt === null).length).toBeLessThanOrEqual(1);
          for (const { timeline } of incidents) {
            const ends = timeline.filter(({ kind }) => kind === 'closed').map(({ at }) => at);
            for (const [index, at] of ends.entries()) {
              if (index > 0) expect(at - (ends[index - 1] ?? 0)).toBeGreaterThanOrEqual(600_000);
            }
          }
        }
      },
    ),
    { numRuns: 50 },
  );
});
