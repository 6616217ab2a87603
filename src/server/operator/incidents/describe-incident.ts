import type { LineStatus } from '../../../contract/console.ts';
import { sayInEach } from '../../../contract/console-language.ts';
import { adviseOn, describeShared } from '../../../contract/describe-advice.ts';
import {
  type ConsoleIncident,
  type Incident,
  type IncidentPart,
  findLineId,
  isLineState,
  listLasting,
} from '../../../contract/incidents.ts';
import { LINE_KINDS } from '../../incidents/follow-conditions.ts';
import { isInMaintenance } from '../../incidents/is-in-maintenance.ts';
import type { PublishedSite } from '../../site/publish-site.ts';
import type { ConsoleSources } from '../console-sources.ts';
import { judgeLineById } from '../lines/describe-lines.ts';

/** What the console shows of an incident beside what is kept of it. */
export type IncidentFacts = {
  readonly isSilenced: (incident: Incident) => boolean;
  /** The state of a line now. */
  readonly findStatus: (lineId: string) => LineStatus;
  readonly now: () => number;
};

export function createIncidentFacts(
  sources: ConsoleSources & { readonly site: () => Pick<PublishedSite, 'config' | 'lines'> },
): IncidentFacts {
  return {
    isSilenced: (incident) =>
      isInMaintenance(
        sources.site(),
        listLasting(incident).map(({ cause }) => cause),
        sources.now(),
      ),
    findStatus: (lineId) => judgeLineById(lineId, sources).status,
    now: sources.now,
  };
}

/** An incident as the console shows it. */
export function describeIncident(kept: Incident, facts: IncidentFacts): ConsoleIncident {
  const incident = easeLines(kept, facts);
  return {
    ...incident,
    isSilenced: facts.isSilenced(incident),
    easedTo: findEasing(incident, facts),
    words: {
      shared: sayInEach((language) => describeShared(incident, language)),
      next: sayInEach((language) => adviseOn(incident, language).next),
    },
  };
}

/** An incident keeps its worst name until it is closed, and that is some time after its trouble is over. */
function findEasing(incident: Incident, { findStatus }: IncidentFacts): ConsoleIncident['easedTo'] {
  const { kind, endedAt, parts } = incident;
  if (endedAt !== null) return null;
  if (parts !== undefined) return listLasting(incident).length === 0 ? 'up' : null;
  const status = findLineStatus(incident, findStatus);
  if (status === 'up') return 'up';
  return status === 'degraded' && kind === 'line-down' ? 'degraded' : null;
}

/** An open incident of several lines keeps the worst of each, too. What is shown is how each of them is now. */
function easeLines(incident: Incident, { findStatus, now }: IncidentFacts): Incident {
  if (incident.endedAt !== null || incident.parts === undefined) return incident;
  const parts = incident.parts.map((part): IncidentPart => {
    const status = part.endedAt === null ? findLineStatus(part, findStatus) : undefined;
    if (status === 'up') return { ...part, endedAt: now() };
    if (status !== 'degraded' || part.kind !== 'line-down') return part;
    return { ...part, kind: part.affected.length > 0 ? 'line-lost' : 'line-degraded' };
  });
  const eased = { ...incident, parts };
  const [worst] = listLasting(eased).toSorted((one, other) => rank(other) - rank(one));
  // What is about all visitors is not named after one line.
  if (worst === undefined || rank(incident) > LINE_KINDS.indexOf('line-down')) return eased;
  return { ...eased, kind: worst.kind, detail: worst.detail };
}

function rank({ kind }: Pick<Incident, 'kind'>): number {
  return LINE_KINDS.indexOf(kind);
}

/** The state of a line that is lost. Undefined of any other trouble: a slow line is up. */
function findLineStatus(
  { kind, cause }: Pick<Incident, 'kind' | 'cause'>,
  findStatus: IncidentFacts['findStatus'],
): LineStatus | undefined {
  const lineId = isLineState(cause) ? findLineId(cause) : undefined;
  return kind === 'line-slow' || lineId === undefined ? undefined : findStatus(lineId);
}
