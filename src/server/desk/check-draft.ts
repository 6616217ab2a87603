import type { CheckEvent } from '../../contract/desk/desk.ts';
import { tellFault } from '../../contract/faults/describe-site-fault.ts';
import { MAX_ROWS } from '../../contract/limits.ts';
import { LANDING_PATH, SPEED_CHECK_PATH } from '../../contract/paths.ts';
import { publicOriginOf } from '../../contract/site/site-config.ts';
import { createAskApplication } from '../../engine/line/create-ask-application.ts';
import { checkLine } from '../lines/check/check-line.ts';
import { type ListedLine, listLines } from '../lines/check/list-lines.ts';
import { createLimit } from '../../contract/create-limit.ts';
import type { AskLine } from '../lines/create-line-asker.ts';
import { findWarnings, isAmong, loadDemoSite } from '../site/check/find-warnings.ts';
import { type LoadedSite, SiteError } from '../site/load-site.ts';
import type { Site } from '../site/parse-site.ts';
import type { SiteFiles } from '../site/read-site-folder.ts';
import type { Desk } from './create-desk.ts';
import { findDraftFaults } from './find-draft-faults.ts';
import { type DeskWork, loadSiteApart, parseSiteApart } from './work/jobs.ts';

export type CheckDeps = {
  readonly siteDir: string;
  readonly findOwnerKeys: Desk['findOwnerKeys'];
  readonly work: DeskWork;
  /** Asks a line for the console; undefined where the server asks none. */
  readonly askLine: AskLine | undefined;
  readonly now: () => number;
};

export type CheckOptions = {
  readonly draft: SiteFiles;
  readonly live: SiteFiles;
  /** Asks the lines that are new or changed, too. */
  readonly withLines: boolean;
  readonly signal: AbortSignal;
};

/** Checks a draft as `waypost check` does, and tells what it finds as soon as it is found. */
export async function checkDraft(
  { draft, live, withLines, signal }: CheckOptions,
  { siteDir, findOwnerKeys, work, askLine, now }: CheckDeps,
  tell: (event: CheckEvent) => void,
): Promise<void> {
  const loaded = await loadDraft(draft, siteDir, work);
  if (loaded instanceof SiteError) {
    tell({
      kind: 'files',
      faults: loaded.faults.map(tellFault),
      warnings: [],
      knownWarnings: [],
      ownerKeys: [],
      lines: 0,
    });
    tell({ kind: 'done', isGood: false });
    return;
  }
  const { site } = loaded;
  const { site: liveSite } = await parseSiteApart(work, live);
  const demo = await loadDemoSite();
  const found = await findDraftFaults(loaded, async () => live, work);
  const hints = findWarnings(site, demo);
  const liveHints = liveSite === undefined ? [] : findWarnings(liveSite, demo);
  const lines = withLines && askLine ? findChangedLines(site, liveSite, now()) : [];
  tell({
    kind: 'files',
    faults: found.faults.map(tellFault),
    warnings: [...found.warnings, ...hints.filter((hint) => !isAmong(hint, liveHints))].map(tellFault),
    knownWarnings: [...found.knownWarnings, ...hints.filter((hint) => isAmong(hint, liveHints))].map(
      tellFault,
    ),
    ownerKeys: findOwnerKeys(site.config),
    lines: lines.length,
  });
  if (askLine !== undefined) await checkLines(site, lines, { askLine, now, signal }, tell);
  tell({ kind: 'done', isGood: found.faults.length === 0 });
}

async function loadDraft(
  files: SiteFiles,
  siteDir: string,
  work: DeskWork,
): Promise<Omit<LoadedSite, 'fingerprint'> | SiteError> {
  try {
    return await loadSiteApart(files, { work, siteDir, onLookupFault: () => undefined });
  } catch (error) {
    if (error instanceof SiteError) return error;
    throw error;
  }
}

async function checkLines(
  { config }: Site,
  lines: readonly ListedLine[],
  {
    askLine,
    now,
    signal,
  }: { readonly askLine: AskLine; readonly now: () => number; readonly signal: AbortSignal },
  tell: (event: CheckEvent) => void,
): Promise<void> {
  const origin = publicOriginOf(config);
  const { marker, markerHeader } = config.lines;
  const client = {
    askSpeed: (address: string) => askLine(address, { path: SPEED_CHECK_PATH, origin, signal }),
    askPage: (address: string) => askLine(address, { path: LANDING_PATH, origin, signal }),
    askApplication: createAskApplication(config.lines.health, (address, question) =>
      askLine(address, { ...question, origin, signal }),
    ),
  };
  const limit = createLimit(MAX_ROWS);
  await Promise.all(lines.map((line) => limit(() => check(line))));

  async function check(line: ListedLine): Promise<void> {
    if (signal.aborted) return;
    const found = await checkLine(line, client, { marker, markerHeader, portal: origin, now: now() });
    tell({
      kind: 'line',
      host: line.host,
      role: line.role,
      addresses: line.addresses.length,
      goodAddresses: found.goodAddresses,
      timeMs: found.timeMs ?? null,
      faults: found.faults,
    });
  }
}

/** The lines that would be asked for in another way than now, or are expected to answer something else. */
function findChangedLines(site: Site, live: Site | undefined, now: number): readonly ListedLine[] {
  const lines = listLines(site, now);
  const isSameMarker =
    live?.config.lines.marker === site.config.lines.marker &&
    live.config.lines.markerHeader === site.config.lines.markerHeader;
  if (live === undefined || !isSameMarker) return lines;
  const known = new Set(listLines(live, now).map((line) => JSON.stringify(line)));
  return lines.filter((line) => !known.has(JSON.stringify(line)));
}
