import { requestLine } from '../../line/request-line.ts';
import { startTestServer } from './start-test-server.ts';

export type ReplicaOptions = {
  readonly siteDir: string;
  readonly dataDir: string;
  readonly database: { readonly url: string };
  /** What it signs its messages with. */
  readonly messageSecret: string;
  /** How often it asks each line. */
  readonly probeEveryMs: number;
};

/** Serves a site as one of several portals, until it is killed. Says when it listens. */
export async function serveForEver({ messageSecret, ...options }: ReplicaOptions): Promise<void> {
  await startTestServer({
    ...options,
    askLine: (address, question) => requestLine(address, { now: () => performance.now(), ...question }),
    messages: { readVariable: () => messageSecret, isAllowed: () => true },
  });
  // The test that started it may be ended, too.
  process.once('disconnect', () => process.exit());
  process.send?.('listening');
}
