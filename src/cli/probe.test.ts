import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeSiteFolder } from '../../e2e/support/make-site-folder.ts';
import type { LineBehaviour } from '../line/line-behaviour.ts';
import { startLineHosts } from '../line/start-line-hosts.ts';
import { UsageError } from './command.ts';
import { probe, type ProbeOptions, runProbe } from './probe.ts';

const MARKER = 'waypost-test';
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

it('prints the lines, the fastest first and the failed last', async () => {
  const siteDir = await makeLines({
    'line1.localhost': { delayMs: 250 },
    'backup1.localhost': { delayMs: 20 },
    'backup2.localhost': { fault: 'refuse' },
    'backup3.localhost': { fault: 'wrong-marker' },
    'backup4.localhost': { fault: 'redirect' },
  });
  const { status, output } = await run({ siteDir });
  expect(status).toBe(0);
  expect(output.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([
    ['LINE', 'TIME', 'BEST'],
    ['http://backup1.localhost', 'backup', expect.stringMatching(/^\d+ms$/)],
    ['http://line1.localhost', 'line', expect.stringMatching(/^\d+ms$/)],
    ['http://backup2.localhost', 'backup', 'unreachable'],
    ['http://backup3.localhost', 'backup', 'wrong-server'],
    ['http://backup4.localhost', 'backup', 'wrong-server'],
  ]);
});

it('prints JSON for scripts, with the time and cause of the seed', async () => {
  const siteDir = await makeLines({ 'backup4.localhost': { fault: 'error' } });
  const { output } = await run({ siteDir, isJson: true, runs: 3 });
  const measurements = JSON.parse(output.join('\n'));
  expect(measurements).toHaveLength(5);
  expect(measurements[0]).toMatchObject({ time: expect.any(Number), runs: 3, failed: 0 });
  expect(measurements[0].address).toMatch(/^http:\/\/www\d+\.\w+\.localhost:\d+$/);
  expect(measurements[4]).toEqual({
    host: 'http://backup4.localhost',
    role: 'backup',
    address: expect.any(String),
    time: 99_999,
    best: 99_999,
    worst: 99_999,
    runs: 3,
    failed: 3,
    cause: 'wrong-server',
    reason: 'answers with status 500',
  });
});

it('says why a page would not take a line that answers', async () => {
  const siteDir = await makeLines({ 'line1.localhost': { fault: 'not-exposed' } });
  const { output } = await run({ siteDir });
  expect(output.at(-1)).toMatch(
    /^http:\/\/line1.localhost +line +wrong-server .* it does not let a page read its marker$/,
  );
});

it('says that the application behind a line is dead, although the line is fast', async () => {
  const health = { path: '/health' };
  const siteDir = await makeLines({ 'line1.localhost': { fault: 'dead-application' } }, { health });
  const { status, output } = await run({ siteDir });
  expect(status).toBe(0);
  expect(output.find((row) => row.includes('line1'))).toMatch(
    /^http:\/\/line1.localhost +line +\d+ms .* it has an application that fails its health check: \/health answers 503$/,
  );
});

it('shows every run as it ends, and clears the line at the end', async () => {
  const siteDir = await makeLines({});
  const { progress } = await run({ siteDir, runs: 2 });
  expect(progress).toHaveLength(11);
  expect(progress[0]).toMatch(/^1 of 10: http:\/\/\w+\.localhost \d+ms$/);
  expect(progress[9]).toMatch(/^10 of 10: /);
  expect(progress[10]).toBe('');
});

it('ends with status 1 where no line is valid', async () => {
  const siteDir = await makeSite({ marker: 'another' });
  expect(await run({ siteDir })).toMatchObject({ status: 1 });
});

it('sends the operator of a broken site folder to waypost check, in one line', async () => {
  const siteDir = await makeSite({ marker: 7, ports: [0] });
  await expect(run({ siteDir })).rejects.toThrow(
    `the site folder has faults: waypost check --site ${siteDir} names them`,
  );
});

it.each(['0', '1.5', 'x', '1001'])('refuses --runs %s', async (runs) => {
  await expect(probe.run(['--runs', runs])).rejects.toThrow(
    new UsageError(`--runs must be a whole number from 1 to 1000, got "${runs}"`),
  );
});

async function run(options: Partial<ProbeOptions>): Promise<{
  readonly status: number;
  readonly output: readonly string[];
  readonly progress: readonly string[];
}> {
  const output: string[] = [];
  const progress: string[] = [];
  const status = await runProbe(
    { siteDir: 'site', runs: 1, isJson: false, caFile: undefined, ...options },
    {
      print: (text) => output.push(text),
      showProgress: (text) => progress.push(text),
      random: Math.random,
      now: Date.now,
    },
  );
  return { status, output, progress };
}

async function makeLines(
  behaviours: Readonly<Record<string, LineBehaviour>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const hosts = await startLineHosts({ marker: MARKER, ports: [0, 0] });
  closing.push(hosts.close);
  for (const [hostname, behaviour] of Object.entries(behaviours)) hosts.set(hostname, behaviour);
  return makeSite({ ports: hosts.ports, ...settings });
}

async function makeSite(lines: Readonly<Record<string, unknown>>): Promise<string> {
  const fallback = [1, 2, 3, 4].map((number) => `http://backup${number}.localhost`);
  const { dir, remove } = await makeSiteFolder({
    site: { lines: { marker: MARKER, hosts: ['http://line1.localhost'], fallback, ...lines } },
  });
  closing.push(remove);
  await rm(join(dir, 'json/urls/localhost.json'));
  return dir;
}
