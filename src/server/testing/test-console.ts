import type { ConsoleDeps } from '../operator/console/console-app.ts';
import { createConsole } from '../operator/console/create-console.ts';
import { answerError } from '../http/answer-error.ts';
import type { Answer, StreamOutput } from '../http/exchange.ts';
import type { SiteRecord } from '../site/keep-site.ts';
import type { LineState } from '../lines/watch-lines.ts';
import { pino } from 'pino';
import { createFakeWebBuild } from './fake-web-build.ts';
import { type Question, type TestPortal, createTestPortal } from './test-portal.ts';

export type TestConsole = {
  readonly portal: TestPortal;
  readonly ask: (url: string, question?: Question) => Promise<Answer & { readonly text: string }>;
  /** Asks for JSON, and trusts that it is what it should be. */
  readonly read: <T>(url: string) => Promise<T>;
  /** What the server's own probe has seen, by the id of the line. */
  readonly probes: Map<string, LineState>;
  readonly siteRecord: { current: SiteRecord };
  readonly sources: ConsoleDeps['sources'];
  readonly look: () => Promise<void>;
};

/** The operator's console in process, beside a whole portal. */
export async function createTestConsole({
  token,
  ...options
}: { readonly token?: string } & Parameters<typeof createTestPortal>[0] = {}): Promise<TestConsole> {
  const portal = await createTestPortal(options);
  const probes = new Map<string, LineState>();
  const siteRecord = { current: { publishedAt: portal.clock.now, refusal: undefined } as SiteRecord };
  const { console: build } = await createFakeWebBuild();
  const self = { name: 'host:1', startedAt: 1, siteVersion: 1, siteHash: 'abc', isStoreUp: true };
  const sources: TestConsole['sources'] = {
    site: () => portal.site,
    siteRecord: () => siteRecord.current,
    steering: portal.steering,
    measurements: portal.measurements,
    lineWatch: { states: () => probes },
    replicas: { kind: 'memory', replicas: () => [{ ...self, isThis: true, goneSince: undefined }] },
    readLimited: () => 7,
    startedAt: 1,
    now: () => portal.clock.now,
  };
  const { app, look } = createConsole({ ...sources, token, build });
  const ask: TestConsole['ask'] = async (
    url,
    { method = 'GET', headers = {}, body = '', from = '127.0.0.1', isEncrypted = false } = {},
  ) => {
    const [path = '', query = ''] = url.split('?');
    const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const request = {
      method,
      path,
      query,
      header: (name: string) => given.get(name) ?? (name === 'host' ? 'localhost:8081' : undefined),
      readBody: async () => body,
      peerAddress: from,
      isEncrypted,
    };
    const answer = await (async () => app(request))().catch((error: unknown) =>
      answerError(error, { isSecure: false, log: pino({ level: 'silent' }) }),
    );
    return { ...answer, text: readText(answer.body) };
  };
  return {
    portal,
    probes,
    siteRecord,
    sources,
    ask,
    look,
    read: async <T>(url: string) => JSON.parse((await ask(url)).text) as T,
  };
}

/** Of a stream, what it says at once. */
function readText(body: Answer['body']): string {
  if (typeof body !== 'function') return body?.toString() ?? '';
  const written: string[] = [];
  const output: StreamOutput = { write: (text) => written.push(text), end: () => undefined };
  body(output)();
  return written.join('');
}
