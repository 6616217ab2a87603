import { createLog } from '../../server/create-log.ts';
import { startServer } from '../../server/main.ts';
import { createFakeWebBuild } from '../../server/testing/fake-web-build.ts';
import { waitForSignal } from '../wait-for-signal.ts';

/** What `waypost serve` does, with a web build made up. Tells its parent where it listens. */
export async function runPortal(siteDir: string, dataDir: string): Promise<void> {
  const { log, logRequest, flush } = await createLog({ isTerminal: false });
  const { url, opsUrl, close } = await startServer({
    siteDir,
    dataDir,
    host: '127.0.0.1',
    port: 0,
    opsHost: '127.0.0.1',
    opsPort: 0,
    log,
    logRequest,
    web: await createFakeWebBuild(),
  });
  process.send?.({ url, opsUrl });
  await waitForSignal(process);
  await close();
  flush();
  process.disconnect();
}
