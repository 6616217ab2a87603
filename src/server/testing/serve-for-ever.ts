import '../../../e2e/support/compress-less.mjs';
import { requestLine } from '../../line/request-line.ts';
import type { ServerOptions } from '../main.ts';
import { startTestServer } from './start-test-server.ts';
import { createWorkHere } from './small-images.ts';

/** A portal with everything on. Without a database it has one of its own, in its data folder. */
export type ServeOptions = Pick<
  ServerOptions,
  'siteDir' | 'dataDir' | 'database' | 'opsToken' | 'probeEveryMs'
>;

/** Serves a site until it is killed. Says where it listens. */
export async function serveForEver(options: ServeOptions): Promise<void> {
  const { url, opsUrl } = await startTestServer({
    ...options,
    isEditing: true,
    // Processes of least priority would never get their turn on a busy machine.
    deskWork: createWorkHere(),
    askLine: (address, question) => requestLine(address, { now: () => performance.now(), ...question }),
    messages: { readVariable: () => undefined, isAllowed: () => true },
  });
  // The test that started it may be ended, too.
  process.once('disconnect', () => process.exit());
  process.send?.({ url, opsUrl });
}
