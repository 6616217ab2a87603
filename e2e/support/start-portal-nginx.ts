import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawFreePorts } from '../../src/line/find-free-ports.ts';
import { editConfig } from './edit-config.ts';
import type { Certificate } from './make-certificate.ts';
import { type Nginx, runNginx } from './run-nginx.ts';

const DEPLOY_DIR = fileURLToPath(new URL('../../deploy/portal/', import.meta.url));
/** The ports that the shipped upstreams name. */
const SHIPPED_PORTS = [8080, 8082];

export type PortalNginx = Nginx & {
  /** Where visitors come in, over https. */
  readonly port: number;
  /** Where it redirects visitors who come over http. */
  readonly plainPort: number;
};

/** Starts nginx on the configs of `deploy/portal`, before two portals on loopback, with ports and places of its own. */
export async function startPortalNginx(
  portalPorts: readonly [number, number],
  certificate: Certificate,
): Promise<PortalNginx> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-portal-nginx-'));
  const [port = 0, plainPort = 0] = await drawFreePorts(2);
  const config = await writeConfigs({ dir, port, plainPort, portalPorts, certificate });
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true });
  try {
    const nginx = await runNginx(dir, config, [port]);
    return {
      ...nginx,
      port,
      plainPort,
      async close() {
        await nginx.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
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
