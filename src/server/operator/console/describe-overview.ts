import type { ConsoleOverview, LineStatus } from '../../../contract/console.ts';
import { ALL_LINES } from '../../learning/counts.ts';
import type { SiteLine } from '../../site/line-table.ts';
import { judgeLineById } from './describe-lines.ts';
import { HOUR_MINUTES, addUpSteps, firstMinuteOf, listByMinute, percentReached } from './last-hour.ts';
import type { ConsoleSources } from './sources.ts';

/** All that an operator sees first. The site as a whole is counted like a line: see `ALL_LINES`. */
export function describeOverview(
  sources: ConsoleSources,
  { version, access }: Pick<ConsoleOverview, 'version' | 'access'>,
): ConsoleOverview {
  const { measurements, replicas, siteRecord } = sources;
  const { history } = measurements;
  const at = sources.now();
  const site = sources.site();
  const steps = history.read(ALL_LINES, at, HOUR_MINUTES);
  const sums = addUpSteps(steps);
  const { publishedAt, refusal } = siteRecord();
  return {
    at,
    version,
    siteName: site.config.brand.name,
    access,
    hour: {
      visitors: sums?.handedOut ?? null,
      reports: sums?.tried ?? null,
      entered: sums?.reached ?? null,
      p50: history.readHourQuantile(ALL_LINES, at, 0.5) ?? null,
      p95: history.readHourQuantile(ALL_LINES, at, 0.95) ?? null,
      limited: sources.readLimited(),
    },
    minutes: {
      firstMinute: firstMinuteOf(at),
      visitors: listByMinute(steps, at, ({ handedOut }) => handedOut),
      entered: listByMinute(steps, at, percentReached),
      p50: listByMinute(steps, at, ({ p50 }) => p50),
    },
    lines: countStatuses(site.lines.lines, sources),
    backups: countStatuses(site.lines.backups, sources),
    isWatching: sources.lineWatch !== undefined,
    store: { kind: replicas.kind, ...measurements.storeState() },
    replicas: replicas.replicas().map(({ name, startedAt, siteHash, isStoreUp, isThis, goneSince }) => ({
      name,
      startedAt,
      siteHash,
      isStoreUp,
      isThis,
      goneSince: goneSince ?? null,
    })),
    site: {
      version: site.version,
      hash: site.hash,
      publishedAt,
      refusal: refusal ? { ...refusal, mendedAt: refusal.mendedAt ?? null } : null,
    },
  };
}

function countStatuses(lines: readonly SiteLine[], sources: ConsoleSources): Record<LineStatus, number> {
  const counts = { up: 0, degraded: 0, down: 0, unknown: 0 };
  for (const { id } of lines) counts[judgeLineById(id, sources).status] += 1;
  return counts;
}
