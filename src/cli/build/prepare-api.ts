import { MAX_ROWS } from '../../contract/limits.ts';
import { CALLER_PATH, HOSTNAMES_PATH } from '../../contract/paths.ts';
import { type PublishedSite, prepareJson } from '../../server/site/publish-site.ts';
import type { ExportedFile } from './list-export.ts';

/**
 * The answers to the calls of an exported page. At most four lines are in them, because no visitor is ever told of more. Plain
 * files do not know who is calling, and hand out no ticket: pages go on without, and report nothing.
 */
export async function prepareApi({ lines }: Pick<PublishedSite, 'lines'>): Promise<readonly ExportedFile[]> {
  const hosts = lines.lines.slice(0, MAX_ROWS).map(({ json }) => json);
  return [
    { path: CALLER_PATH, answer: await prepareJson('{}') },
    { path: HOSTNAMES_PATH, answer: await prepareJson(`[${hosts.join(',')}]`) },
  ];
}
