import type { ConsoleOverview, ConsoleRefusal, LineStatus } from '../../../contract/console.ts';
import { sayInEach } from '../../../contract/console-language.ts';
import { nameIncident } from '../../../contract/describe-incident.ts';
import { tellFault } from '../../../contract/faults/describe-site-fault.ts';
import { type Incident, type IncidentKind, SEVERITIES, isLineState } from '../../../contract/incidents.ts';
import { DAY_MS, HOUR_MINUTES } from '../../../contract/time-units.ts';
import type { SiteLine } from '../../site/create-line-table.ts';
import { pickLocale } from '../../../contract/site/by-locale.ts';
import { type SiteMaintenance, nameBrand } from '../../../contract/site/site-config.ts';
import type { SiteRefusal } from '../../site/create-site-record.ts';
import { findSiteMaintenance } from '../../site/time-windows.ts';
import { judgeLineById } from '../lines/describe-lines.ts';
import { addUp, firstMinuteOf, listByMinute, toPercent } from '../lines/last-hour.ts';
import type { ConsoleSources } from '../console-sources.ts';

/** The overview shows these incidents as states of the portal and the site. */
const TOLD_BY_STATES: ReadonlySet<IncidentKind> = new Set<IncidentKind>(['portal-cut-off', 'site-refused']);

/** All that an operator sees first. */
export function describeOverview(sources: ConsoleSources, version: number): ConsoleOverview {
  const { measurements, siteRecord } = sources;
  const { history } = measurements;
  const at = sources.now();
  const site = sources.site();
  const minutes = history.readSite(at, HOUR_MINUTES);
  const { publishedAt, refusal } = siteRecord();
  const open = sources.incidents.listOpen();
  return {
    at,
    version,
    siteNames: sayInEach((language) => nameBrand(site.config, language)),
    hour: {
      visitors: addUp(minutes, ({ hostnameCalls }) => hostnameCalls),
      reports: addUp(minutes, ({ reports }) => reports),
      entered: addUp(minutes, ({ entered }) => entered),
      p50: history.readSiteQuantile(at, 0.5) ?? null,
      p95: history.readSiteQuantile(at, 0.95) ?? null,
      limited: sources.readLimited(),
    },
    minutes: {
      firstMinute: firstMinuteOf(at),
      visitors: listByMinute(minutes, at, ({ hostnameCalls }) => hostnameCalls),
      entered: listByMinute(minutes, at, ({ entered, reports }) => toPercent(entered, reports)),
      p50: listByMinute(minutes, at, ({ p50 }) => p50),
    },
    maintenance: describeMaintenance(findSiteMaintenance(site.config.maintenance, at)),
    lines: countStatuses(site.lines.lines, sources),
    backups: countStatuses(site.lines.backups, sources),
    isWatching: sources.lineWatch !== undefined,
    cutOff: sources.lineWatch?.cutOff() ?? null,
    isAnybodyTold: (site.config.alerts?.rules ?? []).some(({ to }) => to.length > 0),
    openIncidents: open.length,
    otherIncident: findOtherIncident(open),
    store: describeStore(sources),
    replicas: describeReplicas(sources),
    site: {
      version: site.version,
      hash: site.hash,
      publishedAt,
      refusal: refusal ? describeRefusal(refusal) : null,
    },
  };
}

function describeMaintenance(maintenance: SiteMaintenance | undefined): ConsoleOverview['maintenance'] {
  if (maintenance === undefined) return null;
  const { reason, until, closes } = maintenance;
  return {
    reasons: reason === undefined ? null : sayInEach((language) => pickLocale(reason, language)),
    until: until === undefined ? null : Date.parse(until),
    closes,
  };
}

/** The most urgent incident that the states of the lines and of the site do not show, the oldest first. */
function findOtherIncident(open: readonly Incident[]): ConsoleOverview['otherIncident'] {
  const [worst] = open
    .filter((incident) => !isToldElsewhere(incident))
    .toSorted(
      (a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || a.startedAt - b.startedAt,
    );
  if (worst === undefined) return null;
  const { severity, startedAt } = worst;
  return {
    names: sayInEach((language) => nameIncident(worst, language)),
    severity,
    startedAt,
  };
}

/** The overview shows a line's trouble as its state. The incident ends later, and keeps its worst kind. */
function isToldElsewhere({ kind, cause }: Incident): boolean {
  const isOfLine = isLineState(cause) && kind !== 'visitors-lost';
  return isOfLine || TOLD_BY_STATES.has(kind);
}

function describeStore({ database, now }: ConsoleSources): ConsoleOverview['store'] {
  const { isUp, since, rewoundAt } = database.state();
  const isRecent = rewoundAt !== undefined && now() - rewoundAt < DAY_MS;
  return {
    kind: database.isShared ? 'postgres' : 'sqlite',
    isUp,
    since,
    rewoundAt: isRecent ? rewoundAt : null,
  };
}

function describeReplicas({ replicas, lineWatch }: ConsoleSources): ConsoleOverview['replicas'] {
  const all = replicas.replicas();
  const isThisCutOff = lineWatch?.cutOff() !== undefined;
  // If all lines give wrong answers (a wrong marker in `site.json`), this portal has no vote, but its view is shown.
  const isBelieved = !isThisCutOff && all.some(({ isThis, lines }) => isThis && lines?.isCutOff);
  return all.map(({ name, startedAt, siteHash, lines, isThis, goneSince }) => ({
    name,
    startedAt,
    siteHash,
    isCutOff: isThis ? isThisCutOff : !isBelieved && (lines?.isCutOff ?? false),
    isThis,
    goneSince: goneSince ?? null,
  }));
}

function countStatuses(lines: readonly SiteLine[], sources: ConsoleSources): Record<LineStatus, number> {
  const counts = { up: 0, degraded: 0, down: 0, unknown: 0, maintenance: 0 };
  for (const { id } of lines) counts[judgeLineById(id, sources).status] += 1;
  return counts;
}

function describeRefusal({ at, faults, correctedAt }: SiteRefusal): ConsoleRefusal {
  return { at, faults: faults.map(tellFault), correctedAt: correctedAt ?? null };
}
