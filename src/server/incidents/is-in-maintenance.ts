import { findLineId } from '../../contract/incidents.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import { findMaintenance, findSiteMaintenance } from '../site/time-windows.ts';

/** Whether nobody is told now of what has these causes, because all their lines, or the whole site, are in maintenance. */
export function isInMaintenance(
  { lines, config }: Pick<PublishedSite, 'lines' | 'config'>,
  causes: readonly string[],
  at: number,
): boolean {
  const isLineOut = (cause: string): boolean => {
    const line = lines.byId.get(findLineId(cause) ?? '');
    return findMaintenance(line?.policy.maintenance ?? [], at) !== undefined;
  };
  const isSiteOut = findSiteMaintenance(config.maintenance, at) !== undefined;
  return isSiteOut || (causes.length > 0 && causes.every(isLineOut));
}
