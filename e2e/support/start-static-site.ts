import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawFreePorts } from './draw-free-ports.ts';
import { type Edit, editConfig } from './edit-config.ts';
import { runNginx } from './run-nginx.ts';

export type StaticSite = { readonly url: string; readonly close: () => Promise<void> };

/** What the config tells an operator to change where there is no certificate, and the test's own place. */
function editsFor(exportDir: string, port: number): readonly Edit[] {
  return [
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
    ['listen [::]:443 ssl http2;', ''],
    [/^ *ssl_.*\n/gm, ''],
    ['/var/www/waypost', exportDir],
  ];
}

/** Serves what `waypost build` wrote with the nginx config that it wrote beside it. */
export async function startStaticSite(exportDir: string): Promise<StaticSite> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-static-'));
  const [port = 0] = await drawFreePorts(1);
  const config = await readFile(join(exportDir, 'nginx.conf'), 'utf8');
  const nginx = await runNginx(dir, editConfig(config, editsFor(exportDir, port)), [port]);
  return {
    url: `http://localhost:${port}`,
    close: async () => {
      await nginx.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
