import { fileURLToPath } from 'node:url';
import { type SiteFiles, readSiteFolder } from '../site/read-site-folder.ts';

/** The demo brand's folder, which every test starts from. */
export const DEMO_SITE = fileURLToPath(new URL('../../../site', import.meta.url));

type Json = Record<string, unknown>;

/** The files of the demo brand, with `site.json` changed as a test wants it, and with further files. */
export async function createSiteFiles(
  change: (config: Json) => void = () => undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<SiteFiles> {
  const { files } = await readSiteFolder(DEMO_SITE);
  const config = JSON.parse(String(files.get('site.json'))) as Json;
  change(config);
  const added = Object.entries(more).map(([path, text]) => [path, Buffer.from(text)] as const);
  return new Map([...files, ['site.json', Buffer.from(JSON.stringify(config))], ...added]);
}
