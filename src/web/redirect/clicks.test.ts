import { expect, test } from 'vitest';
import { findLine } from '../../engine/redirect/find-line.ts';
import type { FakeAnswer } from '../../engine/testing/create-fake-network.ts';
import { createFakeWorld } from '../../engine/testing/create-fake-world.ts';
import { createRandom } from '../../engine/testing/create-random.ts';
import { tenthOf } from '../../engine/testing/tenth-of.ts';
import { buildDestination } from '../kit/start/build-destination.ts';

const LINES = ['a.example', 'b.example', 'c.example', 'd.example'];
const BACKUPS = ['w.example', 'x.example', 'y.example', 'z.example'];
const SPRING = { path: '/promo/spring', query: { utm_source: 'channel' } };

/** What a line that dies, or that somebody else has taken over, does with a probe. */
const FAULTS: readonly FakeAnswer[] = [
  { isDown: true },
  { isHanging: true },
  { isUnreadable: true },
  { status: 502 },
  { headers: { server: 'somebody-else' } },
  { headers: {} },
];

test('10,000 clicks on a link while half of the lines die: none ends at a line that did not prove itself', async () => {
  const random = createRandom(38);
  const choose = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const ends = new Map<string, number>();
  for (let click = 0; click < tenthOf(10_000); click += 1) {
    const world = createFakeWorld(random);
    world.network.portal.set('/api/get_ip', { body: { get_ip: '192.0.2.7', key_id: 'signed' } });
    world.network.portal.set('/api/hostnames', { body: LINES, delayMs: random() * 100 });
    const dead = new Set([...LINES, ...BACKUPS].filter(() => random() < 0.5));
    for (const host of [...LINES, ...BACKUPS]) {
      const delayMs = 20 + random() * 300;
      world.network.lines.set(host, dead.has(host) ? { delayMs, ...choose(FAULTS) } : { delayMs });
    }
    const finding = findLine({
      ...world,
      prober: world.createProber(),
      fallback: BACKUPS,
      callerService: '',
      askLinks: () => Promise.resolve(),
      signal: new AbortController().signal,
    });
    await world.clock.advance(40_000);
    const found = await finding;
    if (found.kind !== 'found') {
      expect(dead.size).toBe(8);
      continue;
    }
    const { hostname, pathname, search } = new URL(buildDestination(found.line.address, SPRING));
    const host = [...LINES, ...BACKUPS].find((name) => hostname.endsWith(name)) ?? '';
    expect(dead.has(host), host).toBe(false);
    expect(pathname + search).toBe('/promo/spring?utm_source=channel');
    ends.set(host, (ends.get(host) ?? 0) + 1);
  }
  // All of them are entered, those of the list more often than the fallback hosts.
  expect(ends.size).toBe(8);
});
