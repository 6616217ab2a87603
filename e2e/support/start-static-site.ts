import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawFreePorts } from '../../src/line/find-free-ports.ts';
import { type Edit, editConfig } from './edit-config.ts';
import { runNginx } from './run-nginx.ts';

export type StaticSite = {
  readonly url: string;
  /** Where the config listens in place of port 80. */
  readonly httpUrl: string;
  readonly close: () => Promise<void>;
};

/** What the config tells an operator to change where there is no certificate, and the test's own place. */
function editsFor(exportDir: string, port: number, httpPort: number): readonly Edit[] {
  return [
    ['listen 80;', `listen 127.0.0.1:${httpPort};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
    ['listen [::]:443 ssl http2;', ''],
    [/^ *ssl_.*\n/gm, ''],
    ['/var/www/waypost', exportDir],
  ];
}

/** Serves what `waypost build` wrote with the nginx config that it wrote beside it. */
export async function startStaticSite(exportDir: string): Promise<StaticSite> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-static-'));
  const [port = 0, httpPort = 0] = await drawFreePorts(2);
  const config = await readFile(join(exportDir, 'nginx.conf'), 'utf8');
  const edits = editsFor(exportDir, port, httpPort);
  const nginx = await runNginx(dir, editConfig(config, edits), [port, httpPort]);
  return {
    url: `http://localhost:${port}`,
    httpUrl: `http://localhost:${httpPort}`,
    close: async () => {
      await nginx.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
