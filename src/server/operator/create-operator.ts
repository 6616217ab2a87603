import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { answerIfChanged, answerJson, answerPrepared, uncached } from '../http/answer.ts';
import { createApp } from '../http/create-app.ts';
import { refuseAllButGet, refuseUnknownPath } from '../http/errors.ts';
import { streamText } from '../http/stream-text.ts';
import type { IncidentKeeper } from '../incidents/create-incident-keeper.ts';
import type { Desk } from '../desk/create-desk.ts';
import type { OpenedPeople } from '../people/open-people.ts';
import type { RecordingKeeper } from '../recordings/keep-recordings.ts';
import type { OpenedRecordings } from '../recordings/open-recordings.ts';
import type { ConsoleBuild } from '../site/load-web-build.ts';
import type { PreviewAccess } from '../preview/open-preview.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import {
  type OperatorContext,
  type OperatorEnv,
  type OperatorRequest,
  findOperatorRequest,
} from './access/operator-request.ts';
import { type Access, type OperatorProxy, guardAccess, readCookies } from './access/guard-access.ts';
import { answerRefusal } from './answer-refusal.ts';
import { addLineRoutes } from './lines/line-routes.ts';
import { describeOverview } from './overview/describe-overview.ts';
import { addAccountRoutes } from './people/account-routes.ts';
import type { MomentKeeper } from '../moments/keep-moments.ts';
import { createIncidentFacts } from './incidents/describe-incident.ts';
import { answerAt } from './moments/answer-at.ts';
import { createPast } from './moments/describe-past.ts';
import { createMomentTaker } from './moments/take-moments.ts';
import { addBrandRoutes } from './people/brand-routes.ts';
import { addIncidentRoutes } from './incidents/incident-routes.ts';
import { addInvitationRoutes } from './people/invitation-routes.ts';
import { addLoginRoutes } from './people/login-routes.ts';
import { openFeed } from './overview/open-feed.ts';
import { addPeopleRoutes } from './people/people-routes.ts';
import { type RecordingRoutesDeps, addRecordingRoutes } from './recordings/recording-routes.ts';
import { addPlayerRoutes } from './recordings/player-routes.ts';
import type { ConsoleSources } from './console-sources.ts';
import { type CampaignRoutesDeps, addCampaignRoutes } from './visitors/campaign-routes.ts';
import { type VisitorRoutesDeps, addVisitorRoutes } from './visitors/visitor-routes.ts';
import type { UptimeSources } from './uptime/describe-uptime.ts';
import { addUptimeRoutes } from './uptime/uptime-routes.ts';
import { type DeskRoutesDeps, addDeskRoutes } from './desk/desk-routes.ts';

export type OperatorDeps = Omit<ConsoleSources, 'site' | 'incidents'> & {
  readonly incidents: Pick<
    IncidentKeeper,
    'list' | 'listOpen' | 'version' | 'take' | 'channels' | 'onCall' | 'test' | 'testBy'
  >;
  readonly moments: MomentKeeper;
  readonly visits: VisitorRoutesDeps['visits'];
  readonly sourceVisits: CampaignRoutesDeps['sourceVisits'];
  readonly uptime: UptimeSources['uptime'];
  readonly recordings: Pick<OpenedRecordings, 'state'> & {
    readonly keeper: RecordingRoutesDeps['keeper'] & Pick<RecordingKeeper, 'version' | 'state'>;
  };
  /** Undefined where editing is off. */
  readonly desk: Desk | undefined;
  /** Undefined where drafts cannot be previewed. */
  readonly preview: PreviewAccess | undefined;
  /** How the desk checks a draft. */
  readonly check: DeskRoutesDeps['check'];
  readonly site: () => PublishedSite;
  /** Undefined where the listener is bound to loopback, and needs none. */
  readonly token: string | undefined;
  /** True if even loopback signs in, because the console can change the site. */
  readonly mustSignIn: boolean;
  /** A proxy that signs people in. */
  readonly proxy: OperatorProxy | undefined;
  readonly people: Omit<OpenedPeople, 'start'>;
  readonly build: ConsoleBuild;
  readonly registry: Registry;
  /** False while the server is closing: a load balancer should look elsewhere. */
  readonly isReady: () => boolean;
  readonly log: Logger;
};

export type Operator = {
  readonly app: Hono<OperatorEnv>;
  /** Tells open consoles what has changed. The server calls it once a second. */
  readonly tellConsoles: () => void;
  /** Keeps what the console shows, when it is due. The server calls it every few seconds. */
  readonly takeMoment: () => Promise<void>;
  /** Ends what is still being told. */
  readonly close: () => void;
};

const EVENT_HEADERS = uncached('text/event-stream');

/** What the operator's tools ask (is it alive, is it ready, what has it counted), and the operator's console. */
export function createOperator(deps: OperatorDeps): Operator {
  const { token, mustSignIn, proxy, people, build, registry, isReady, log, now } = deps;
  const { sessions } = people;
  const access = guardAccess({ ...people, token, mustSignIn, proxy, now });
  const describe = (version: number) =>
    deps.steps.run('console: overview', () => describeOverview(deps, version));
  const feed = openFeed({ describe, fingerprint: () => fingerprintConsole(deps, describe(0)), now });
  const facts = createIncidentFacts(deps);
  const past = createPast({ ...deps, ...facts });
  const viewer = guard((request) => access.demand(request, { role: 'viewer' }));

  const app = createApp<OperatorEnv>(log, answerRefusal);
  app.use(findOperatorRequest(deps.site));
  app.use(async (c, next) => {
    await sessions.learn(readCookies(c.get('request')));
    await next();
  });
  addHealthRoutes(app, { access, registry, isReady });
  // No secrets are in the built files, and the login form needs their style.
  app.get('/assets/*', answerIfChanged, answerFile).all(refuseAllButGet);
  addBrandRoutes(app, deps.site);
  const signIn = { ...people, access, urls: build.urls, site: deps.site };
  addLoginRoutes(app, { ...signIn, feed, preview: deps.preview });
  addInvitationRoutes(app, signIn);
  app
    .get(CONSOLE_PATHS.overview, viewer, (c) =>
      answerAt(c, past.overview, () => answerJson(describe(feed.version()))),
    )
    .all(refuseAllButGet);
  app.get(CONSOLE_PATHS.moments, viewer, async () => answerJson(await past.list())).all(refuseAllButGet);
  app.get(CONSOLE_PATHS.events, viewer, answerEvents).all(refuseAllButGet);
  const calls = { site: deps.site, access, audit: people.audit, now };
  addLineRoutes(app, { sources: deps, past, guard: viewer });
  addPlayerRoutes(app, {
    site: deps.site,
    script: build.playerScript,
    guard: viewer,
    findFile: deps.desk?.findFile,
  });
  addIncidentRoutes(app, { ...calls, ...facts, incidents: deps.incidents, past });
  addVisitorRoutes(app, { ...calls, visits: deps.visits });
  addCampaignRoutes(app, { ...calls, sourceVisits: deps.sourceVisits });
  addUptimeRoutes(app, { ...calls, uptime: deps.uptime });
  addRecordingRoutes(app, { ...calls, ...deps.recordings });
  addAccountRoutes(app, { ...people, access, isEditing: deps.desk !== undefined, now });
  const { desk } = deps;
  const discardDraft = (name: string) => discardDraftOf(name, desk, log);
  addPeopleRoutes(app, { ...people, access, discardDraft, now });
  addDeskRoutes(app, {
    ...calls,
    desk,
    preview: deps.preview,
    testBy: deps.incidents.testBy,
    check: deps.check,
    log,
  });
  const takeMoment = createMomentTaker({ ...deps, ...facts, sources: deps });
  return { app, tellConsoles: feed.tell, takeMoment, close: feed.close };

  function answerFile(c: Context): Response {
    return answerPrepared(c, build.files.get(c.req.path) ?? refuseUnknownPath());
  }

  function answerEvents(c: OperatorContext): Response {
    const request = c.get('request');
    const actor = access.identify(request);
    const caller = actor.session?.id ?? request.caller;
    const isStillAllowed = () => access.isStillAllowed(actor, request);
    return streamText(c, EVENT_HEADERS, (output) => feed.join({ caller, isStillAllowed }, output));
  }
}

/**
 * A version of everything that the console shows, not only of the overview: each window of counts and each probe changes
 * it.
 */
function fingerprintConsole(deps: OperatorDeps, overview: ReturnType<typeof describeOverview>): string {
  const { measurements, lineWatch, incidents, recordings } = deps;
  const probes = [...(lineWatch?.states().values() ?? [])].map(({ checkedAt }) => checkedAt);
  return JSON.stringify([
    measurements.folds(),
    incidents.version(),
    recordings.keeper.version(),
    recordings.keeper.state().fault,
    Math.max(0, ...probes),
    { ...overview, at: 0 },
  ]);
}

/** Another person who gets the name later must not see the draft. */
async function discardDraftOf(name: string, desk: Desk | undefined, log: Logger): Promise<void> {
  try {
    await desk?.discard({ name }, { draft: 'own' });
  } catch (error) {
    log.error({ err: error }, 'the draft of a removed person is still there');
  }
}

type HealthRoutesDeps = Pick<OperatorDeps, 'registry' | 'isReady'> & { readonly access: Access };

/** What a load balancer and Prometheus ask. */
function addHealthRoutes(app: Hono<OperatorEnv>, { access, registry, isReady }: HealthRoutesDeps): void {
  const healthCheckOnly = guard(access.admitHealthCheck);
  app.get('/healthz', healthCheckOnly, (c) => answerHealth(c, 'ok\n')).all(refuseAllButGet);
  app
    .get('/readyz', healthCheckOnly, (c) =>
      isReady() ? answerHealth(c, 'ready\n') : answerHealth(c, 'closing\n', 503),
    )
    .all(refuseAllButGet);
  app
    .get('/metrics', guard(access.checkMetrics), async (c) => {
      const headers = { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' };
      return c.body(await registry.metrics(), 200, headers);
    })
    .all(refuseAllButGet);
}

/** Runs a check before a route. The check throws for callers who may not pass. */
function guard(check: (request: OperatorRequest) => unknown): MiddlewareHandler<OperatorEnv> {
  return (c, next) => {
    check(c.get('request'));
    return next();
  };
}

function answerHealth(c: Context, text: string, status: 200 | 503 = 200): Response {
  return c.text(text, status, { 'Cache-Control': 'no-store' });
}
