import { createLog } from '../../server/create-log.ts';
import { startServer } from '../../server/main.ts';
import { createFakeWebBuild } from '../../server/testing/fake-web-build.ts';
import { waitForSignal } from '../wait-for-signal.ts';

/** What `waypost serve` does, with a web build made up. Tells its parent where it listens. */
export async function runPortal(siteDir: string, dataDir: string, port = '0'): Promise<void> {
  const { log, logRequest, flush } = await createLog({ isTerminal: false });
  const starting = startServer({
    siteDir,
    dataDir,
    host: '127.0.0.1',
    port: Number(port),
    opsHost: '127.0.0.1',
    opsPort: 0,
    log,
    logRequest,
    web: await createFakeWebBuild(),
  });
  const server = await starting.catch(() => undefined);
  if (server === undefined) {
    process.exitCode = 1;
    return process.disconnect();
  }
  const { url, opsUrl, close } = server;
  process.send?.({ url, opsUrl });
  await waitForSignal(process);
  await close();
  flush();
  process.disconnect();
}
