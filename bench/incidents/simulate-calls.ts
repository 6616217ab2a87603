import { pino } from 'pino';
import { HOUR_MS, MINUTE_MS } from '../../src/contract/time-units.ts';
import { createRandom } from '../../src/engine/testing/create-random.ts';
import { createGauss } from '../../src/server/learning/create-gauss.ts';
import { countCall } from '../../src/server/visitors/call-cells.ts';
import { watchCalls } from '../../src/server/visitors/watch-calls.ts';

/** The kinds of days. Each of them has a night, in which a fifth of the visitors of the evening come. */
export const DAYS = ['ordinary', 'holiday', 'campaign'] as const;
/** The networks that lose the portal, by their part of all visitors; 1 is everybody. */
export const LOST_PARTS = [0.05, 0.2, 0.5, 1] as const;

export type LostVisitors = {
  readonly part: number;
  /** From the loss to the incident. Undefined if there was none. */
  readonly noticeMs: number | undefined;
};

export type CallDays = {
  readonly losses: readonly LostVisitors[];
  /** The incidents of days, and of places, of whom nobody was lost. */
  readonly falseIncidents: readonly string[];
};

const NETWORKS = [0.5, 0.2, 0.05, ...Array.from({ length: 25 }, () => 0.01)].map((part, index) => ({
  area: `SG/AS${index}`,
  part,
}));
const CALLS_PER_HOUR = 20_000;
const WEEK_HOURS = 7 * 24;
const DAY_HOURS = 24;
/** 2027-01-11, a Monday. */
const START = Date.UTC(2027, 0, 11) / HOUR_MS;
/** Days differ by about a tenth, and so does each network from hour to hour. */
const SPREAD = 0.1;
const HOLIDAY = 0.5;
const CAMPAIGN = { times: 4, from: 12, until: 16 };
const LOST_MINUTES = 60;
/** An incident may last this long after its visitors are back. */
const STALE_MINUTES = 30;

/** Lets visitors call for lines on one day of each kind, after three weeks of calls, and asks the product's own watch. */
export async function simulateCalls(seed: number): Promise<CallDays> {
  const losses: LostVisitors[] = [];
  const falseIncidents: string[] = [];
  for (const [index, kind] of DAYS.entries()) {
    const day = await simulateCallDay(seed * DAYS.length + index, kind);
    losses.push(...day.losses);
    falseIncidents.push(...day.falseIncidents.map((what) => `${what} on a day (${kind}) of seed ${seed}`));
  }
  return { losses, falseIncidents };
}

async function simulateCallDay(seed: number, kind: (typeof DAYS)[number]): Promise<CallDays> {
  const random = createRandom(seed);
  const gauss = createGauss(random);
  const drawLevel = (): number => Math.exp(SPREAD * gauss());
  const drawCount = (mean: number): number => Math.max(0, Math.round(mean + Math.sqrt(mean) * gauss()));
  const hours = new Map<number, Map<string, number>>();
  const add = (hour: number, area: string, times: number): void => {
    const cells = hours.get(hour) ?? new Map<string, number>();
    hours.set(hour, cells);
    for (const cell of countCall({ portal: 'portal-1', domain: 'go.example', area }).keys())
      cells.set(cell, (cells.get(cell) ?? 0) + times);
  };
  const busy = (hour: number): number => {
    const weekend = Math.floor((hour - START) / DAY_HOURS) % 7 >= 5 ? 0.8 : 1;
    return CALLS_PER_HOUR * weekend * (0.6 + 0.4 * Math.cos(((hour - 20) / 12) * Math.PI));
  };
  const isCampaign = (hour: number): boolean =>
    hour % DAY_HOURS >= CAMPAIGN.from && hour % DAY_HOURS < CAMPAIGN.until;
  const first = START + 3 * WEEK_HOURS + Math.floor(random() * 7) * DAY_HOURS;
  // One of the weeks before had a campaign on this day.
  const campaignDay = first - (1 + Math.floor(random() * 3)) * WEEK_HOURS;
  for (let hour = START - 8, level = 1; hour < first; hour += 1) {
    if (hour % DAY_HOURS === 0) level = drawLevel();
    const isPushed = hour >= campaignDay && hour < campaignDay + DAY_HOURS && isCampaign(hour);
    for (const { area, part } of NETWORKS) {
      const mean = busy(hour) * level * part * drawLevel() * (isPushed ? CAMPAIGN.times : 1);
      add(hour, area, drawCount(mean));
    }
  }

  const dayLevel = drawLevel() * (kind === 'holiday' ? HOLIDAY : 1);
  const lost = kind === 'ordinary' ? planLosses(random) : [];
  let now = first * HOUR_MS;
  const watch = watchCalls({
    calls: {
      readTimes: async ({ first: from, last }) =>
        new Map(
          [...hours].flatMap(([hour, cells]) =>
            hour >= from && hour <= last ? [[hour, new Map(cells)] as const] : [],
          ),
        ),
    },
    log: pino({ level: 'silent' }),
    now: () => now,
  });
  const falseIncidents = new Set<string>();
  let hourLevels = new Map<string, number>();
  for (let minute = 0; minute < DAY_HOURS * 60; minute += 1) {
    const hour = Math.floor(now / HOUR_MS);
    if (minute % 60 === 0) hourLevels = new Map(NETWORKS.map(({ area }) => [area, drawLevel()]));
    const isPushed = kind === 'campaign' && isCampaign(hour);
    for (const { area, part } of NETWORKS) {
      if (lost.some((loss) => isLost(loss, area, minute, 0))) continue;
      const level = dayLevel * (hourLevels.get(area) ?? 1) * (isPushed ? CAMPAIGN.times : 1);
      add(hour, area, drawCount((busy(now / HOUR_MS - 0.5) * part * level) / 60));
    }
    now += MINUTE_MS;
    await watch.look();
    const missing = watch.missing();
    if (typeof missing !== 'object') continue;
    const places = missing.places.length === 0 ? [''] : missing.places.map(({ name }) => name);
    for (const place of places) {
      const loss = lost.find((each) => isLost(each, place, minute, STALE_MINUTES));
      if (loss !== undefined) loss.noticeMs ??= (minute + 1 - loss.startsAt) * MINUTE_MS;
      else falseIncidents.add(`visitors-missing in ${place || 'all places'} in hour ${hour % DAY_HOURS}`);
    }
  }
  return {
    losses: lost.map(({ part, noticeMs }) => ({ part, noticeMs })),
    falseIncidents: [...falseIncidents],
  };
}

type Loss = {
  readonly part: number;
  /** In minutes of the day. */
  readonly startsAt: number;
  noticeMs: number | undefined;
};

/** One loss of each part, in another quarter of the day each. The watch has a first hour to look. */
function planLosses(random: () => number): readonly Loss[] {
  return LOST_PARTS.map((part) => ({ part, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ part }, quarter) => ({
      part,
      startsAt: quarter * 360 + 60 + Math.floor(random() * 180),
      noticeMs: undefined,
    }));
}

/** Whether a place is lost in a minute, or was up to `after` minutes before. */
function isLost({ part, startsAt }: Loss, place: string, minute: number, after: number): boolean {
  if (minute < startsAt || minute >= startsAt + LOST_MINUTES + after) return false;
  return part === 1 || NETWORKS.some((network) => network.area === place && network.part === part);
}
