import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestPostgres, startPostgres } from '../../src/server/testing/start-postgres.ts';
import { drawFreePorts } from '../../src/line/find-free-ports.ts';
import type { Certificate } from './make-certificate.ts';
import { type SiteChanges, makeSiteFolder } from './make-site-folder.ts';
import type { Nginx } from './run-nginx.ts';
import { startPortalNginx } from './start-portal-nginx.ts';
import { type Replica, startReplica } from './start-replica.ts';

/** nginx connects from this address. */
const NETWORK = { trustedProxies: ['127.0.0.1/32'] };

export type Replicas = {
  /** Where visitors come in: nginx, over https. */
  readonly url: string;
  /** Where it redirects visitors who come over http. */
  readonly plainUrl: string;
  readonly portals: readonly Replica[];
  readonly postgres: TestPostgres;
  readonly databaseUrl: string;
  readonly nginx: Nginx;
  readonly close: () => Promise<void>;
};

/**
 * Starts two portals, PostgreSQL and nginx on the configs of `deploy/portal`, with ports and places of the test's own, and more variables
 * than the shipped unit sets.
 */
export async function startReplicas(
  certificate: Certificate,
  changes: SiteChanges,
  env: NodeJS.ProcessEnv = {},
): Promise<Replicas> {
  // What was started is ended in the opposite order, even if a later part did not start.
  const endings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let end = endings.pop(); end !== undefined; end = endings.pop()) await end();
  };
  try {
    const dir = await mkdtemp(join(tmpdir(), 'waypost-replicas-'));
    endings.push(() => rm(dir, { recursive: true, force: true }));
    const folder = await makeSiteFolder({ ...changes, site: { network: NETWORK, ...changes.site } });
    endings.push(folder.remove);
    const postgres = await startPostgres();
    endings.push(postgres.close);
    const databaseUrl = await postgres.createDatabase();
    const [first = 0, second = 0] = await drawFreePorts(2);
    const portals: Replica[] = [];
    for (const portalPort of [first, second]) {
      const dataDir = join(dir, `data-${portalPort}`);
      const portal = await startReplica({
        port: portalPort,
        siteDir: folder.dir,
        dataDir,
        databaseUrl,
        env,
      });
      portals.push(portal);
      endings.push(() => portal.stop('SIGTERM'));
    }
    const nginx = await startPortalNginx([first, second], certificate);
    endings.push(nginx.close);
    const urls = {
      url: `https://localhost:${nginx.port}`,
      plainUrl: `http://localhost:${nginx.plainPort}`,
    };
    return { ...urls, portals, postgres, databaseUrl, nginx, close };
  } catch (error) {
    await close();
    throw error;
  }
}
