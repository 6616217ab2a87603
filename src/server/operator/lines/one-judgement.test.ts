import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameNow } from '../../../console/incidents/incident-item.tsx';
import { INCIDENT_VIEW_TEXTS } from '../../../console/incidents/texts.ts';
import { findHeadlines } from '../../../console/overview/find-headlines.ts';
import { sampleLocale } from '../../../console/testing/sample-locale.ts';
import type { ConsoleLine } from '../../../contract/console.ts';
import { type Incident, listLasting } from '../../../contract/incidents.ts';
import { nameWithoutScheme } from '../../../contract/site/parse-host.ts';
import { EMPTY_MEMORY, followConditions } from '../../incidents/follow-conditions.ts';
import { observeLines } from '../../incidents/observe-lines.ts';
import { addObservation, createCounts, openVoter } from '../../learning/counts.ts';
import { createSteering } from '../../learning/create-steering.ts';
import { findLineLoss } from '../../learning/losses/judge-losses.ts';
import type { LineState } from '../../lines/line-state.ts';
import { createTestConsole } from '../../testing/test-console.ts';
import { takeSteps } from '../../process/create-step-watch.ts';
import { describeAreas } from './describe-areas.ts';
import { describeLines } from './describe-lines.ts';
import { keepLineStates } from './keep-line-states.ts';
import { describeOverview } from '../overview/describe-overview.ts';
import { describeIncident } from '../incidents/describe-incident.ts';

const NOW = Date.UTC(2026, 0, 5);
const locale = sampleLocale();
const CONDITIONS = ['up', 'degraded', 'down'] as const;
const LINES = [0, 1, 2, 3];

const networks = fc.subarray(['GB/AS1', 'GB/AS2', 'GB/AS3', 'DE/AS4', 'FR/AS5', '/AS6', '/AS7'], {
  minLength: 1,
});
/** In each window and network, how the visitors of each line fare. */
const fares = fc.constantFrom('none', 'reached', 'reached', 'lost', 'lost', 'both');
const windows = fc.array(
  fc.record({
    pauseMs: fc.constantFrom(10_000, 10_000, 10_000, 60_000, 700_000),
    fares: fc.array(fares, { minLength: 28, maxLength: 28 }),
    /** What the server's own probe sees of each line then. */
    conditions: fc.array(fc.constantFrom('up', 'up', ...CONDITIONS), { minLength: 4, maxLength: 4 }),
    isSettled: fc.boolean(),
  }),
  { minLength: 1, maxLength: 14 },
);

test('headline, tiles, rows, map and incidents never contradict each other', async () => {
  const { sources, portal } = await createTestConsole();
  const { lines } = portal.site.lines;

  fc.assert(
    fc.property(
      networks,
      windows,
      fc.constantFrom(undefined, undefined, 'visitors' as const, 'replicas' as const),
      fc.boolean(),
      (areas, given, cutOff, isWatching) => {
        let now = NOW;
        const steering = createSteering({ random: Math.random, now: () => now });
        steering.setLines(
          lines.map(({ id }) => ({ id, weight: 1 })),
          'measured',
        );
        const states = new Map<string, LineState>();
        const lineStates = keepLineStates();
        let [incidents, memory] = [[] as readonly Incident[], EMPTY_MEMORY];
        const lookForIncidents = () =>
          observeLines({
            lines,
            backups: [],
            states: isWatching ? states : undefined,
            cutOff: isWatching ? cutOff : undefined,
            findLoss: (id, question) => findLineLoss(steering.knowledge().losses, id, question),
            findSlow: () => undefined,
            countLost: () => 0,
            portal: 'p1',
            now,
          });
        for (const { pauseMs, fares: ofVisitors, conditions, isSettled } of given) {
          now += pauseMs;
          const counts = createCounts();
          for (const [network, area] of areas.entries()) {
            for (const line of LINES) {
              const fare = ofVisitors[network * LINES.length + line];
              const reached = Number(fare === 'reached' || fare === 'both');
              const lost = fare === 'lost' || fare === 'both' ? 2 : 0;
              if (fare === 'none') continue;
              const seen = { reached, failed: lost, lost, times: reached, sumLnMs: 5 * reached };
              addObservation(openVoter(counts, area, line), lines[line]?.id ?? '', seen);
            }
          }
          steering.fold(counts, now);
          for (const line of LINES)
            see(states, line, { condition: conditions[line] ?? 'up', isSettled, now });
          lineStates.note(
            new Map(LINES.map((line) => [lines[line]?.id ?? '', conditions[line] ?? 'up'])),
            now,
          );
          const look = { sightings: lookForIncidents(), now, calmMs: 60_000, createId: () => String(now) };
          ({ incidents, memory } = followConditions(incidents, memory, look));
        }

        const open = incidents.filter(({ endedAt }) => endedAt === null);
        const shown = {
          ...sources,
          steering,
          lineStates,
          lineWatch: isWatching ? { states: () => states, cutOff: () => cutOff } : undefined,
          incidents: { listOpen: () => open },
          now: () => now,
        };
        const rows = takeSteps(describeLines(shown)).lines.filter(({ role }) => role === 'line');
        const overview = describeOverview(shown, 1);
        const map = takeSteps(describeAreas(shown));
        const rowOf = (id: string): ConsoleLine | undefined => rows.find((row) => row.id === id);
        const statusOf = (id: string) => rowOf(id)?.status ?? 'unknown';

        for (const { status, states: ofHour } of rows) {
          expect(ofHour.at(-1)?.status).toBe(status);
          expect(ofHour.reduce((sum, run) => sum + run.minutes, 0)).toBe(60);
        }
        for (const [status, count] of Object.entries(overview.lines))
          expect(rows.filter((row) => row.status === status).length).toBe(count);
        const troubled = rows.filter(({ status }) => status === 'down' || status === 'degraded');
        expect(map.networks.some(({ failing }) => failing > 0) && troubled.length === 0).toBe(false);
        for (const [index, { id, status }] of map.lines.entries()) {
          expect(status).toBe(statusOf(id));
          const failing = map.networks.filter(({ failingSince }) => failingSince[index] !== null).length;
          expect(failing).toBe(rowOf(id)?.failingNetworks ?? 0);
          if (failing > 0) expect(['degraded', 'down']).toContain(status);
        }

        const sightings = lookForIncidents().filter(({ cause }) => cause.startsWith('line/'));
        for (const { kind, cause, isSure } of sightings.filter((each) => each.isSure))
          expect([isSure, kind === 'line-down' ? ['down'] : ['degraded', 'down']]).toSatisfy(([, allowed]) =>
            allowed.includes(statusOf(cause.slice(5))),
          );
        for (const { id } of troubled) expect(sightings.map(({ cause }) => cause)).toContain(`line/${id}`);

        const headlines = findHeadlines(overview, rows, locale);
        for (const { id, status, host } of rows) {
          const naming = headlines.filter(({ text }) => text.includes(nameWithoutScheme(host)));
          for (const headline of naming) expect([id, headline.status]).toEqual([id, status]);
        }
        for (const status of ['down', 'degraded'] as const)
          if (overview.lines[status] > 0) expect(headlines.map((each) => each.status)).toContain(status);

        for (const incident of open.filter(({ cause }) => cause.startsWith('line/'))) {
          const facts = { isSilenced: () => false, findStatus: statusOf, now: () => now };
          const shown = describeIncident(incident, facts);
          const name = nameNow(shown, INCIDENT_VIEW_TEXTS.en, 'en');
          for (const { kind, cause } of shown.parts ? listLasting(shown) : []) {
            const allowed = kind === 'line-down' ? ['down', 'unknown'] : ['down', 'degraded', 'unknown'];
            expect(allowed).toContain(statusOf(cause.slice(5)));
          }
          const [, several] = /^(\d+) of \d+ lines (?:is|are) down for everyone$/.exec(name) ?? [];
          const down = rows.filter((row) => row.status === 'down' || row.status === 'unknown');
          if (several !== undefined) expect(Number(several)).toBeLessThanOrEqual(down.length);
          if (/^(?:All \d+ lines are up|Visitors reach all)/.test(name))
            expect(shown.parts?.map(({ cause }) => statusOf(cause.slice(5)))).not.toContain('down');
          // An incident of several lines names the one that still has its trouble.
          const named = rows.find(({ host }) => name.includes(nameWithoutScheme(host)));
          const status = named?.status ?? 'unknown';
          if (name.endsWith('is down for everyone')) expect(['down', 'unknown']).toContain(status);
          if (/is (degraded|lost)/.test(name)) expect(['down', 'degraded', 'unknown']).toContain(status);
          if (name.endsWith('is up again')) expect(status).toBe('up');
        }
      },
    ),
    { numRuns: 200 },
  );

  /** The server's own probe looks at a line. */
  function see(
    states: Map<string, LineState>,
    line: number,
    seen: { readonly condition: LineState['condition']; readonly isSettled: boolean; readonly now: number },
  ): void {
    const { id = '', host = '' } = lines[line] ?? {};
    const { condition, isSettled, now } = seen;
    const last = states.get(id);
    states.set(id, {
      host,
      role: 'line',
      condition,
      seen: condition,
      health: undefined,
      since: last?.condition === condition ? last.since : now,
      recoveredAt: last?.condition === 'down' && condition !== 'down' ? now : last?.recoveredAt,
      checkedAt: now,
      settled: isSettled ? condition : last?.settled,
      streak: 1,
      addresses: [],
    });
  }
});
