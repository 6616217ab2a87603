import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { CutOffJudge } from '../../contract/console.ts';
import { takeSteps } from '../process/create-step-watch.ts';
import { type OperatorDeps, createOperator } from '../operator/create-operator.ts';
import type { ConsoleSources } from '../operator/console-sources.ts';
import { keepLineStates } from '../operator/lines/keep-line-states.ts';
import type { SiteRecord } from '../site/create-site-record.ts';
import type { LineState } from '../lines/line-state.ts';
import type { Database, DatabaseState } from '../store/database.ts';
import { type Question, type TestAnswer, askApp } from './ask-app.ts';
import { createFakeWebBuild } from './fake-web-build.ts';
import { type TestPeople, createTestPeople } from './test-people.ts';
import { type TestPortal, type TestPortalOptions, createTestPortal } from './test-portal.ts';

export type TestConsole = {
  readonly portal: TestPortal;
  readonly ask: (url: string, question?: Question) => Promise<TestAnswer>;
  /** Asks for JSON, and trusts that it is what it should be. */
  readonly read: <T>(url: string) => Promise<T>;
  /** What the server's own probe has seen, by the id of the line. */
  readonly probes: Map<string, LineState>;
  /** Who is believed, if the server reaches none of the lines. */
  readonly cutOff: { current: CutOffJudge | undefined };
  readonly siteRecord: { current: SiteRecord };
  readonly database: { current: DatabaseState };
  readonly sources: ConsoleSources & Pick<OperatorDeps, 'site' | 'incidents'>;
  readonly people: TestPeople;
  /** Every route, as Hono lists them. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  readonly tellConsoles: () => void;
  readonly takeMoment: () => Promise<void>;
};

const NO_RECORDINGS: OperatorDeps['recordings'] = {
  keeper: {
    list: async () => ({ sessions: [], next: undefined }),
    find: async () => undefined,
    readEvents: async function* () {},
    groupErrors: async () => [],
    erase: async () => undefined,
    version: () => 0,
    state: () => ({ sessions: 0, bytes: 0, fault: null }),
  },
  state: () => ({ isOn: true, sessions: 0, bytes: 0, fault: null }),
};
const NO_MOMENTS: OperatorDeps['moments'] = {
  lead: async () => undefined,
  keep: async () => undefined,
  findLast: async () => undefined,
  list: async () => [],
  read: async () => undefined,
  readHour: async () => [],
  readDay: async () => ({ site: [], line: [] }),
  prune: async () => undefined,
};
const NO_VISITS: OperatorDeps['visits'] = {
  readSums: async () => new Map(),
  readTimes: async () => new Map(),
};

const NO_HISTORY: OperatorDeps['uptime'] = {
  store: {
    readSums: async () => new Map(),
    readStretches: async () => [],
    readPoints: async () => [],
    readTable: async () => [],
    readIncidents: async () => [],
  },
};

/** The operator's console in process, beside a whole portal. */
export async function createTestConsole({
  token,
  mustSignIn = false,
  proxy,
  desk,
  incidents: given,
  recordings = NO_RECORDINGS,
  moments = NO_MOMENTS,
  visits = NO_VISITS,
  sourceVisits = NO_VISITS,
  uptime = NO_HISTORY,
  sessionsIn,
  ...options
}: Partial<
  Pick<
    OperatorDeps,
    | 'token'
    | 'mustSignIn'
    | 'proxy'
    | 'desk'
    | 'recordings'
    | 'moments'
    | 'visits'
    | 'sourceVisits'
    | 'uptime'
  >
> & {
  readonly incidents?: Partial<OperatorDeps['incidents']>;
  /** Where sessions are kept. By default only in memory, as while the database is away. */
  readonly sessionsIn?: Database | undefined;
} & Omit<TestPortalOptions, 'recordings' | 'visits'> = {}): Promise<TestConsole> {
  const portal = await createTestPortal(options);
  const people = createTestPeople(portal.clock, { database: sessionsIn });
  const probes = new Map<string, LineState>();
  const cutOff: TestConsole['cutOff'] = { current: undefined };
  const siteRecord = { current: { publishedAt: portal.clock.now, refusal: undefined } as SiteRecord };
  const database: TestConsole['database'] = {
    current: { isUp: true, since: portal.clock.now, rewoundAt: undefined },
  };
  const { console: build } = await createFakeWebBuild();
  const incidents: OperatorDeps['incidents'] = {
    list: () => [],
    listOpen: () => [],
    version: () => 0,
    take: async () => false,
    channels: () => [],
    onCall: () => [],
    test: async () => ({ status: 200, words: '' }),
    testBy: async () => ({ status: 200, words: '' }),
    ...given,
  };
  const self = {
    name: 'host:1',
    startedAt: 1,
    siteVersion: 1,
    siteHash: 'abc',
    lines: null,
  };
  const sources: TestConsole['sources'] = {
    site: () => portal.site,
    siteRecord: () => siteRecord.current,
    steering: portal.steering,
    measurements: portal.measurements,
    lineStates: keepLineStates(),
    lineWatch: { states: () => probes, cutOff: () => cutOff.current },
    database: { isShared: false, state: () => database.current },
    replicas: { replicas: () => [{ ...self, isThis: true, goneSince: undefined }] },
    readLimited: () => 7,
    incidents,
    steps: { run: (_step, work) => work(), runSteps: async (_step, steps) => takeSteps(steps) },
    startedAt: 1,
    now: () => portal.clock.now,
  };
  const { app, tellConsoles, takeMoment } = createOperator({
    ...sources,
    moments,
    visits,
    sourceVisits,
    uptime,
    recordings,
    desk,
    preview: undefined,
    check: { siteDir: '', askLine: undefined, now: () => portal.clock.now },
    token,
    mustSignIn,
    proxy,
    people,
    build,
    registry: new Registry(),
    isReady: () => true,
    log: pino({ level: 'silent' }),
  });
  const ask: TestConsole['ask'] = (url, question = {}) =>
    askApp(app, url, {
      from: '127.0.0.1',
      ...question,
      headers: { host: 'localhost:8081', ...question.headers },
    });
  return {
    portal,
    probes,
    cutOff,
    siteRecord,
    database,
    sources,
    ask,
    people,
    routes: app.routes,
    tellConsoles,
    takeMoment,
    read: async <T>(url: string) => JSON.parse((await ask(url)).text) as T,
  };
}
