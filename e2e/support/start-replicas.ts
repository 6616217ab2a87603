import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TestRedis, startRedis } from '../../src/server/testing/start-redis.ts';
import { drawFreePorts } from '../../src/line/find-free-ports.ts';
import { editConfig } from './edit-config.ts';
import type { Certificate } from './make-certificate.ts';
import { type SiteChanges, makeSiteFolder } from './make-site-folder.ts';
import { type Nginx, runNginx } from './run-nginx.ts';
import { type Replica, startReplica } from './start-replica.ts';

const DEPLOY_DIR = fileURLToPath(new URL('../../deploy/portal/', import.meta.url));
/** The ports that the shipped upstreams name. */
const SHIPPED_PORTS = [8080, 8082];
/** Where nginx comes from. */
const NETWORK = { trustedProxies: ['127.0.0.1/32'] };

export type Replicas = {
  /** Where visitors come in: nginx, over https. */
  readonly url: string;
  /** Where it redirects visitors who come over http. */
  readonly plainUrl: string;
  readonly portals: readonly Replica[];
  readonly redis: TestRedis;
  readonly nginx: Nginx;
  readonly close: () => Promise<void>;
};

/** Starts two portals, Redis and nginx on the configs of `deploy/portal`, with ports and places of the test's own. */
export async function startReplicas(certificate: Certificate, changes: SiteChanges): Promise<Replicas> {
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
    const redis = await startRedis();
    endings.push(redis.close);
    const [port = 0, plainPort = 0, ...portalPorts] = await drawFreePorts(2 + SHIPPED_PORTS.length);
    const portals: Replica[] = [];
    for (const portalPort of portalPorts) {
      const dataDir = join(dir, `data-${portalPort}`);
      const portal = await startReplica({
        port: portalPort,
        siteDir: folder.dir,
        dataDir,
        redisUrl: redis.url,
      });
      portals.push(portal);
      endings.push(() => portal.stop('SIGTERM'));
    }
    const config = await writeConfigs({ dir, port, plainPort, portalPorts, certificate });
    const nginx = await runNginx(dir, config, [port]);
    endings.push(nginx.close);
    const urls = { url: `https://localhost:${port}`, plainUrl: `http://localhost:${plainPort}` };
    return { ...urls, portals, redis, nginx, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Places = {
  readonly dir: string;
  readonly port: number;
  readonly plainPort: number;
  readonly portalPorts: readonly number[];
  readonly certificate: Certificate;
};

/** Writes what nginx reads, and returns its config. */
async function writeConfigs({ dir, port, plainPort, portalPorts, certificate }: Places): Promise<string> {
  const [config, upstreams] = await Promise.all(
    ['nginx.conf', 'upstreams.conf'].map((name) => readFile(join(DEPLOY_DIR, name), 'utf8')),
  );
  const files = {
    'upstreams.conf': editConfig(
      upstreams ?? '',
      SHIPPED_PORTS.map((shipped, index) => [`127.0.0.1:${shipped}`, `127.0.0.1:${portalPorts[index]}`]),
    ),
    'fullchain.pem': certificate.cert,
    'privkey.pem': certificate.key,
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(dir, name), text)));
  return editConfig(config ?? '', [
    [/listen 443 ssl http2/g, `listen 127.0.0.1:${port} ssl http2`],
    [/listen \[::\]:443 ssl http2.*;/g, ''],
    [/listen 80\b/g, `listen 127.0.0.1:${plainPort}`],
    [/listen \[::\]:80.*;/g, ''],
    ['portal.example', 'localhost'],
    ['/etc/nginx/waypost', dir],
    ['/etc/ssl/waypost', dir],
    ['/var/cache/waypost', join(dir, 'cache')],
    // Every visitor of a test comes from loopback, so nginx believes loopback, as it would believe a CDN.
    [
      'server_tokens off;',
      'server_tokens off; set_real_ip_from 127.0.0.1/32; real_ip_header X-Forwarded-For;',
    ],
  ]);
}
