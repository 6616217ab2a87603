import { sayInEach } from '../../contract/console-language.ts';
import { nameIncident } from '../../contract/describe-incident.ts';
import { type Incident, findLineId, partsOf } from '../../contract/incidents.ts';
import type { PastIncident } from '../../contract/uptime.ts';
import type { UptimeStore } from './create-uptime-store.ts';

/** Keeps what is left of incidents, for the history. */
export type IncidentWriter = {
  /** Writes those that have changed since the last time. */
  readonly write: (incidents: readonly Incident[], term: number) => Promise<void>;
  /** Forgets what was written: another portal may have written since. */
  readonly forget: () => void;
};

export function createIncidentWriter(store: Pick<UptimeStore, 'writeIncidents'>): IncidentWriter {
  /** What was last written of each incident, by its id. */
  let written: ReadonlyMap<string, string> = new Map();
  return {
    write: async (incidents, term) => {
      const all = incidents.map((incident) => {
        const past = describePastIncident(incident);
        return { id: incident.id, past, text: JSON.stringify(past ?? null) };
      });
      const changed = all.filter(({ id, text }) => written.get(id) !== text);
      if (changed.length === 0) return;
      const kept = changed.flatMap(({ past }) => past ?? []);
      const removed = changed.filter(({ past }) => past === undefined).map(({ id }) => id);
      await store.writeIncidents({ kept, removed }, term);
      written = new Map(all.map(({ id, text }) => [id, text]));
    },
    forget: () => {
      written = new Map();
    },
  };
}

/** What is left of an incident. Undefined if it turned out to be part of another one. */
function describePastIncident(incident: Incident): PastIncident | undefined {
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
    names: sayInEach((language) => nameIncident(incident, language)),
    lines: [...new Set(lines)],
    startedAt,
    endedAt,
    noticedAt: timeline[0]?.at ?? startedAt,
    takenAt: timeline.find((event) => event.kind === 'taken')?.at ?? null,
  };
}
