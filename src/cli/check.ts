import { parseArgs } from 'node:util';
import { writeCodedFault } from '../contract/faults/describe-site-fault.ts';
import type { SiteFault } from '../contract/faults/site-fault.ts';
import { MAX_ROWS, MIN_CERTIFICATE_DAYS } from '../contract/limits.ts';
import { LANDING_PATH } from '../contract/paths.ts';
import { createAskApplication } from '../engine/line/create-ask-application.ts';
import { createAskStay } from '../engine/line/create-ask-stay.ts';
import { requestLine } from '../line/request-line.ts';
import { loadSite, SiteError } from '../server/site/load-site.ts';
import type { Site } from '../server/site/parse-site.ts';
import { type LineClient, checkLine } from '../server/lines/check/check-line.ts';
import { listLines } from '../server/lines/check/list-lines.ts';
import { createLimit } from '../contract/create-limit.ts';
import { checkLogo } from '../server/site/check/check-logo.ts';
import { checkQrImages } from '../server/site/check/check-qr-images.ts';
import { decodeQr } from '../server/site/check/decode-qr.ts';
import { findWarnings, loadDemoSite } from '../server/site/check/find-warnings.ts';
import { createLineCheckFormat } from './check/create-line-check-format.ts';
import { type Command, createSiteOption, parseOrigin } from './command.ts';
import { publicOriginOf } from '../contract/site/site-config.ts';
import { loadSecureContext } from './read-pem.ts';

/** `waypost check`: finds what is wrong with a site folder and its lines. */
export const check: Command = {
  help: `Usage: waypost check [--site DIR] [--lines [--portal URL] [--ca FILE]]

Verifies the site folder: every file, every link, and that the QR images lead where their links lead. Each fault has
its file, line and column. It also warns (!) of what is still the demo brand's, of names that can never be reached, of
texts that a language lacks, and of colours that cannot be read; a warning does not change the exit status.

With --lines, asks every line, backup and /t address on each of its ports, as a page would, and says how to correct
what is wrong: no answer, a certificate that is not valid or has under ${MIN_CERTIFICATE_DAYS} days left, a wrong marker, headers
without which a page cannot read the marker or the timing, a redirect, an http line behind an https portal, a page (/)
that is not there. STAY is the version of the files that keep visitors in (docs/stay.md), where a line has them.

  --site DIR     the site folder (default: WAYPOST_SITE, or ./site)
  --lines        ask the lines too
  --portal URL   where visitors open the portal: lines are asked in its name, and with https they must be https
                 (default: publicUrl of site.json)
  --ca FILE      a certificate authority to trust beside the usual ones (PEM)

Exit status: 0 if all is well, 1 if anything is wrong, 2 for a command line that makes no sense.

Example: waypost check --site ./site --lines --portal https://go.example.com`,
  run: async (args) =>
    runCheck(readOptions(args, process.env), { print: console.log, warn: console.error, now: Date.now }),
};

export type CheckOptions = {
  readonly siteDir: string;
  readonly hasLines: boolean;
  readonly portal: string | undefined;
  readonly caFile: string | undefined;
};

type CheckEffects = {
  readonly print: (line: string) => void;
  /** Prints what does not change the exit status. */
  readonly warn: (line: string) => void;
  /** Ms since 1970. */
  readonly now: () => number;
};

function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): CheckOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      site: createSiteOption(env),
      lines: { type: 'boolean', default: false },
      portal: { type: 'string' },
      ca: { type: 'string' },
    },
  });
  return {
    siteDir: values.site,
    hasLines: values.lines,
    portal:
      values.portal === undefined
        ? undefined
        : parseOrigin('--portal', values.portal, 'https://go.example.com'),
    caFile: values.ca,
  };
}

/** Prints what is wrong with a site folder, and resolves with the exit status. */
export async function runCheck(options: CheckOptions, effects: CheckEffects): Promise<number> {
  const { site, faults } = await findFolderFaults(options.siteDir);
  for (const fault of faults) effects.print(`✗ ${writeCodedFault(fault, 'en')}`);
  if (site === undefined) return 1;
  if (faults.length === 0) effects.print(`✓ ${options.siteDir} is in order`);
  for (const warning of [...findWarnings(site, await loadDemoSite()), ...(await checkLogo(site))])
    effects.warn(`! ${writeCodedFault(warning, 'en')}`);
  const areLinesGood = !options.hasLines || (await checkLines(site, options, effects));
  return faults.length === 0 && areLinesGood ? 0 : 1;
}

async function findFolderFaults(dir: string): Promise<{ site?: Site; faults: readonly SiteFault[] }> {
  try {
    const { site, warnings } = await loadSite(dir);
    return { site, faults: [...warnings, ...(await checkQrImages(site, decodeQr))] };
  } catch (error) {
    if (error instanceof SiteError) return { faults: error.faults };
    throw error;
  }
}

async function checkLines(
  site: Site,
  { portal = publicOriginOf(site.config), caFile }: CheckOptions,
  { print, now }: CheckEffects,
): Promise<boolean> {
  const { marker, markerHeader } = site.config.lines;
  const expected = { marker, markerHeader, portal, now: now() };
  const lines = listLines(site, now());
  const settings = {
    now: () => performance.now(),
    origin: portal,
    secureContext: await loadSecureContext(caFile),
  };
  const client: LineClient = {
    askSpeed: (address) => requestLine(address, settings),
    askPage: (address) => requestLine(address, { ...settings, path: LANDING_PATH }),
    askApplication: createAskApplication(site.config.lines.health, (address, question) =>
      requestLine(address, { ...settings, ...question }),
    ),
    askStay: createAskStay((address, question) => requestLine(address, { ...settings, ...question })),
  };
  const limit = createLimit(MAX_ROWS);
  const checks = lines.map((line) => limit(() => checkLine(line, client, expected)));
  const format = createLineCheckFormat(lines);
  print(`\n${format.head}`);
  let faultyLines = 0;
  for (const checking of checks) {
    const checked = await checking;
    if (checked.faults.length > 0) faultyLines += 1;
    for (const row of format.describe(checked)) print(row);
  }
  if (portal === undefined && lines.some(({ addresses }) => addresses[0]?.startsWith('http:'))) {
    print('\nSome lines are http, which an https portal cannot reach: give --portal to have that checked.');
  }
  print(`\n${lines.length - faultyLines} of ${lines.length} lines are in order`);
  return faultyLines === 0;
}
