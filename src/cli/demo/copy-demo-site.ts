import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LINE_PORTS } from '../../contract/limits.ts';
import { writeSiteFolder } from '../init.ts';

/** Writes a copy of the demo's site folder whose lines are on other ports, in the order of the usual ones. */
export async function copyDemoSite(ports: readonly number[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-demo-'));
  await writeSiteFolder(dir);
  const siteFile = join(dir, 'site.json');
  // The demo's own file, which the tests check.
  const site = JSON.parse(await readFile(siteFile, 'utf8')) as { readonly lines: object };
  await writeFile(siteFile, JSON.stringify({ ...site, lines: { ...site.lines, ports } }));
  const targetFile = join(dir, 'json/urls/localhost.json');
  const target = await readFile(targetFile, 'utf8');
  const moved = target.replaceAll(/:(\d+)"/g, (_, port) => `:${ports[LINE_PORTS.indexOf(Number(port))]}"`);
  await writeFile(targetFile, moved);
  return dir;
}
