import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { JsonEdit } from '../../contract/desk/desk.ts';
import type { RenderPage } from '../../contract/page/page-data.ts';
import type { DeskPerson } from '../desk/create-draft-reader.ts';
import { editJson } from '../desk/edit-json.ts';
import { type ConnectedDesk, openDesk } from '../desk/open-desk.ts';
import type { DeskStores } from '../desk/open-desk-stores.ts';
import type { DeskWork } from '../desk/work/jobs.ts';
import { type SiteKeeper, keepSite } from '../site/keep-site.ts';
import type { Database } from '../store/database.ts';
import { openLastGood } from '../store/open-last-good.ts';
import { openDatabase } from '../store/open-database.ts';
import { renderFakePage } from './fake-web-build.ts';
import { DEMO_SITE } from './site-files.ts';
import { createWorkHere, shrinkImages } from './small-images.ts';

export const EDITOR: DeskPerson = { name: 'eve', role: 'editor' };
export const OWNER: DeskPerson = { name: 'otto', role: 'owner' };

export type TestDesk = ConnectedDesk & {
  readonly dir: string;
  readonly siteDir: string;
  readonly database: Database;
  readonly stores: DeskStores;
  readonly keeper: SiteKeeper;
  readonly clock: { now: number };
  readonly logged: Record<string, unknown>[];
  /** Changes `site.json` in the site folder, as somebody with an editor would. */
  readonly changeFolder: (...edits: readonly JsonEdit[]) => Promise<void>;
  /** Looks at the folder until a change counts. */
  readonly noticeFolder: () => Promise<void>;
  /** Serves each version that goes live elsewhere, until the end of the test. */
  readonly follow: () => void;
  /** The same folders in another process, later. */
  readonly reopen: (others?: TestDeskOptions) => Promise<TestDesk>;
};

export type TestDeskOptions = {
  /** A database that desks share. Without it, each has one in its own data folder. */
  readonly url?: string | undefined;
  readonly renderPage?: RenderPage;
  /** Works on what people send. By default on the thread of the test. */
  readonly work?: DeskWork;
  /** Stands in the way to the database, so that a test can make it fail. */
  readonly wrap?: (database: Database) => Database;
};

/** A desk in process, on folders of its own. */
export async function openTestDesk(options: TestDeskOptions = {}): Promise<TestDesk> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-desk-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await cp(DEMO_SITE, join(dir, 'site'), { recursive: true, filter: (path) => !path.endsWith('/art') });
  await shrinkImages(join(dir, 'site/images'));
  for (const name of ['site.json', 'json/link.json']) await keepOneLanguage(join(dir, 'site', name));
  return openIn(dir, options);
}

async function changeSite(dir: string, edits: readonly JsonEdit[]): Promise<void> {
  const file = join(dir, 'site/site.json');
  await writeFile(file, editJson('site.json', await readFile(file, 'utf8'), edits));
}

/** The pages are rendered and compressed in each language, and one is enough here. */
async function keepOneLanguage(path: string): Promise<void> {
  const site = JSON.parse(await readFile(path, 'utf8'), (key, value: unknown) => {
    const isByLanguage = typeof value === 'object' && value !== null && 'default' in value;
    return key === 'announcement' ? undefined : isByLanguage ? value.default : value;
  }) as Record<string, unknown>;
  if (path.endsWith('site.json')) site['locales'] = ['zh-CN'];
  await writeFile(path, `${JSON.stringify(site, null, 2)}\n`);
}

async function openIn(dir: string, options: TestDeskOptions): Promise<TestDesk> {
  const { url, renderPage = renderFakePage, work = createWorkHere(), wrap } = options;
  const siteDir = join(dir, 'site');
  const clock = { now: Date.UTC(2026, 0, 5, 12) };
  const now = (): number => clock.now;
  const logged: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line) as Record<string, unknown>) });
  const dataDir = join(dir, 'data');
  const opened = await openDatabase({ dataDir, url, log });
  onTestFinished(opened.close);
  const database = wrap?.(opened) ?? opened;
  const lastGood = openLastGood({ dataDir, database, log });
  const { stores, source, connect } = openDesk({ database, lastGood, siteDir, work, log, now });
  const keeper = await keepSite({
    source,
    log,
    renderPage,
    buildFallbackAddresses: () => [],
    onPublish: () => undefined,
    onRefuse: () => undefined,
    onLookupFault: () => undefined,
    now,
  });
  const connected = connect(keeper);
  return {
    ...connected,
    dir,
    siteDir,
    database,
    stores,
    keeper,
    clock,
    logged,
    follow: () => onTestFinished(connected.start()),
    changeFolder: (...edits) => changeSite(dir, edits),
    noticeFolder: async () => {
      await keeper.checkFolder();
      await keeper.checkFolder();
    },
    reopen: (others) => openIn(dir, { ...options, ...others }),
  };
}
