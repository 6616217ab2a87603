import type { Hono, MiddlewareHandler } from 'hono';
import { CONSOLE_PATHS } from '../../../contract/paths.ts';
import type { Steps } from '../../process/create-step-watch.ts';
import { answerJson } from '../../http/answer.ts';
import { HttpError, refuseAllButGet } from '../../http/errors.ts';
import type { OperatorEnv } from '../access/operator-request.ts';
import type { ConsoleSources } from '../console-sources.ts';
import { answerAt } from '../moments/answer-at.ts';
import type { Past } from '../moments/describe-past.ts';
import { describeAreas } from './describe-areas.ts';
import { describeLineDetail } from './describe-line.ts';
import { describeLines } from './describe-lines.ts';
import { describeWhy } from './describe-why.ts';

export type LineRoutesDeps = {
  readonly sources: ConsoleSources;
  readonly past: Pick<Past, 'lines' | 'line' | 'networks'>;
  /** Refuses people who may not look. */
  readonly guard: MiddlewareHandler<OperatorEnv>;
};

/** As an area is written, see `area.ts`. */
const AREA = /^[A-Z]{0,2}\/[\w.:]{0,23}$/;

/** What the console shows of the lines: all of them, one of them, where they are lost, and why they are picked. */
export function addLineRoutes(app: Hono<OperatorEnv>, { sources, past, guard }: LineRoutesDeps): void {
  const answerView = async (view: string, describing: Steps<object>): Promise<Response> =>
    answerJson(await sources.steps.runSteps(`console: ${view}`, describing));
  app
    .get(CONSOLE_PATHS.lines, guard, (c) =>
      answerAt(c, past.lines, () => answerView('lines', describeLines(sources))),
    )
    .all(refuseAllButGet);
  app
    .get(`${CONSOLE_PATHS.lines}/:id`, guard, (c) => {
      const id = c.req.param('id');
      return answerAt(
        c,
        async (at) => {
          const found = await past.line(at, id);
          return found === 'no-line' ? refuseLine(id) : found;
        },
        () => answerView('line', expectLine(id, sources)),
      );
    })
    .all(refuseAllButGet);
  app
    .get(CONSOLE_PATHS.networks, guard, (c) =>
      answerAt(c, past.networks, () => answerView('map', describeAreas(sources))),
    )
    .all(refuseAllButGet);
  app
    .get(CONSOLE_PATHS.why, guard, (c) => answerWhy(c.req.query('network') || undefined, sources))
    .all(refuseAllButGet);
}

function* expectLine(id: string, sources: ConsoleSources): Steps<object> {
  return (yield* describeLineDetail(id, sources)) ?? refuseLine(id);
}

function refuseLine(id: string): never {
  throw new HttpError(404, { code: 'unknown-line', message: `No line of this site has the id "${id}".` });
}

function answerWhy(network: string | undefined, sources: ConsoleSources): Response {
  if (network === undefined || AREA.test(network)) return answerJson(describeWhy(network, sources));
  throw new HttpError(400, {
    code: 'network-invalid',
    message: 'A network is a country, a slash and a number or range, such as GB/AS2856 or /198.51.',
  });
}
