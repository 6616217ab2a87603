import type { JsonEdit } from '../../../contract/desk/desk.ts';
import { decodeQr } from '../../site/check/decode-qr.ts';
import { type OnLookupFault, loadSiteFiles } from '../../site/load-site.ts';
import { type ParsedSite, parseSite } from '../../site/parse-site.ts';
import type { SiteFiles } from '../../site/read-site-folder.ts';
import { checkFileContent } from '../check-upload.ts';
import { describeDifference } from '../describe-difference.ts';
import { editJson } from '../edit-json.ts';
import { makeBetterFormats } from '../make-better-formats.ts';
import { mergeFiles } from '../merge-files.ts';

/**
 * The work whose length an upload or an edit decides. A portal does it in a process of its own, which it can stop: see
 * `openDeskWork`.
 */
const JOBS = {
  checkFile: checkFileContent,
  editFile: (path: string, bytes: Buffer, edits: readonly JsonEdit[]): Buffer => {
    const edited = Buffer.from(editJson(path, String(bytes), edits));
    checkFileContent(path, edited);
    return edited;
  },
  parseSite,
  describeDifference,
  mergeFiles,
  makeBetterFormats,
  decodeQr,
} as const;

type Jobs = typeof JOBS;
export type JobName = keyof Jobs;

export type DeskWork = {
  readonly [Name in JobName]: (...input: Parameters<Jobs[Name]>) => Promise<Awaited<ReturnType<Jobs[Name]>>>;
};

/** Runs a job by its name. */
export type RunJob = (name: JobName, input: readonly unknown[]) => Promise<unknown>;

/** The jobs as functions, all of which are run by `run`. */
export function createDeskWork(run: RunJob): DeskWork {
  const names = Object.keys(JOBS) as JobName[];
  const entries = names.map((name) => [name, (...input: readonly unknown[]) => run(name, input)]);
  // Each entry runs the job of its name, so the input and the result have the types of that job.
  return Object.fromEntries(entries) as DeskWork;
}

/** Runs a job here, on the thread that asks. */
export const runJobHere: RunJob = async (name, input) =>
  (JOBS[name] as (...given: readonly unknown[]) => unknown)(...input);

/** Loads a site. A process of the desk parses its files, because that can be stopped. */
export function loadSiteApart(
  files: SiteFiles,
  {
    work,
    siteDir,
    onLookupFault,
  }: { readonly work: DeskWork; readonly siteDir: string; readonly onLookupFault: OnLookupFault },
): ReturnType<typeof loadSiteFiles> {
  const parse = (given: SiteFiles) => parseSiteApart(work, given);
  return loadSiteFiles({ files, parse }, siteDir, onLookupFault);
}

/** Parses a site in a process of the desk, which can be stopped. It gets one byte of each image: parsing asks only whether the image is there. */
export async function parseSiteApart(work: DeskWork, files: SiteFiles): Promise<ParsedSite> {
  const outline = [...files].map(
    ([path, bytes]) => [path, path.endsWith('.json') ? bytes : Buffer.from(bytes.subarray(0, 1))] as const,
  );
  const { site, ...found } = await work.parseSite(new Map(outline));
  if (site === undefined) return { site, ...found };
  const images = [...site.images.keys()].map((path) => [path, files.get(path) ?? Buffer.alloc(0)] as const);
  return { site: { ...site, images: new Map(images) }, ...found };
}
