import type { MeasurementReport } from '../../src/contract/api/measurement-report.ts';
import { TICKET_HEADER } from '../../src/contract/api/headers.ts';
import { HOSTNAMES_PATH, MEASUREMENTS_PATH } from '../../src/contract/paths.ts';

/** A visitor who was handed these hosts, and has not yet said what became of them. */
export type PlainVisit = { readonly hosts: readonly string[]; readonly ticket: string };

/** Asks for hosts `count` times, as a page would, without a browser. */
export function startVisits(portalUrl: string, count: number): Promise<readonly PlainVisit[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const answer = await fetch(new URL(HOSTNAMES_PATH, portalUrl));
      // What the portal's own tests say that it answers with.
      const hosts = (await answer.json()) as readonly string[];
      return { hosts, ticket: answer.headers.get(TICKET_HEADER) ?? '' };
    }),
  );
}

/** Reports, for each of the visits, that its hosts were reached, except for those whose names hold this text. */
export async function endVisits(
  portalUrl: string,
  visits: readonly PlainVisit[],
  lost?: string,
): Promise<void> {
  for (const { hosts, ticket } of visits) {
    const results = hosts.map((host, index): MeasurementReport['results'][number] =>
      lost !== undefined && host.includes(lost)
        ? { index, outcome: 'unreachable', time: 99_999 }
        : { index, outcome: 'valid', time: 80 },
    );
    const body = JSON.stringify({ ticket, results, entered: null });
    const { status } = await fetch(new URL(MEASUREMENTS_PATH, portalUrl), { method: 'POST', body });
    if (status !== 204) throw new Error(`the portal answered a report with ${status}`);
  }
}
