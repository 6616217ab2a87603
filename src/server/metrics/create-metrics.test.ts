import { expect, test } from 'vitest';
import { createMetrics } from './create-metrics.ts';

test('what was counted of a line goes with the line, and what was counted of the others stays', async () => {
  const metrics = createMetrics();
  for (const host of ['gone.example', 'stays.example']) {
    metrics.countHandedOut(host);
    metrics.countResult(host, 'valid');
    metrics.countResult(host, 'timeout');
    metrics.countProbe(host, true);
    metrics.countProbe(host, false);
    metrics.setLineState(host, 'line', { isUp: true, hasPage: true });
  }
  await metrics.setSite({ version: 2, hash: 'abc', hosts: ['stays.example'] });
  const text = await metrics.registry.metrics();
  expect(text).not.toContain('gone.example');
  expect(text.match(/line="stays\.example"/g)).toHaveLength(7);
});

test('20 versions with 1,000 other lines each leave no more series than one', async () => {
  const metrics = createMetrics();
  for (let version = 1; version <= 20; version += 1) {
    const hosts = Array.from({ length: 1_000 }, (_, index) => `line${index}.v${version}.example`);
    await metrics.setSite({ version, hash: `v${version}`, hosts });
    for (const host of hosts) metrics.countHandedOut(host);
  }
  expect((await metrics.registry.metrics()).match(/\{line="/g)).toHaveLength(1_000);
});
