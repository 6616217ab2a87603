import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type {
  ConsoleLineDetail,
  ConsoleLines,
  ConsoleOverview,
  ConsoleWhy,
} from '../../../contract/console.ts';
import type { LineState } from '../../lines/line-state.ts';
import { createSiteFiles } from '../../testing/site-files.ts';
import { type TestConsole, createTestConsole } from '../../testing/test-console.ts';
import { describeOverview } from '../overview/describe-overview.ts';
import { keepLineStates } from './keep-line-states.ts';
import { createLineStateLog } from './create-line-state-log.ts';

let console: TestConsole;
let logged: Record<string, unknown>[];
let logChanges: () => void;

beforeEach(async () => {
  console = await createTestConsole();
  logged = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line: string) => logged.push(JSON.parse(line)) },
  );
  logChanges = createLineStateLog({ sources: console.sources, states: keepLineStates(), log });
});

/** Puts down what the server's own probe has seen of the first line or the first backup. */
function see(
  role: LineState['role'],
  condition: LineState['condition'],
  more: Partial<LineState> = {},
): string {
  const { lines, backups } = console.portal.site.lines;
  const line = role === 'line' ? lines[0] : backups[0];
  const { now } = console.portal.clock;
  const faults = condition === 'down' ? [{ kind: 'not-exposed' as const, header: 'server' }] : [];
  console.probes.set(line?.id ?? '', {
    host: line?.host ?? '',
    role,
    condition,
    seen: condition,
    health: undefined,
    since: now,
    recoveredAt: undefined,
    settled: undefined,
    streak: 1,
    checkedAt: now,
    addresses: [
      { address: 'https://a.example:9900', reply: { kind: 'timeout' }, faults, pageFault: undefined },
    ],
    ...more,
  });
  return line?.host ?? '';
}

test('a line that goes down and comes back is one log line each, with its cause and since when', () => {
  const host = see('line', 'up');
  logChanges();
  const since = new Date(console.portal.clock.now).toISOString();
  see('line', 'down');
  logChanges();
  logChanges();
  see('line', 'up', { recoveredAt: console.portal.clock.now });
  logChanges();
  expect(logged).toEqual([
    {
      level: 40,
      line: host,
      by: 'probe',
      since,
      cause: 'does not let a page read its marker',
      msg: 'line down',
    },
    { level: 30, line: host, by: 'probe', since, msg: 'line up' },
  ]);
});

test('so is a backup, also where it is down from the start, and a page that is missing', () => {
  const backup = see('backup', 'down');
  const address = { address: 'https://a.example:9900', reply: { kind: 'timeout' as const }, faults: [] };
  const host = see('line', 'degraded', {
    addresses: [
      { ...address, pageFault: { kind: 'page-status', status: 404 } },
      { ...address, address: 'https://a.example:5569', pageFault: undefined },
    ],
  });
  logChanges();
  expect(logged).toMatchObject([
    {
      msg: 'line degraded',
      line: host,
      cause: 'answers the speed check, but its page answers 404 (9900)',
    },
    { msg: 'backup down', line: backup },
  ]);
});

test('the console counts a backup that is down, and shows it as one', async () => {
  const host = see('backup', 'down');
  const overview = await console.read<ConsoleOverview>('/api/console/overview');
  expect(overview.lines).toEqual({ up: 0, degraded: 0, down: 0, unknown: 4, maintenance: 0 });
  expect(overview.backups).toEqual({ up: 0, degraded: 0, down: 1, unknown: 3, maintenance: 0 });
  const { lines } = await console.read<ConsoleLines>('/api/console/lines');
  expect(lines.find((line) => line.host === host)).toMatchObject({
    role: 'backup',
    status: 'down',
    faults: [{ fault: { kind: 'not-exposed', header: 'server' }, ports: [] }],
  });
});

test('while the server reaches no line, nothing is said of those that no visitor has tried', async () => {
  const host = see('line', 'down');
  see('backup', 'down');
  console.cutOff.current = 'visitors';
  logChanges();
  expect(logged).toEqual([]);
  const overview = await console.read<ConsoleOverview>('/api/console/overview');
  expect(overview).toMatchObject({
    cutOff: 'visitors',
    lines: { down: 0, unknown: 4 },
    backups: { down: 0, unknown: 4 },
    replicas: [{ isThis: true, isCutOff: true }],
  });
  const line = (await console.read<ConsoleLines>('/api/console/lines')).lines.find(
    (each) => each.host === host,
  );
  expect(line).toMatchObject({ status: 'unknown', judgedBy: null, isDoubted: true, since: null });
  console.cutOff.current = undefined;
  expect(await console.read<ConsoleOverview>('/api/console/overview')).toMatchObject({
    cutOff: null,
    lines: { down: 1, unknown: 3 },
    replicas: [{ isCutOff: false }],
  });
});

test('a replica is shown as cut off unless what it sees is believed', () => {
  const lines = { isCutOff: true, down: [], dead: [] };
  const [self] = console.sources.replicas.replicas();
  if (self === undefined) throw new Error('no replica');
  const replicas = {
    replicas: () => [
      { ...self, lines },
      { ...self, lines, isThis: false },
    ],
  };
  const listCutOff = (cutOff: 'visitors' | undefined) => {
    console.cutOff.current = cutOff;
    return describeOverview({ ...console.sources, replicas }, 1).replicas.map(({ isCutOff }) => isCutOff);
  };
  expect(listCutOff('visitors')).toEqual([true, true]);
  // All lines answer, but with a wrong marker: they are down.
  expect(listCutOff(undefined)).toEqual([false, false]);
  // This one reaches some.
  const well = { ...replicas, replicas: () => [self, { ...self, lines, isThis: false }] };
  expect(describeOverview({ ...console.sources, replicas: well }, 1).replicas[1]?.isCutOff).toBe(true);
});

test('while the other replicas are believed, a line is as they see it', async () => {
  see('line', 'down');
  see('backup', 'up', { seen: 'down' });
  console.cutOff.current = 'replicas';
  const { lines } = await console.read<ConsoleLines>('/api/console/lines');
  const known = lines.filter(({ status }) => status !== 'unknown');
  expect(known.map(({ role, status, judgedBy }) => [role, status, judgedBy])).toEqual([
    ['line', 'down', 'replicas'],
    ['backup', 'up', 'replicas'],
  ]);
  // Its own probe is shown as it is.
  const { probe } = await console.read<ConsoleLineDetail>(`/api/console/lines/${known[1]?.id}`);
  expect(probe?.condition).toBe('down');
});

test('a line in maintenance is shown as such while it lasts, although it is down, and logged once', async () => {
  const until = '2026-01-05T13:00:00Z';
  console = await createTestConsole({
    files: await createSiteFiles((config) => {
      const lines = config.lines as { hosts: string[] };
      const [host, ...others] = lines.hosts;
      const maintenance = [{ from: '2026-01-05T11:00:00Z', until, reason: 'new disks' }];
      Object.assign(lines, { hosts: [{ host, maintenance }, ...others] });
      Object.assign(config, { maintenance: [{ until, reason: 'moving house' }] });
    }),
  });
  const log = pino({ base: null }, { write: (line: string) => logged.push(JSON.parse(line)) });
  logChanges = createLineStateLog({ sources: console.sources, states: keepLineStates(), log });
  const host = see('line', 'down');
  logChanges();
  const findLine = async () =>
    (await console.read<ConsoleLines>('/api/console/lines')).lines.find((line) => line.host === host);
  expect(await findLine()).toMatchObject({
    status: 'maintenance',
    judgedBy: null,
    since: Date.parse('2026-01-05T11:00:00Z'),
    maintenance: { reason: 'new disks', until: Date.parse(until) },
  });
  expect(await console.read<ConsoleOverview>('/api/console/overview')).toMatchObject({
    maintenance: {
      reasons: { en: 'moving house', 'zh-CN': 'moving house' },
      until: Date.parse(until),
      closes: false,
    },
    lines: { down: 0, maintenance: 1 },
  });
  const why = await console.read<ConsoleWhy>('/api/console/why');
  // Nothing is known of any line, so all scores are the same.
  expect(why.lines.at(-1)).toMatchObject({ host, reason: 'maintenance', chance: 0 });
  console.portal.clock.now = Date.parse(until);
  logChanges();
  expect(await findLine()).toMatchObject({ status: 'down', maintenance: null });
  expect(await console.read<ConsoleOverview>('/api/console/overview')).toMatchObject({
    maintenance: null,
    lines: { down: 1, maintenance: 0 },
  });
  expect(logged.map(({ msg }) => msg)).toEqual(['line in maintenance', 'line down']);
});
