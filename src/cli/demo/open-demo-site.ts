import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LINE_PORTS } from '../../contract/limits.ts';
import { loadSite } from '../../server/site/load-site.ts';
import { writeSiteFolder } from '../init.ts';

/** The site folder that the demo serves. */
export type DemoSite = {
  readonly dir: string;
  /** The server's own folder, if it is to be removed at the end. */
  readonly dataDir?: string;
  readonly linePorts: readonly number[];
  /** Removes the folder, if it was written for this run. */
  readonly leave: () => Promise<void>;
};

/**
 * Finds the folder to serve and the ports of its lines. Without a folder of the person's own it is a copy of the demo
 * brand's, so that they can change it.
 */
export async function openDemoSite(
  givenDir: string | undefined,
  freePorts: readonly number[],
): Promise<DemoSite> {
  if (givenDir !== undefined) {
    const { site } = await loadSite(givenDir);
    return { dir: givenDir, linePorts: site.config.lines.ports, leave: async () => undefined };
  }
  const root = await mkdtemp(join(tmpdir(), 'waypost-demo-'));
  const dir = join(root, 'site');
  await writeSiteFolder(dir);
  if (freePorts.some((port, index) => port !== LINE_PORTS[index])) await moveLines(dir, freePorts);
  return {
    dir,
    // Versions of an earlier demo would have its ports.
    dataDir: join(root, 'data'),
    linePorts: freePorts,
    leave: () => rm(root, { recursive: true, force: true }),
  };
}

/** Gives the lines of a demo folder other ports. */
async function moveLines(dir: string, ports: readonly number[]): Promise<void> {
  const siteFile = join(dir, 'site.json');
  // The demo's own file, which is tested.
  const site = JSON.parse(await readFile(siteFile, 'utf8')) as { readonly lines: object };
  await writeFile(siteFile, JSON.stringify({ ...site, lines: { ...site.lines, ports } }, null, 2));
  const targetFile = join(dir, 'json/urls/localhost.json');
  const target = await readFile(targetFile, 'utf8');
  const moved = target.replaceAll(/:(\d+)"/g, (_, port) => `:${ports[LINE_PORTS.indexOf(Number(port))]}"`);
  await writeFile(targetFile, moved);
}
