import { type Incident, findLineId, partsOf } from '../../contract/incidents.ts';
import type { PastIncident } from '../../contract/uptime.ts';

/** What is left of an incident. Undefined if it turned out to be part of another one. */
export function describePastIncident(incident: Incident): PastIncident | undefined {
  if (incident.parts?.length === 0) return undefined;
  const { id, kind, severity, subject, startedAt, endedAt, timeline } = incident;
  const lines = partsOf(incident)
    .filter(({ cause }) => findLineId(cause) !== undefined)
    .map((part) => part.subject);
  return {
    id,
    kind,
    severity,
    subject,
    lines: [...new Set(lines)],
    startedAt,
    endedAt,
    noticedAt: timeline[0]?.at ?? startedAt,
    takenAt: timeline.find((event) => event.kind === 'taken')?.at ?? null,
  };
}
