import { beforeEach, describe, expect, test } from 'vitest';
import type {
  ConsoleLineDetail,
  ConsoleLines,
  ConsoleNetworks,
  ConsoleOverview,
  ConsoleWhy,
} from '../../contract/console.ts';
import { createSiteFiles } from '../testing/site-files.ts';
import { type TestConsole, createTestConsole } from '../testing/test-console.ts';

const AREA = '/203.0';
const WINDOW_MS = 10_000;

let console: TestConsole;
beforeEach(async () => {
  console = await createTestConsole();
});

/** This number of visitors try the first four lines and enter the second. The first answers only if it is up. */
async function visit(visitors: number, isFirstUp = true): Promise<void> {
  const { measurements, site, clock } = console.portal;
  const lineIds = site.lines.lines.map(({ id }) => id);
  for (let visitor = 0; visitor < visitors; visitor += 1) {
    measurements.countHandOut(lineIds);
    measurements.countReport({
      area: AREA,
      prefix: `198.51.${clock.now % 97}.${visitor}`,
      lineIds,
      results: lineIds.map((_, index) => ({
        index,
        outcome: index > 0 || isFirstUp ? 'valid' : 'timeout',
        time: 50 * (index + 1),
      })),
      entered: 1,
    });
  }
  // It looks once a second: before the window is over, and after.
  await measurements.foldWindows();
  clock.now += WINDOW_MS;
  await measurements.foldWindows();
}

describe('a server that has seen nothing yet', () => {
  test('says that it does not know, and never zero', async () => {
    const overview = await console.read<ConsoleOverview>('/api/console/overview');
    expect(overview.hour).toEqual({
      visitors: null,
      reports: null,
      entered: null,
      p50: null,
      p95: null,
      limited: 7,
    });
    expect(overview.lines).toEqual({ up: 0, degraded: 0, down: 0, unknown: 4, maintenance: 0 });
    const { lines } = await console.read<ConsoleLines>('/api/console/lines');
    expect(lines.map(({ role }) => role)).toEqual([...Array(4).fill('line'), ...Array(4).fill('backup')]);
    const unknown = { since: null, tried: null, reached: null, p50: null, failingNetworks: null };
    expect(lines[0]).toMatchObject({ status: 'unknown', ...unknown });
    expect(new Set(lines[0]?.reachedByMinute)).toEqual(new Set([null]));
    expect(await console.read<ConsoleNetworks>('/api/console/networks')).toMatchObject({
      known: 0,
      networks: [],
    });
    const why = await console.read<ConsoleWhy>('/api/console/why');
    expect([why.network, why.lines.length]).toEqual([null, 4]);
  });
});

describe('what visitors have measured', () => {
  test('is the overview’s, for the last hour', async () => {
    await visit(20);
    const overview = await console.read<ConsoleOverview>('/api/console/overview');
    expect(overview.hour).toMatchObject({ visitors: 20, reports: 20, entered: 20 });
    expect(overview.hour.p50).toBeGreaterThan(80);
    expect(overview.minutes.visitors.filter((value) => value !== null)).toEqual([20]);
    expect(overview).toMatchObject({
      lines: { up: 4, degraded: 0, down: 0, unknown: 0 },
      store: { kind: 'sqlite', isUp: true, rewoundAt: null },
      replicas: [{ name: 'host:1', isThis: true }],
      site: { version: 1, refusal: null },
    });
  });

  test('stands beside the state of the database, and for a day beside the time at which its history went back', async () => {
    const { now } = console.portal.clock;
    const readStore = async () => (await console.read<ConsoleOverview>('/api/console/overview')).store;
    console.database.current = { isUp: false, since: now - 5, rewoundAt: now - 86_399_999 };
    expect(await readStore()).toEqual({
      kind: 'sqlite',
      isUp: false,
      since: now - 5,
      rewoundAt: now - 86_399_999,
    });
    console.database.current = { isUp: true, since: now, rewoundAt: now - 86_400_000 };
    expect(await readStore()).toMatchObject({ isUp: true, rewoundAt: null });
  });

  test('turns a line that nobody reaches, in the table and in its network', async () => {
    await visit(20);
    console.portal.clock.now += 120_000;
    const brokenAt = console.portal.clock.now + WINDOW_MS;
    for (let window = 0; window < 3; window += 1) await visit(5, false);
    const [line, other] = (await console.read<ConsoleLines>('/api/console/lines')).lines;
    expect(line).toMatchObject({ status: 'down', judgedBy: 'visitors', failingNetworks: 1 });
    expect(other).toMatchObject({ failingNetworks: 0 });
    expect(Math.abs((line?.since ?? 0) - brokenAt)).toBeLessThan(60_000);
    const { networks } = await console.read<ConsoleNetworks>('/api/console/networks');
    expect(networks).toHaveLength(1);
    expect(networks[0]).toMatchObject({ name: AREA, failing: 1 });
    expect(networks[0]?.failingSince).toEqual([brokenAt, null, null, null]);
    await visit(30);
    const healed = await console.read<ConsoleNetworks>('/api/console/networks');
    expect(healed.networks[0]?.failingSince).toEqual([null, null, null, null]);
  });

  test('is what a line is shown by while the server reaches none', async () => {
    await visit(20);
    const before = (await console.read<ConsoleLines>('/api/console/lines')).lines[0];
    console.cutOff.current = 'visitors';
    const lost = { role: 'line', condition: 'down', seen: 'down', health: undefined } as const;
    const { now } = console.portal.clock;
    const times = { since: now, checkedAt: now, recoveredAt: undefined, settled: undefined, streak: 1 };
    for (const { id, host } of console.portal.site.lines.lines)
      console.probes.set(id, { host, addresses: [], ...lost, ...times });
    const { lines } = await console.read<ConsoleLines>('/api/console/lines');
    expect(lines[0]).toMatchObject({ status: 'up', judgedBy: 'visitors', isDoubted: false });
    // Not since the server lost it.
    expect(lines[0]?.since).toBe(before?.since);
    for (let window = 0; window < 15; window += 1) await visit(5, false);
    const [line] = (await console.read<ConsoleLines>('/api/console/lines')).lines;
    expect(line).toMatchObject({ status: 'down', judgedBy: 'visitors' });
  });

  test('fills the charts of a line, with its worst networks and the probe', async () => {
    await visit(10);
    const { site, clock } = console.portal;
    const id = site.lines.lines[0]?.id ?? '';
    const validTo = new Date(clock.now + 9.5 * 86_400_000);
    console.probes.set(id, {
      host: 'line1',
      role: 'line',
      condition: 'degraded',
      seen: 'degraded',
      health: undefined,
      since: 1,
      recoveredAt: undefined,
      settled: undefined,
      streak: 1,
      checkedAt: 2,
      addresses: [
        {
          address: 'https://line1.example:9900',
          reply: {
            kind: 'answer',
            status: 200,
            headers: {},
            timeMs: 12.3,
            certificate: { validTo, faultCode: undefined },
          },
          faults: [],
          pageFault: { kind: 'page-status', status: 404 },
        },
        {
          address: 'https://line1.example:5569',
          reply: { kind: 'timeout' },
          faults: [{ kind: 'timeout' }],
          pageFault: undefined,
        },
      ],
    });
    const detail = await console.read<ConsoleLineDetail>(`/api/console/lines/${id}`);
    expect(detail.history).toMatchObject({ tried: [10], reached: [10], handedOut: [10], visitors: [10] });
    expect(detail.networks).toMatchObject([{ network: AREA, reached: 10, lost: 0, failingSince: null }]);
    expect(detail.probe).toMatchObject({
      condition: 'degraded',
      faults: [
        { fault: { kind: 'page-status', status: 404 }, ports: [9900] },
        { fault: { kind: 'timeout' }, ports: [5569] },
      ],
      ports: 2,
      goodPorts: 1,
      timeMs: 12,
      certificate: { daysLeft: 9 },
    });
    expect((await console.ask('/api/console/lines/unheard-of')).status).toBe(404);
    // A minute in which all visitors were handed others counts, too.
    console.portal.clock.now += 60_000;
    console.portal.measurements.countHandOut([]);
    await console.portal.measurements.foldWindows();
    console.portal.clock.now += WINDOW_MS;
    await console.portal.measurements.foldWindows();
    const later = await console.read<ConsoleLineDetail>(`/api/console/lines/${id}`);
    expect(later.history).toMatchObject({ handedOut: [10, 0], visitors: [10, 1], tried: [10, 0] });
  });

  test('tells why: the score is the product of its parts, and everybody gets all of four lines', async () => {
    await visit(20, false);
    const { network, networks, lines } = await console.read<ConsoleWhy>(
      `/api/console/why?network=${encodeURIComponent(AREA)}`,
    );
    expect([network, networks]).toEqual([AREA, [AREA]]);
    for (const { timeMs, reachFactor, loadFactor, scoreMs } of lines) {
      expect(Math.abs(timeMs * reachFactor * loadFactor - scoreMs) / scoreMs).toBeLessThan(0.05);
    }
    expect(lines.map(({ chance }) => chance)).toEqual([1, 1, 1, 1]);
    expect(new Set(lines.map(({ reason }) => reason))).toEqual(new Set(['all']));
    expect(lines.at(-1)?.reach).toBeLessThan(0.3);
  });
});

test('a network that cannot be one is refused', async () => {
  expect((await console.ask('/api/console/why?network=nowhere')).status).toBe(400);
  expect((await console.ask('/api/console/why?network=GB/AS2856')).status).toBe(200);
});

test('a refused change of the site folder is shown with its reasons', async () => {
  console.siteRecord.current = {
    publishedAt: 1,
    refusal: {
      at: 2,
      faults: [{ code: 'missing-file', values: { fact: { kind: 'file-missing' } } }],
      correctedAt: undefined,
    },
  };
  expect((await console.read<ConsoleOverview>('/api/console/overview')).site).toEqual({
    version: 1,
    hash: 'abc',
    publishedAt: 1,
    refusal: {
      at: 2,
      faults: [{ code: 'missing-file', sentences: { en: 'the file is missing', 'zh-CN': '缺少此文件' } }],
      correctedAt: null,
    },
  });
});

test('the site has the name that its brand has in each language of the console', async () => {
  const files = await createSiteFiles((config) => {
    Object.assign(config['brand'] as object, { name: { default: '北辰', en: 'Polaris' } });
  });
  const { siteNames } = await (
    await createTestConsole({ files })
  ).read<ConsoleOverview>('/api/console/overview');
  expect(siteNames).toEqual({ en: 'Polaris', 'zh-CN': '北辰' });
});

test('the events begin with the overview', async () => {
  const { status, text } = await console.ask('/api/console/events');
  expect([status, text]).toEqual([
    200,
    expect.stringMatching(/^event: overview\ndata: \{"at":\d+,"version":1,/),
  ]);
});
