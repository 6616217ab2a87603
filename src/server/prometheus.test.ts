import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { drawFreePorts } from '../line/find-free-ports.ts';
import type { RunningServer } from './main.ts';
import { createMetrics } from './metrics/create-metrics.ts';
import { addProcessMetrics } from './metrics/process-metrics.ts';
import { LOOPBACK, startTestServer } from './testing/start-test-server.ts';

const DEPLOY = fileURLToPath(new URL('../../deploy/prometheus', import.meta.url));
const RULES = join(DEPLOY, 'waypost-rules.yml');
const HANDBOOK = fileURLToPath(new URL('../../docs/operate.md', import.meta.url));
const PROMETHEUS = '/usr/bin/prometheus';

test.each(['waypost-rules.yml', 'grafana-dashboard.json'])(
  '%s names only metrics that there are',
  async (file) => {
    const { registry } = createMetrics();
    addProcessMetrics(registry);
    const known = new Set(registry.getMetricsAsArray().map(({ name }) => name));
    const text = await readFile(join(DEPLOY, file), 'utf8');
    const named = [...text.matchAll(/\b(?:waypost|process)_[a-z_]+/g)].map(([name]) =>
      name.replace(/_bucket$/, ''),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  },
);

test('each failure that the handbook reads from a metric has a rule', async () => {
  const handbook = await readFile(HANDBOOK, 'utf8');
  const [, table = ''] = /## When something fails\n(.*?)\n## /s.exec(handbook) ?? [];
  const named = [...new Set([...table.matchAll(/`(waypost_[a-z_]+)`/g)].map(([, name = '']) => name))];
  expect(named).toContain('waypost_recordings_fault');
  const rules = await readFile(RULES, 'utf8');
  expect(named.filter((name) => !rules.includes(name))).toEqual([]);
});

// `npm test` installs Prometheus; `npm run check` makes do without.
describe.runIf(existsSync(PROMETHEUS))('with a real Prometheus', { timeout: 60_000 }, () => {
  let dir = '';
  let portal: RunningServer | undefined;
  let prometheus: ChildProcess | undefined;

  afterAll(async () => {
    if (prometheus?.exitCode === null) {
      prometheus.kill();
      await once(prometheus, 'exit');
    }
    await portal?.close();
    await rm(dir, { recursive: true, force: true });
  });

  test('the rules do what their own tests say', async () => {
    const { stdout } = await promisify(execFile)('promtool', [
      'test',
      'rules',
      join(DEPLOY, 'check-waypost-rules.yml'),
    ]);
    expect(stdout).toContain('SUCCESS');
  });

  test('it reads a portal, and evaluates every rule', async () => {
    dir = await mkdtemp(join(tmpdir(), 'waypost-prometheus-'));
    portal = await startTestServer({ dataDir: join(dir, 'data') });
    const shipped = await readFile(join(DEPLOY, 'prometheus.yml'), 'utf8');
    const config = shipped
      .replaceAll('15s', '1s')
      .replace('[waypost-rules.yml]', JSON.stringify([RULES]))
      .replace(/targets: .*/, `targets: ['${new URL(portal.opsUrl).host}']`);
    await writeFile(join(dir, 'prometheus.yml'), config);
    const [port = 0] = await drawFreePorts(1);
    const options = {
      'config.file': join(dir, 'prometheus.yml'),
      'storage.tsdb.path': join(dir, 'tsdb'),
      'web.listen-address': `${LOOPBACK}:${port}`,
    };
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    prometheus = spawn(PROMETHEUS, args, { stdio: 'ignore' });
    const ask = async <T>(path: string): Promise<T> =>
      ((await (await fetch(`http://${LOOPBACK}:${port}/api/v1/${path}`)).json()) as { data: T }).data;
    type Rules = {
      readonly groups: readonly { readonly rules: readonly { name: string; health: string }[] }[];
    };
    type Found = { readonly result: readonly { readonly value: readonly [number, string] }[] };
    await vi.waitFor(
      async () => {
        const { result } = await ask<Found>(`query?query=${encodeURIComponent('up{job="waypost"}')}`);
        expect(result.map(({ value }) => value[1])).toEqual(['1']);
        const rules = (await ask<Rules>('rules')).groups.flatMap((group) => group.rules);
        expect(rules).toHaveLength(17);
        expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
      },
      { timeout: 30_000, interval: 200 },
    );
    const stores = await ask<Found>('query?query=waypost_database_up');
    expect(stores.result.map(({ value }) => value[1])).toEqual(['1']);
  });
});
