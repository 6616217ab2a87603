import { parseArgs } from 'node:util';
import { FAILED_TIME_MS, MAX_ROWS } from '../contract/limits.ts';
import { publicOriginOf } from '../contract/site/site-config.ts';
import type { SpeedResult } from '../contract/api/speed-result.ts';
import { createAskApplication } from '../engine/line/create-ask-application.ts';
import { requestLine } from '../line/request-line.ts';
import { loadSite, SiteError } from '../server/site/load-site.ts';
import type { Site } from '../server/site/parse-site.ts';
import { type Command, CommandError, UsageError, createSiteOption } from './command.ts';
import { listLines } from '../server/lines/check/list-lines.ts';
import { type Measurement, measureLine } from './probe/measure-line.ts';
import { createLimit } from '../contract/create-limit.ts';
import { loadSecureContext } from './read-pem.ts';

const DEFAULT_RUNS = 3;
const MAX_RUNS = 1000;
/** Between two columns. */
const GAP = '  ';

/** `waypost probe`: how fast the lines answer from here. */
export const probe: Command = {
  help: `Usage: waypost probe [--site DIR] [--runs N] [--json] [--ca FILE]

Probes every line, backup and /t address of a site as a page would, at one of its ports, and prints what it
measured, fastest first: the time from the start of a new connection to the headers of the answer.

  --site DIR   the site folder (default: WAYPOST_SITE, or ./site)
  --runs N     how often each is probed (default: ${DEFAULT_RUNS}); TIME is the median
  --json       print JSON; a time of ${FAILED_TIME_MS} means failed; "cause" is what a page would
               call it, "reason" says why
  --ca FILE    a certificate authority to trust beside the usual ones (PEM)

Exit status: 0 if any line is valid, 1 if none is. "waypost check" says how to correct a line.

Example: waypost probe --site ./site --runs 5`,
  run: async (args) =>
    runProbe(readOptions(args, process.env), {
      print: console.log,
      showProgress: process.stderr.isTTY
        ? (text) => void process.stderr.write(`\r\u001b[K${text}`)
        : undefined,
      random: Math.random,
      now: Date.now,
    }),
};

export type ProbeOptions = {
  readonly siteDir: string;
  readonly runs: number;
  readonly isJson: boolean;
  readonly caFile: string | undefined;
};

type ProbeEffects = {
  readonly print: (text: string) => void;
  /** Replaces the last text on the terminal. Undefined if there is no terminal. */
  readonly showProgress: ((text: string) => void) | undefined;
  readonly random: () => number;
  /** Ms since 1970. */
  readonly now: () => number;
};

function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): ProbeOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      site: createSiteOption(env),
      runs: { type: 'string', default: String(DEFAULT_RUNS) },
      json: { type: 'boolean', default: false },
      ca: { type: 'string' },
    },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1 || runs > MAX_RUNS) {
    throw new UsageError(`--runs must be a whole number from 1 to ${MAX_RUNS}, got "${values.runs}"`);
  }
  return { siteDir: values.site, runs, isJson: values.json, caFile: values.ca };
}

/** Measures the lines of a site, prints them, and resolves with the exit status. */
export async function runProbe(options: ProbeOptions, effects: ProbeEffects): Promise<number> {
  const { print, showProgress, random, now } = effects;
  const site = await loadWorkingSite(options.siteDir);
  const lines = listLines(site, now());
  const secureContext = await loadSecureContext(options.caFile);
  const portal = publicOriginOf(site.config);
  const total = lines.length * options.runs;
  let done = 0;
  const settings = {
    ...site.config.lines,
    runs: options.runs,
    random,
    portal,
    request: (address: string) =>
      requestLine(address, { now: () => performance.now(), origin: portal, secureContext }),
    askApplication: createAskApplication(site.config.lines.health, (address, question) =>
      requestLine(address, { now: () => performance.now(), secureContext, ...question }),
    ),
    onRun: (result: SpeedResult) => {
      done += 1;
      showProgress?.(`${done} of ${total}: ${result.host} ${result.cause ?? `${result.time}ms`}`);
    },
  };
  const limit = createLimit(MAX_ROWS);
  const measuring = lines.map((line) => limit(() => measureLine(line, settings)));
  const measured = await Promise.all(measuring);
  // Failed ones come last, because their time is the longest.
  const measurements = measured.toSorted((a, b) => a.time - b.time);
  showProgress?.('');
  if (options.isJson) print(JSON.stringify(measurements, undefined, 2));
  else for (const row of describeMeasurements(measurements)) print(row);
  return measurements.some(({ time }) => time !== FAILED_TIME_MS) ? 0 : 1;
}

async function loadWorkingSite(dir: string): Promise<Site> {
  try {
    const { site } = await loadSite(dir);
    return site;
  } catch (error) {
    if (!(error instanceof SiteError) || error.faults[0]?.code === 'missing-folder') throw error;
    const message = `the site folder has faults: waypost check --site ${dir} names them`;
    throw new CommandError({ code: 'site', message }, { cause: error });
  }
}

function describeMeasurements(measurements: readonly Measurement[]): readonly string[] {
  return formatTable([
    ['LINE', '', 'TIME', 'BEST', 'WORST', 'FAILED', 'ADDRESS', ''],
    ...measurements.map(({ host, role, time, best, worst, failed, runs, cause, reason, address }) => [
      host,
      role,
      time === FAILED_TIME_MS ? (cause ?? 'failed') : `${time}ms`,
      best === FAILED_TIME_MS ? '-' : `${best}ms`,
      worst === FAILED_TIME_MS ? '-' : `${worst}ms`,
      failed === 0 ? '-' : `${failed}/${runs}`,
      address,
      reason === undefined ? '' : `it ${reason}`,
    ]),
  ]);
}

/** Pads cells so that each column is as wide as its widest cell. */
function formatTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}
