import type { LineStatus } from '../../../contract/console.ts';
import { adviseOn, describeShared } from '../../../contract/describe-advice.ts';
import { type ConsoleIncident, type Incident, listLasting } from '../../../contract/incidents.ts';
import { isInMaintenance } from '../../incidents/create-observer.ts';
import type { PublishedSite } from '../../site/publish-site.ts';
import type { ConsoleSources } from '../console-sources.ts';
import { judgeLineById } from '../lines/describe-lines.ts';

/** What the console shows of an incident beside what is kept of it. */
export type IncidentFacts = {
  readonly isSilenced: (incident: Incident) => boolean;
  /** The state of a line now. */
  readonly findStatus: (lineId: string) => LineStatus;
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
  };
}

/** An incident as the console shows it. */
export function describeIncident(
  incident: Incident,
  { isSilenced, findStatus }: IncidentFacts,
): ConsoleIncident {
  return {
    ...incident,
    isSilenced: isSilenced(incident),
    easedTo: findEasing(incident, findStatus),
    words: {
      shared: { en: describeShared(incident, 'en'), 'zh-CN': describeShared(incident, 'zh-CN') },
      next: { en: adviseOn(incident, 'en').next, 'zh-CN': adviseOn(incident, 'zh-CN').next },
    },
  };
}

/** An incident keeps its worst name until it is closed, and that is some time after its trouble is over. */
export function findEasing(
  { kind, cause, endedAt, parts }: Pick<Incident, 'kind' | 'cause' | 'endedAt' | 'parts'>,
  findStatus: IncidentFacts['findStatus'],
): ConsoleIncident['easedTo'] {
  // Of several lines, the incident itself says which remain.
  if (endedAt !== null || parts !== undefined || !cause.startsWith('line/')) return null;
  // A slow line is up.
  if (kind === 'line-slow') return null;
  const status = findStatus(cause.slice('line/'.length));
  if (status === 'up') return 'up';
  return status === 'degraded' && kind === 'line-down' ? 'degraded' : null;
}
