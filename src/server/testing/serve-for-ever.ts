import { pino } from 'pino';
import { requestLine } from '../../line/request-line.ts';
import { startServer } from '../main.ts';
import { createFakeWebBuild } from './fake-web-build.ts';

export type ReplicaOptions = {
  readonly siteDir: string;
  readonly dataDir: string;
  readonly redisUrl: string;
  /** What it signs its messages with. */
  readonly messageSecret: string;
};

/** Serves a site as one of several portals, until it is killed. Says when it listens. */
export async function serveForEver({ messageSecret, ...options }: ReplicaOptions): Promise<void> {
  const host = '127.0.0.1';
  await startServer({
    ...options,
    host,
    port: 0,
    opsHost: host,
    opsPort: 0,
    log: pino({ level: 'silent' }),
    web: await createFakeWebBuild(),
    askLine: (address, question) => requestLine(address, { now: () => performance.now(), ...question }),
    probeEveryMs: 400,
    messages: { readVariable: () => messageSecret, isAllowed: () => true },
  });
  // The test that started it may be ended, too.
  process.once('disconnect', () => process.exit());
  process.send?.('listening');
}
