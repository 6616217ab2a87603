import { fileURLToPath } from 'node:url';
import { type SiteFiles, readSiteFolder } from '../site/read-site-folder.ts';

/** The demo brand's folder, which every test starts from. */
export const DEMO_SITE = fileURLToPath(new URL('../../../site', import.meta.url));

type Json = Record<string, unknown>;

/**
 * The files of the demo brand, with four lines and one value for all languages, with `site.json` changed as a test wants
 * it, and with further files.
 */
export async function createSiteFiles(
  change: (config: Json) => void = () => undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<SiteFiles> {
  const { files } = await readSiteFolder(DEMO_SITE);
  const config = readPlain(files, 'site.json');
  const lines = config['lines'] as { hosts: unknown[] };
  lines.hosts = lines.hosts.slice(0, 4);
  change(config);
  const added = Object.entries(more).map(([path, text]) => [path, Buffer.from(text)] as const);
  return new Map([
    ...files,
    ['site.json', Buffer.from(JSON.stringify(config))],
    ['json/link.json', Buffer.from(JSON.stringify(readPlain(files, 'json/link.json')))],
    ...added,
  ]);
}

/** Reads a file with the default in the place of each value that differs by language. */
function readPlain(files: SiteFiles, path: string): Json {
  return JSON.parse(String(files.get(path)), (_, value) =>
    typeof value === 'object' && value !== null && 'default' in value ? value.default : value,
  ) as Json;
}
