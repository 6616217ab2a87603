import type { VisitTally } from '../../e2e/support/send-visits.ts';
import type { Replicas } from '../../e2e/support/start-replicas.ts';
import type { Browsing } from './browse-site.ts';
import { compareQuarters } from './compare-quarters.ts';
import type { Publishing } from './keep-publishing.ts';

/** What a soak has seen. */
export type Sight = {
  readonly visited: Readonly<VisitTally>;
  readonly browsed: Browsing;
  readonly published: Publishing;
  readonly consoleErrors: readonly string[];
  readonly processor: Processor;
  /** The bytes of each portal, once a second. */
  readonly memory: readonly (readonly number[])[];
  /** Reports that the portals accepted, and those that arrived in the database. */
  readonly accepted: number;
  readonly arrived: number;
  /** Segments that plain clients sent. */
  readonly recorded: number;
  /** What the database holds in the end. */
  readonly stored: { readonly pages: number; readonly segments: number };
  readonly lost: number;
  readonly longSteps: number;
  readonly serverErrors: number;
};

/** Parts of all processors of the machine. */
export type Processor = {
  readonly portals: number;
  /** This program: it makes the visits, and answers as the lines. */
  readonly generator: number;
  readonly all: number;
};

const LARGEST_GROWTH = 0.05;

/** Lists all that must not be, one line each. */
export function findTroubles(sight: Sight, { portals, nginx }: Replicas): readonly string[] {
  const { visited, browsed, published, memory, accepted, arrived, recorded, stored, lost, serverErrors } =
    sight;
  return [
    ...visited.failures.map((failure) => `a request failed: ${failure}`),
    ...browsed.errors.map((error) => `a browser met with an error: ${error}`),
    ...published.errors.map((error) => `a version was not published: ${error}`),
    ...sight.consoleErrors.map((error) => `the console met with an error: ${error}`),
    ...portals.flatMap(({ log }) => log.filter(isError).map((line) => `a portal logged: ${line}`)),
    ...nginx.log.filter(isNginxError).map((line) => `nginx logged: ${line}`),
    ...(serverErrors > 0 ? [`${serverErrors} answers were 5xx`] : []),
    ...(lost > 0 ? [`${lost} counts were lost`] : []),
    ...(arrived === accepted ? [] : [`${accepted} reports were accepted, ${arrived} are in the database`]),
    ...(stored.pages < visited.visits
      ? [`${visited.visits} pages were counted, ${stored.pages} are in the database`]
      : []),
    ...(stored.segments < recorded
      ? [`${recorded} segments were sent, ${stored.segments} are in the database`]
      : []),
    ...memory.flatMap((series, index) =>
      compareQuarters(series) > LARGEST_GROWTH ? [`portal ${index + 1} has grown`] : [],
    ),
  ];
}

/** Errors that nobody caught are on standard error; in the log an error has level 50 or above. */
function isError(line: string): boolean {
  return !/"level":[1-4]0\b/.test(line);
}

function isNginxError(line: string): boolean {
  return !/\[(?:notice|warn)\]/.test(line);
}
