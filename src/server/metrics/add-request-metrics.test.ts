import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addRequestMetrics } from './add-request-metrics.ts';
import { addTalliedCounter } from './add-tallied-counter.ts';

test('the histogram reads as the library’s own does', async () => {
  const tallied = new Registry();
  const countRequest = addRequestMetrics(tallied);
  const usual = new Registry();
  const histogram = new Histogram({
    name: 'waypost_request_seconds',
    help: 'Time from a request to its answer, by route.',
    labelNames: ['route'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [usual],
  });
  for (const [route, seconds] of [
    ['/', 0],
    ['/', 0.0005],
    ['/', 0.00051],
    ['/r', 5],
    ['/r', 5.5],
  ] as const) {
    countRequest(route, 200, seconds);
    histogram.labels(route).observe(seconds);
  }
  const [, ownText] = (await tallied.metrics()).split('\n\n');
  expect(ownText?.trim()).toBe((await usual.metrics()).trim());
});

test('what is counted is read as often as one likes', async () => {
  const registry = new Registry();
  const countRequest = addRequestMetrics(registry);
  const count = addTalliedCounter(registry, { name: 'drawn_total', help: 'Drawn.', labelName: 'line' });
  for (const status of [200, 404, 200]) countRequest('/', status, 0.001);
  count('a.example');
  for (let reading = 0; reading < 2; reading += 1) {
    const text = await registry.metrics();
    expect(text).toContain('waypost_requests_total{route="/",status="200"} 2');
    expect(text).toContain('waypost_requests_total{route="/",status="404"} 1');
    expect(text).toContain('waypost_request_seconds_count{route="/"} 3');
    expect(text).toContain('drawn_total{line="a.example"} 1');
  }
});
