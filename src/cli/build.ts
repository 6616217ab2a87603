import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { OFFLINE_WORKER_PATH } from '../contract/paths.ts';
import { OWN_INTAKE } from '../contract/site/site-config.ts';
import { prepareRemovingWorker } from '../server/portal/answer-offline.ts';
import { loadWebBuild, type WebBuild } from '../server/site/load-web-build.ts';
import { buildFallbackAddresses } from '../server/site/build-fallback-addresses.ts';
import { loadSite } from '../server/site/load-site.ts';
import type { Site } from '../server/site/parse-site.ts';
import { publishSite } from '../server/site/publish-site.ts';
import { checkFolder } from './given-paths.ts';
import { type Command, CommandError, UsageError, createSiteOption } from './command.ts';
import { listExport, prepareApi, prepareCampaigns } from './build/list-export.ts';
import { listMissing } from './build/list-missing.ts';
import {
  CAMPAIGNS_FILE,
  CONFIG_START,
  MAPS_FILE,
  renderNginxCampaigns,
  renderNginxConfig,
} from './build/render-nginx-config.ts';
import { renderNginxMaps } from './build/render-nginx-maps.ts';
import { writeExport } from './build/write-export.ts';

const WEB_DIR = fileURLToPath(new URL('../web', import.meta.url));
const FILES_FOLDER = 'www';
const CONFIG_FILE = 'nginx.conf';

/** `waypost build`: the site as plain files, for hosting without our server. */
export const build: Command = {
  help: `Usage: waypost build --out DIR [--site DIR]

Writes the site as plain files, each with a .br and a .gz beside it where that is smaller:

  DIR/${FILES_FOLDER}          what is served: pages in every language, scripts, images, JSON
  DIR/${CONFIG_FILE}   the nginx config that maps the routes to them, with every header that waypost serve sends
  DIR/${MAPS_FILE}, DIR/${CAMPAIGNS_FILE}
                   what it includes, because these may change with each build

Plain files steer nobody: every visitor gets the first four of lines.hosts. The command lists all that is lost.
They cannot tell regions apart either, so a site with compliance.restrictedRegions is refused. Links for visitors
without JavaScript carry the day's name: build again every day, soon after midnight UTC. An earlier export in DIR is
replaced. Scripts and images that its open pages may still ask for stay; targets of /t, links and languages that
were removed are deleted.

  --site DIR   the site folder (default: WAYPOST_SITE, or ./site)
  --out DIR    where to: a new folder, or one that this command wrote

Exit status: 0 if it was written, 1 if it could not be, 2 for a command line that makes no sense.

Example: waypost build --site ./site --out ./export`,
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        site: createSiteOption(process.env),
        out: { type: 'string' },
      },
    });
    if (!values.out) throw new UsageError('--out is needed: the folder to write to');
    await checkFolder('--out', values.out);
    const web = await loadWebBuild(WEB_DIR);
    const { files, missing } = await buildExport({
      siteDir: values.site,
      outDir: values.out,
      web,
      now: Date.now,
    });
    console.log(describeExport(values.out, files, missing));
    return 0;
  },
};

export type BuildOptions = {
  readonly siteDir: string;
  readonly outDir: string;
  readonly web: WebBuild;
  /** Ms since 1970. */
  readonly now: () => number;
};

export type Export = {
  /** The number of files. */
  readonly files: number;
  /** What the server would do for the site and plain files cannot do, one sentence each. */
  readonly missing: readonly string[];
};

function describeExport(dir: string, files: number, missing: readonly string[]): string {
  return [
    `${files} files are in ${join(dir, FILES_FOLDER)}, and how to serve them is in ${join(dir, CONFIG_FILE)}`,
    '',
    'What waypost serve does for this site and plain files do not:',
    ...missing.map((each) => `  - ${each}`),
    '',
    'Before it is served:',
    `  - copy ${CONFIG_FILE} and change what is marked CHANGE. It answers on port 443, and sends port 80 to https.`,
    '  - build again every day soon after midnight UTC: links for visitors without JavaScript carry the day.',
  ].join('\n');
}

/** Writes the export of a site. */
export async function buildExport({ siteDir, outDir, web, now }: BuildOptions): Promise<Export> {
  await refuseOtherFolder(outDir);
  const loaded = await loadSite(siteDir);
  const { config } = loaded.site;
  if (config.compliance.restrictedRegions.length > 0) {
    throw new CommandError({
      code: 'not-exportable',
      message:
        'site.json: compliance.restrictedRegions names regions, which plain files cannot tell apart: use waypost serve, or empty the list and block them before your host',
    });
  }
  const site: Site = { ...loaded.site, config: withoutServer(config) };
  const published = await publishSite({ ...loaded, site }, 1, {
    renderPage: web.renderPage,
    now,
    buildFallbackAddresses: (lines) => buildFallbackAddresses(lines, { random: Math.random, now }),
  });
  // An earlier portal of this origin may have left a worker behind.
  const assets = new Map([...web.assets, [OFFLINE_WORKER_PATH, await prepareRemovingWorker()]]);
  const { pages, files } = listExport(published, assets);
  // The pages are written last: by then everything that they ask for is there.
  const campaigns = await prepareCampaigns(published, now());
  const allPages = [...pages, ...campaigns.pages];
  const all = [...files, ...(await prepareApi(published)), ...campaigns.files, ...allPages];
  await writeExport(join(outDir, FILES_FOLDER), all);
  await writeFile(join(outDir, MAPS_FILE), renderNginxMaps(allPages, config.defaultLocale));
  await writeFile(join(outDir, CAMPAIGNS_FILE), renderNginxCampaigns(pages, campaigns));
  await writeFile(join(outDir, CONFIG_FILE), renderNginxConfig(pages, config.publicUrl));
  return { files: all.length, missing: listMissing(config) };
}

/**
 * Plain files cannot differ by visitor, take recordings or count. Nothing is kept offline, because it could not be taken back by
 * region.
 */
function withoutServer(config: Site['config']): Site['config'] {
  const { analytics, monitoring } = config;
  const intakeUrl = monitoring.intakeUrl === OWN_INTAKE ? '' : monitoring.intakeUrl;
  return {
    ...config,
    start: 'calls',
    offline: { mode: 'off' },
    analytics: { ...analytics, counts: 'off' },
    monitoring: { ...monitoring, intakeUrl },
  };
}

async function refuseOtherFolder(dir: string): Promise<void> {
  const names = await readdir(dir).catch((): string[] => []);
  const config = await readFile(join(dir, CONFIG_FILE), 'utf8').catch(() => '');
  if (names.length === 0 || config.startsWith(CONFIG_START)) return;
  const message = `${dir} is not empty, and was not written by waypost build: give a new folder`;
  throw new CommandError({ code: 'folder-in-use', message });
}
