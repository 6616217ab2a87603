import type {
  ConsoleCell,
  ConsoleHistory,
  ConsoleLine,
  ConsoleLineDetail,
  ConsoleProbe,
} from '../../../contract/console.ts';
import type { Area } from '../../learning/area.ts';
import { DAY_MINUTES } from '../../../contract/time-units.ts';
import { roundToTenths } from '../../learning/counts.ts';
import type { Minute, SiteMinute } from '../../learning/create-history.ts';
import { daysLeft, findFirstToExpire } from '../../lines/certificates.ts';
import type { Steps } from '../../process/create-step-watch.ts';
import type { LineState } from '../../lines/line-state.ts';
import { describeLines } from './describe-lines.ts';
import { type Cell, createCellReader, findMeanMs, readCell } from './read-cell.ts';
import type { ConsoleSources } from '../console-sources.ts';

const MAX_AREAS = 10;

/** One line: its last 24 hours, the areas where it is worst, and what the server itself sees; undefined where there is none. */
export function* describeLineDetail(
  id: string,
  sources: ConsoleSources,
): Steps<ConsoleLineDetail | undefined> {
  const { at, lines } = yield* describeLines(sources);
  const line = lines.find((each) => each.id === id);
  if (line === undefined) return undefined;
  const state = sources.lineWatch?.states().get(id);
  return {
    at,
    line,
    history: describeHistory(
      sources.measurements.history.readLine(id, at),
      sources.measurements.history.readSite(at),
    ),
    states: sources.lineStates.read(id, at, { minutes: DAY_MINUTES, current: line.status }),
    networks: findWorstAreas(id, sources),
    probe: state === undefined ? null : describeProbe(state, line, at),
  };
}

/** The minutes of a line, beside those of the site. */
export function describeHistory(
  ofLine: readonly Minute[],
  ofSite: readonly Pick<SiteMinute, 'minute' | 'hostnameCalls'>[],
): ConsoleHistory {
  const line = new Map(ofLine.map((each) => [each.minute, each]));
  const visitors = new Map(ofSite.map((each) => [each.minute, each.hostnameCalls]));
  // Also the minutes in which only other lines had visitors: without them this line's part would be too large.
  const minutes = [...new Set([...line.keys(), ...visitors.keys()])].toSorted((a, b) => a - b);
  const counts = (name: 'handedOut' | 'tried' | 'reached') =>
    minutes.map((minute) => line.get(minute)?.[name] ?? 0);
  return {
    minute: minutes,
    handedOut: counts('handedOut'),
    visitors: minutes.map((minute) => visitors.get(minute) ?? 0),
    tried: counts('tried'),
    reached: counts('reached'),
    p50: minutes.map((minute) => line.get(minute)?.p50 ?? null),
    p95: minutes.map((minute) => line.get(minute)?.p95 ?? null),
  };
}

function findWorstAreas(lineId: string, sources: ConsoleSources): readonly ConsoleCell[] {
  const reader = createCellReader(sources);
  return rankCells(
    [...reader.knowledge.areas.keys()].flatMap((area) => {
      const cell = readCell(reader, { area, lineId });
      return cell === undefined ? [] : [describeCell(area, cell)];
    }),
  );
}

/** Where the line fails first, then by the part that is lost. */
export function rankCells(cells: readonly ConsoleCell[]): readonly ConsoleCell[] {
  return cells
    .toSorted(
      (a, b) =>
        Number(b.failingSince !== null) - Number(a.failingSince !== null) || lostPart(b) - lostPart(a),
    )
    .slice(0, MAX_AREAS);
}

function describeCell(area: Area, cell: Cell): ConsoleCell {
  return {
    network: area,
    reached: roundToTenths(cell.reached),
    lost: roundToTenths(cell.lost),
    timeMs: findMeanMs(cell),
    failingSince: cell.failingSince ?? null,
  };
}

function lostPart({ reached, lost }: ConsoleCell): number {
  return lost / (reached + lost);
}

/** The best of its answers: where there is none, nothing is known but the faults. */
export function describeProbe(
  state: LineState,
  { faults }: Pick<ConsoleLine, 'faults'>,
  now: number,
): ConsoleProbe {
  const { checkedAt, since, seen, addresses } = state;
  const answers = addresses.flatMap(({ reply, faults: found }) =>
    reply.kind === 'answer' ? [{ ...reply, faultCount: found.length }] : [],
  );
  const [best] = answers.toSorted((a, b) => a.faultCount - b.faultCount || a.timeMs - b.timeMs);
  const certificate = findFirstToExpire(addresses);
  const stay = addresses.find((each) => each.stay !== undefined)?.stay;
  return {
    checkedAt,
    since,
    condition: seen,
    faults,
    ports: addresses.length,
    goodPorts: addresses.filter(({ faults: found }) => found.length === 0).length,
    timeMs: best === undefined ? null : Math.round(best.timeMs),
    hasAnswered: best !== undefined,
    certificate: certificate
      ? {
          validTo: certificate.validTo.getTime(),
          daysLeft: daysLeft(certificate, now),
          faultCode: certificate.faultCode ?? null,
        }
      : null,
    stay: stay
      ? {
          version: stay.version ?? null,
          faults: stay.faults.map((fault) => ({ fault, ports: [] })),
        }
      : null,
  };
}
