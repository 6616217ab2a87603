import { type SiteFault, identifyFault } from '../../contract/faults/site-fault.ts';
import { checkQrImages } from '../site/check/check-qr-images.ts';
import type { LoadedSite } from '../site/load-site.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import { DeskError } from './desk-error.ts';
import { type DeskWork, parseSiteApart } from './work/jobs.ts';

export type DraftFindings = {
  /** What stops the draft. */
  readonly faults: readonly SiteFault[];
  /** Faults that the operator may want: they do not stop the draft. */
  readonly warnings: readonly SiteFault[];
  /** Faults that are live already: they do not stop the draft. */
  readonly knownWarnings: readonly SiteFault[];
};

/** An operator may leave out a link, and may have a database that does not know every address. */
const MAY_BE_MEANT: ReadonlySet<SiteFault['code']> = new Set<SiteFault['code']>([
  'missing-key',
  'incomplete-mmdb',
]);

/**
 * Finds what would cost visitors a control or lead them elsewhere: a bad link, a target without hosts, a QR code of another
 * address. `waypost check` calls each a fault. Here it stops a draft, unless it is live already: a person who replaces a line at
 * night need not first correct what has been wrong for weeks.
 */
export async function findDraftFaults(
  draft: Pick<LoadedSite, 'site' | 'warnings'>,
  readLive: () => Promise<SiteFiles>,
  work: DeskWork,
): Promise<DraftFindings> {
  const found = await findControlFaults(draft, work);
  if (found.length === 0) return { faults: [], warnings: [], knownWarnings: [] };
  const { site, warnings } = await parseSiteApart(work, await readLive());
  const live = site === undefined ? warnings : await findControlFaults({ site, warnings }, work);
  const known = new Set(live.map(identifyFault));
  const fresh = found.filter((fault) => !known.has(identifyFault(fault)));
  return {
    faults: fresh.filter(({ code }) => !MAY_BE_MEANT.has(code)),
    warnings: fresh.filter(({ code }) => MAY_BE_MEANT.has(code)),
    knownWarnings: found.filter((fault) => known.has(identifyFault(fault))),
  };
}

async function findControlFaults(
  { site, warnings }: Pick<LoadedSite, 'site' | 'warnings'>,
  { decodeQr }: DeskWork,
): Promise<readonly SiteFault[]> {
  const decode = (image: Uint8Array): Promise<readonly string[]> => decodeQr(image).catch(forgiveSlowImage);
  return [...warnings, ...(await checkQrImages(site, decode))];
}

/** An image that takes longer to read than any QR code holds none. */
function forgiveSlowImage(error: unknown): readonly string[] {
  if (error instanceof DeskError && error.code === 'took-too-long') return [];
  throw error;
}
