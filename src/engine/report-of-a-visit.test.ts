import { describe, expect, test } from 'vitest';
import { CALLER_PATH, HOSTNAMES_PATH, MEASUREMENTS_PATH } from '../contract/paths.ts';
import type { MeasurementReport } from '../contract/api/measurement-report.ts';
import { createLineBoard } from './board/create-line-board.ts';
import { createProber } from './probe/create-prober.ts';
import { createReport } from './portal/create-report.ts';
import { findLine } from './redirect/find-line.ts';
import { createResultCache } from './probe/create-result-cache.ts';
import { MARKER } from './testing/create-fake-network.ts';
import { createFakeWorld } from './testing/create-fake-world.ts';

const FALLBACK = ['b1.example', 'b2.example', 'b3.example', 'b4.example'];
const HOSTS = ['l1.example', { host: 'l2.example', noWWW: true }, 'l3.example', 'l4.example'];

/** A page that reports, in a world where the third line is the fastest and the second is down. */
function openPage() {
  const world = createFakeWorld();
  const { network, store, clock } = world;
  network.portal.set(CALLER_PATH, { body: { get_ip: '192.0.2.1', key_id: 'k' } });
  network.portal.set(HOSTNAMES_PATH, { body: HOSTS, headers: { 'Waypost-Ticket': 'ticket' } });
  network.lines.set('l1', { delayMs: 90 });
  network.lines.set('l2', { delayMs: 20, isDown: true });
  network.lines.set('l3', { delayMs: 40 });
  network.lines.set('l4', { delayMs: 300, headers: { server: 'somebody else' } });
  const sent: MeasurementReport[] = [];
  const report = createReport({
    now: clock.now,
    sendBeacon: (path, body) => {
      expect(path).toBe(MEASUREMENTS_PATH);
      sent.push(JSON.parse(body) as MeasurementReport);
    },
  });
  const prober = createProber({
    ...world,
    marker: MARKER,
    markerHeader: 'server',
    cache: createResultCache({ now: clock.now, store }),
    ports: [9900],
    today: () => 20_000,
    onRefused: () => undefined,
    onProbe: report.note,
  });
  const settings = { ...world, prober, report, fallback: FALLBACK, callerService: '' };
  const find = () =>
    findLine({
      ...settings,
      askLinks: () => Promise.resolve(),
      signal: new AbortController().signal,
    });
  const lines = [...HOSTS, ...FALLBACK].map((host) =>
    prober.lineOf(typeof host === 'string' ? { host } : host),
  );
  return { ...world, network, clock, lines, report, sent, find, board: () => createLineBoard(settings) };
}

/** By index: the order in which probes leave is drawn by lot. */
const sorted = ({ results }: MeasurementReport) => results.toSorted((a, b) => a.index - b.index);

describe('a report', () => {
  test('of a race names the winner, those that failed, and for how long the others were open', async () => {
    const { clock, report, sent, find } = openPage();
    const found = find();
    await clock.advance(40);
    expect(await found).toMatchObject({ kind: 'found', line: { host: 'l3.example' } });
    report.enter('l3.example');
    report.send();
    const [only] = sent;
    expect(only && { ...only, results: sorted(only) }).toEqual({
      ticket: 'ticket',
      results: [
        { index: 0, outcome: 'open', time: 40 },
        { index: 1, outcome: 'unreachable', time: 99_999 },
        { index: 2, outcome: 'valid', time: 40 },
        { index: 3, outcome: 'open', time: 40 },
      ],
      entered: 2,
    });
  });

  test('of a board names every row, and leaves when the visitor starts over', async () => {
    const { clock, sent, board } = openPage();
    const lines = board();
    lines.start();
    await clock.advance(2_000);
    lines.retest();
    expect(sent).toHaveLength(1);
    expect(sent.map(sorted)).toEqual([
      [
        { index: 0, outcome: 'valid', time: 90 },
        { index: 1, outcome: 'unreachable', time: 99_999 },
        { index: 2, outcome: 'valid', time: 40 },
        { index: 3, outcome: 'wrong-server', time: 99_999 },
      ],
    ]);
    expect(sent[0]?.entered).toBeNull();
  });

  test('counts the fallback hosts after those of the list', async () => {
    const { clock, network, report, sent, find } = openPage();
    for (const line of ['l1', 'l3']) network.lines.set(line, { isDown: true });
    network.lines.set('b2', { delayMs: 10 });
    network.lines.set('b1', { isHanging: true });
    network.lines.set('b3', { isHanging: true });
    network.lines.set('b4', { isHanging: true });
    const found = find();
    await clock.advance(1_000);
    expect(await found).toMatchObject({ kind: 'found', line: { host: 'b2.example' } });
    report.enter('b2.example');
    report.send();
    expect(sent[0]?.entered).toBe(5);
    expect(sent.map(sorted)[0]?.find(({ index }) => index === 5)).toEqual({
      index: 5,
      outcome: 'valid',
      time: 10,
    });
  });

  test('leaves once for each ticket', async () => {
    const { clock, report, sent, find } = openPage();
    const found = find();
    await clock.advance(40);
    await found;
    report.enter('l3.example');
    report.send();
    report.send();
    expect(sent).toHaveLength(1);
  });

  test('does not count a result of the last run again', async () => {
    const { clock, report, sent, find } = openPage();
    const first = find();
    await clock.advance(40);
    await first;
    report.enter('l3.example');
    report.send();
    const second = find();
    await clock.advance(40);
    await second;
    report.enter('l3.example');
    report.send();
    expect(sent[1]).toEqual({ ticket: 'ticket', results: [], entered: 2 });
  });

  test('does not tell of the host that was entered in the last run', () => {
    const { lines, report, sent } = openPage();
    for (const entered of ['l3.example', undefined]) {
      report.open('ticket', lines);
      if (entered) report.enter(entered);
      report.note('l1.example', new Promise(() => undefined));
      report.send();
    }
    expect(sent.map(({ entered }) => entered)).toEqual([2, null]);
  });

  test('leaves out what was measured of hosts that are off the list by now', () => {
    const { lines, report, sent } = openPage();
    report.note('gone.example', Promise.resolve({ host: 'gone.example', time: 5 }));
    report.note('l1.example', new Promise(() => undefined));
    report.open('ticket', lines);
    report.send();
    expect(sent.map(({ results }) => results)).toEqual([[{ index: 0, outcome: 'open', time: 0 }]]);
  });

  test('is not made without a ticket', async () => {
    const { clock, network, report, sent, find } = openPage();
    network.portal.set(HOSTNAMES_PATH, { status: 500 });
    const found = find();
    await clock.advance(10);
    await found;
    report.enter('b1.example');
    report.send();
    expect(sent).toEqual([]);
  });

  test('says nothing of a run before that had no ticket', async () => {
    const { board, clock, network, sent } = openPage();
    network.portal.set(HOSTNAMES_PATH, { status: 500 });
    const lines = board();
    lines.start();
    await clock.advance(2_000);
    network.portal.set(HOSTNAMES_PATH, { body: HOSTS, headers: { 'Waypost-Ticket': 'ticket' } });
    lines.retest();
    await clock.advance(2_000);
    lines.retest();
    expect(sent.map(sorted)).toEqual([
      [
        expect.objectContaining({ index: 0 }),
        expect.objectContaining({ index: 1 }),
        expect.objectContaining({ index: 2 }),
        expect.objectContaining({ index: 3 }),
      ],
    ]);
  });

  test('holds nobody up: a visitor who leaves before anything was probed sends nothing', () => {
    const { lines, report, sent } = openPage();
    report.open('ticket', lines);
    report.send();
    expect(sent).toEqual([]);
  });
});
