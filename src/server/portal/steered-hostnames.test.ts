import { describe, expect, test, vi } from 'vitest';
import { createRandom } from '../../engine/testing/create-random.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { type TestPortal, createTestPortal } from '../testing/test-portal.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const VISITORS = 300;

/** A portal with eight lines, of which the first has this weight. */
async function openPortal(
  steering: string,
  weight = 1,
  lineChanges: object = {},
  changes: object = {},
): Promise<TestPortal> {
  const hosts = NAMES.map((name) => ({ host: `${name}.example`, weight: name === 'a' ? weight : 1 }));
  const files = await createSiteFiles((config) => {
    Object.assign(config.lines as object, { hosts, steering, ...lineChanges });
    Object.assign(config, { limits: { apiPerMinute: 100_000, reportsPerNetwork: 100_000 }, ...changes });
  });
  return createTestPortal({ files, random: createRandom(11) });
}

/** Lets visitors of one area come, who measure and report. Returns the part of them that was handed line a. */
async function visit(portal: TestPortal, { isAReached }: { readonly isAReached: boolean }): Promise<number> {
  let handedA = 0;
  for (let visitor = 0; visitor < VISITORS; visitor += 1) {
    const from = `203.0.${visitor % 250}.${1 + Math.floor(visitor / 250)}`;
    const { text, headers } = await portal.ask('/api/hostnames', { from });
    const hosts = JSON.parse(text) as string[];
    const results = hosts.map((host, index) => {
      if (host !== 'a.example') return { index, outcome: 'valid', time: 200 };
      return isAReached ? { index, outcome: 'valid', time: 20 } : { index, outcome: 'timeout', time: 99_999 };
    });
    const entered = Math.max(0, hosts.indexOf('a.example'));
    const report = { ticket: headers['waypost-ticket'], results, entered };
    const answer = await portal.ask('/api/measurements', {
      method: 'POST',
      from,
      body: JSON.stringify(report),
    });
    expect(answer.status).toBe(204);
    if (hosts.includes('a.example')) handedA += 1;
    if (visitor % 20 === 19) {
      // A window of counts has ended.
      portal.clock.now += 10_000;
      await portal.measurements.foldWindows();
    }
  }
  return handedA / VISITORS;
}

describe('steering "uniform"', () => {
  test('hands every line to half of the visitors, four of eight, whatever they measured', async () => {
    // 0.5 expected, with a standard deviation of 0.02.
    const drawn = await visit(await openPortal('uniform'), { isAReached: false });
    expect(Math.abs(drawn - 0.5)).toBeLessThan(0.1);
    expect(await visit(await openPortal('measured'), { isAReached: false })).toBeLessThan(0.3);
  });

  test('draws a line of weight 3 like three lines', async () => {
    const drawn = await visit(await openPortal('uniform', 3), { isAReached: true });
    // It is not drawn by 7/10 · 6/9 · 5/8 · 4/7 = 1/6 of the visitors.
    expect(Math.abs(drawn - 5 / 6)).toBeLessThan(0.06);
  });
});

describe('steering "measured"', () => {
  test('hands the best line to nearly everyone where its weight says that it can carry them', async () => {
    const light = await visit(await openPortal('measured', 1), { isAReached: true });
    const heavy = await visit(await openPortal('measured', 30), { isAReached: true });
    expect(heavy).toBeGreaterThan(0.95);
    expect(light).toBeLessThan(heavy - 0.1);
  });
});

describe('load', () => {
  test('counts ten visits of one /24 or /48 in two minutes, with or without a proof of another address', async () => {
    const portal = await openPortal('measured');
    const countHandOut = vi.spyOn(portal.measurements, 'countHandOut');
    const loadOf = async (prefix: string): Promise<number> => {
      countHandOut.mockClear();
      for (let visit = 1; visit <= 30; visit += 1) {
        const address = `${prefix}${visit}`;
        const { get_ip, key_id } = JSON.parse((await portal.ask('/api/get_ip', { from: address })).text);
        const headers = { RealUserAddr: get_ip, RealUserID: key_id };
        await portal.ask('/api/hostnames', { from: `${prefix}99`, headers });
      }
      return countHandOut.mock.calls.filter(([, parts]) => parts !== undefined).length;
    };
    expect(await loadOf('203.0.113.')).toBe(10);
    expect(await loadOf('203.0.113.')).toBe(0);
    expect(await loadOf('203.0.114.')).toBe(10);
    expect(await loadOf('2001:db8:1:2::')).toBe(10);
    expect(await loadOf('2001:db8:1:3::')).toBe(0);
    portal.clock.now += 119_999;
    expect(await loadOf('203.0.113.')).toBe(0);
    portal.clock.now += 1;
    expect(await loadOf('203.0.113.')).toBe(10);
  });
});

describe('the favourite', () => {
  /** The host that the answer names, `none` if it names none, for a hundred visitors. */
  async function askFavourites(portal: TestPortal): Promise<ReadonlySet<string>> {
    const named = new Set<string>();
    for (let visitor = 0; visitor < 100; visitor += 1) {
      const { text, headers } = await portal.ask('/api/hostnames', { from: '203.0.113.7' });
      const hosts = JSON.parse(text) as readonly string[];
      const place = headers['waypost-favourite'];
      named.add(place === undefined ? 'none' : `${hosts[Number(place)]} of ${hosts.includes('a.example')}`);
    }
    return named;
  }

  test('is nobody until visitors have measured', async () => {
    expect(await askFavourites(await openPortal('measured', 30))).toEqual(new Set(['none']));
  });

  test('is the line that is far faster than the others, wherever it is in the list', async () => {
    const portal = await openPortal('measured', 30);
    await visit(portal, { isAReached: true });
    expect(await askFavourites(portal)).toEqual(new Set(['a.example of true']));
  });

  test('is nobody where three lines are equally fast, and one does not answer', async () => {
    const portal = await openPortal('measured', 30);
    await visit(portal, { isAReached: false });
    expect(await askFavourites(portal)).toEqual(new Set(['none']));
  });

  test('is named by a document that carries its start, too', async () => {
    const portal = await openPortal('measured', 30, {}, { start: 'inline' });
    await visit(portal, { isAReached: true });
    expect((await portal.ask('/r', { from: '203.0.113.7' })).text).toContain('"Waypost-Favourite":"');
  });

  test.each([
    ['lines are handed out by weight alone', 'uniform', {}],
    ['the site folder says that nothing is fetched ahead', 'measured', { prefetch: 'off' }],
  ])('is nobody where %s', async (_, steering, changes) => {
    const portal = await openPortal(steering, 30, changes);
    await visit(portal, { isAReached: true });
    expect(await askFavourites(portal)).toEqual(new Set(['none']));
  });
});

describe('maintenance', () => {
  const SOON = '2026-01-05T12:10:00Z';
  const LATER = '2026-01-05T12:20:00Z';

  /** A portal at 12:00 whose lines, by their names, are in these maintenances. */
  async function openMaintained(
    windows: Readonly<Record<string, object>>,
    changes: object = {},
    steering = 'measured',
  ): Promise<TestPortal> {
    const hosts = NAMES.map((name) => ({
      host: `${name}.example`,
      ...(windows[name] && { maintenance: [{ ...windows[name], reason: 'new disks' }] }),
    }));
    return openPortal(steering, 1, { hosts }, changes);
  }

  /** Every host that a hundred visitors are handed. */
  async function askAll(portal: TestPortal, url = '/api/hostnames'): Promise<ReadonlySet<string>> {
    const named = new Set<string>();
    for (let visitor = 0; visitor < 100; visitor += 1) {
      const { text } = await portal.ask(url, { from: `203.0.113.${visitor}` });
      for (const [host] of text.matchAll(/\b[a-h]\.example\b/g)) named.add(host);
    }
    return named;
  }

  test.each(['measured', 'uniform'])(
    'takes a line out, with steering "%s", for its time only',
    async (mode) => {
      const portal = await openMaintained({ a: { from: SOON, until: LATER }, b: {} }, {}, mode);
      expect((await askAll(portal)).has('a.example')).toBe(true);
      portal.clock.now = Date.parse(SOON);
      const during = await askAll(portal);
      expect([...during].toSorted()).toEqual(NAMES.slice(2).map((name) => `${name}.example`));
      portal.clock.now = Date.parse(LATER);
      expect((await askAll(portal)).has('a.example')).toBe(true);
    },
  );

  test('of all lines but two hands out these two, although they are down; of all lines it hands out none', async () => {
    const all = Object.fromEntries(NAMES.map((name) => [name, {}]));
    const { g: _g, h: _h, ...others } = all;
    const portal = await openMaintained(others);
    portal.steering.setDown(new Set(portal.site.lines.lines.map(({ id }) => id)));
    expect(await askAll(portal)).toEqual(new Set(['g.example', 'h.example']));
    const closed = await openMaintained(all);
    const { status, text, headers } = await closed.ask('/api/hostnames');
    expect([status, text]).toEqual([200, '[]']);
    expect(headers['waypost-ticket']).toBeDefined();
  });

  test('of a line holds for a document that carries its start, too', async () => {
    const portal = await openMaintained({ a: {} }, { start: 'inline' });
    const handed = await askAll(portal, '/r');
    expect([handed.has('a.example'), handed.has('b.example')]).toEqual([false, true]);
  });

  test('of the whole site changes nothing of what visitors are handed', async () => {
    const portal = await openMaintained({}, { maintenance: [{ reason: 'new disks' }] });
    expect((await askAll(portal)).size).toBe(8);
  });
});
