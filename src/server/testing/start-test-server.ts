import { pino } from 'pino';
import { type RunningServer, type ServerOptions, startServer } from '../main.ts';
import { createFakeWebBuild } from './fake-web-build.ts';
import { DEMO_SITE } from './site-files.ts';

export const LOOPBACK = '127.0.0.1';

/** Starts a whole server on free ports of loopback: by default of the demo brand, without a web build, and without a log. */
export async function startTestServer(
  options: Pick<ServerOptions, 'dataDir'> & Partial<ServerOptions>,
): Promise<RunningServer> {
  return startServer({
    siteDir: DEMO_SITE,
    host: LOOPBACK,
    port: 0,
    opsHost: LOOPBACK,
    opsPort: 0,
    log: pino({ level: 'silent' }),
    web: await createFakeWebBuild(),
    ...options,
    // Nobody else is connected.
    bounds: { closingGraceMs: 20, ...options.bounds },
  });
}
