import { expect, test } from 'vitest';
import type { LineReply } from '../../contract/line/line-reply.ts';
import type { LineState } from '../lines/line-state.ts';
import type { LineLoss } from '../learning/losses/judge-losses.ts';
import { type LineSources, observeLines } from './observe-lines.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 0, 5);
const LINES = ['a', 'b', 'c'].map((id) => ({ id, host: `${id}.example` }));
const ANSWER: LineReply = { kind: 'answer', status: 200, headers: {}, timeMs: 1, certificate: undefined };

function stateOf(
  condition: LineState['condition'],
  more: Partial<LineState> & { reply?: LineReply } = {},
): LineState {
  const { reply = condition === 'down' ? { kind: 'timeout' as const } : ANSWER, ...others } = more;
  const faults = condition === 'down' ? [{ kind: 'timeout' as const }] : [];
  return {
    host: 'a.example',
    role: 'line',
    condition,
    seen: condition,
    health: undefined,
    since: NOW - 10_000,
    recoveredAt: undefined,
    checkedAt: NOW,
    settled: condition,
    streak: 3,
    addresses: [{ address: 'https://a.example:9900', reply, faults, pageFault: undefined }],
    ...others,
  };
}

function see(states: Readonly<Record<string, LineState>>, more: Partial<LineSources> = {}) {
  return observeLines({
    lines: LINES,
    backups: [],
    states: new Map(Object.entries(states)),
    cutOff: undefined,
    findLoss: () => undefined,
    findSlow: () => undefined,
    countLost: () => 7,
    portal: 'p1',
    now: NOW,
    ...more,
  });
}

function observe(
  states: Readonly<Record<string, LineState>>,
  { isAll = false, ...more }: Partial<LineSources> & { readonly isAll?: boolean } = {},
) {
  // A line that is silent shows no certificate.
  const told = see(states, more).filter(({ kind, isSure }) => isSure || kind !== 'certificate' || isAll);
  return told.map(({ kind, subject, affected, isSure, visitors }) => ({
    kind,
    subject,
    affected,
    isSure,
    visitors,
  }));
}

const UP = { a: stateOf('up'), b: stateOf('up'), c: stateOf('up') };
/** Visitors lose the line a. */
const losing = (loss: Partial<LineLoss>): Pick<LineSources, 'findLoss'> => ({
  findLoss: (lineId) =>
    lineId === 'a'
      ? { extent: 'places', places: [], networks: 1, since: NOW - 60_000, visitors: 4, ...loss }
      : undefined,
});

test('a line is down when enough checks have seen it, and not before', () => {
  expect(observe(UP)).toEqual([]);
  const unsure = stateOf('down', { settled: 'up', streak: 1 });
  expect(observe({ ...UP, a: unsure })).toMatchObject([{ kind: 'line-down', isSure: false }]);
  expect(observe({ ...UP, a: stateOf('down') })).toEqual([
    { kind: 'line-down', subject: 'a.example', affected: [], isSure: true, visitors: 7 },
  ]);
  // It came back, and one more good check is missing: the incident stays open.
  expect(observe({ ...UP, a: stateOf('up', { settled: 'down', streak: 1 }) })).toMatchObject([
    { isSure: false },
  ]);
});

test('what all ports of a line have in common is said once, and so is what its application says', () => {
  const { addresses } = stateOf('down');
  const fault = { kind: 'health-status', path: '/health', status: 503 } as const;
  const health = { checkedAt: NOW, isDead: true, faults: [{ address: 'https://a.example:9900', fault }] };
  const a = stateOf('down', { addresses: [...addresses, ...structuredClone(addresses)], health });
  expect(see({ ...UP, a })[0]?.detail).toEqual({ kind: 'line-faults', faults: [{ kind: 'timeout' }, fault] });
});

test('a line that only this portal sees down waits 30 s for the others, and is then degraded', () => {
  const seenFor = (ms: number) => stateOf('degraded', { seen: 'down', since: NOW - ms });
  expect(observe({ ...UP, a: seenFor(29_999) })).toMatchObject([{ kind: 'line-degraded', isSure: false }]);
  expect(observe({ ...UP, a: seenFor(30_000) })).toMatchObject([{ kind: 'line-degraded', isSure: true }]);
  // What all portals see needs no waiting. Neither does a line that this portal itself sees degraded.
  const down = stateOf('down', { seen: 'down', since: NOW });
  expect(observe({ ...UP, a: down })).toMatchObject([{ kind: 'line-down', isSure: true }]);
  const degraded = stateOf('degraded', { since: NOW });
  expect(observe({ ...UP, a: degraded })).toMatchObject([{ kind: 'line-degraded', isSure: true }]);
});

test.each<[LineLoss['extent'], kind: string, by: string]>([
  ['everywhere', 'line-down', 'visitors'],
  ['places', 'line-lost', 'visitors'],
  ['some-visitors', 'line-degraded', 'some-visitors'],
  ['places-and-some-visitors', 'line-degraded', 'visitors-and-some-elsewhere'],
])('a line that visitors lose (%s) is %s', (extent, kind, by) => {
  const affected = extent === 'everywhere' ? [] : ['GB/AS1', 'DE/'];
  expect(see(UP, losing({ extent, places: ['GB/AS1', 'DE/'] }))).toMatchObject([
    { kind, subject: 'a.example', affected, detail: { kind: 'not-reached', by }, visitors: 4, isSure: true },
  ]);
});

test('a line that visitors lose everywhere is urgent, unless only one or two networks say so or it is a backup', () => {
  const severityOf = (networks: number, more: Partial<LineSources> = {}) =>
    see(UP, { ...losing({ extent: 'everywhere', networks }), ...more }).map(({ severity }) => severity);
  expect([severityOf(2), severityOf(3)]).toEqual([['medium'], ['high']]);
  expect(severityOf(3, { lines: [], backups: LINES })).toEqual(['medium']);
});

test('a line that is down, or has a fault, and that visitors lose is one cause: what is worse names it', () => {
  const down = { ...UP, a: stateOf('down') };
  expect(observe(down, losing({ extent: 'some-visitors', visitors: 30 }))).toMatchObject([
    { kind: 'line-down', visitors: 30 },
  ]);
  const degraded = { ...UP, a: stateOf('degraded') };
  expect(observe(degraded, losing({ extent: 'places' }))).toMatchObject([{ kind: 'line-degraded' }]);
  expect(observe(degraded, losing({ extent: 'everywhere' }))).toMatchObject([{ kind: 'line-down' }]);
});

test('a loss waits for the next check of the server, which may find that the line is down for everyone', () => {
  const checkedAt = (ms: number) => ({ ...UP, a: stateOf('up', { checkedAt: NOW - ms }) });
  expect(observe(checkedAt(60_001), losing({}))).toMatchObject([{ kind: 'line-lost', isSure: false }]);
  expect(observe(checkedAt(60_000), losing({}))).toMatchObject([{ kind: 'line-lost', isSure: true }]);
  // A server that does not watch the lines has nothing to wait for.
  expect(observe({}, { ...losing({}), states: undefined })).toMatchObject([
    { kind: 'line-lost', isSure: true },
  ]);
});

test('visitors are asked about what they lost since the server saw the line come back', () => {
  const asked: number[] = [];
  const findLoss: LineSources['findLoss'] = (_lineId, { recoveredAt }) => void asked.push(recoveredAt);
  const a = stateOf('up', { recoveredAt: NOW - 5 });
  observe({ ...UP, a }, { findLoss });
  // What a portal has seen that is cut off does not count.
  observe({ ...UP, a }, { findLoss, cutOff: 'visitors' });
  expect(asked).toEqual([NOW - 5, 0, 0, 0, 0, 0]);
});

test('a portal that reaches no line doubts itself, and reports none of them', () => {
  const states = { a: stateOf('down'), b: stateOf('down'), c: stateOf('down') };
  expect(observe(states, { cutOff: 'visitors' })).toMatchObject([
    { kind: 'portal-cut-off', subject: 'p1', isSure: true },
  ]);
  // What visitors lose is told.
  expect(observe(states, { cutOff: 'visitors', ...losing({}) }).map(({ kind }) => kind)).toEqual([
    'portal-cut-off',
    'line-lost',
  ]);
});

test('a portal that reaches no line reports those that the other replicas see down', () => {
  const up = stateOf('up', { seen: 'down', reply: { kind: 'timeout' } });
  expect(observe({ a: stateOf('down'), b: up, c: up }, { cutOff: 'replicas' })).toMatchObject([
    { kind: 'portal-cut-off', subject: 'p1' },
    { kind: 'line-down', subject: 'a.example', isSure: true },
  ]);
});

test('a certificate that ends within 14 days is told, and one of a line that is silent keeps its incident', () => {
  const endingIn = (days: number) => {
    const certificate = { validTo: new Date(NOW + days * DAY_MS), faultCode: undefined };
    return stateOf('up', { reply: { ...ANSWER, certificate } });
  };
  expect(observe({ a: endingIn(14), b: endingIn(13.9) })).toMatchObject([
    { kind: 'certificate', subject: 'b.example', isSure: true },
  ]);
  expect(observe({ ...UP, a: stateOf('down') }, { isAll: true })).toMatchObject([
    { kind: 'line-down' },
    { kind: 'certificate', subject: 'a.example', isSure: false },
  ]);
});

test('a slow line is an incident beside a loss in some network, but not if the line is down', () => {
  const slow = { places: ['SG/AS64500'], times: 3.44, since: NOW - 400_000, visitors: 9 };
  const findSlow = (lineId: string) => (lineId === 'a' ? slow : undefined);
  expect(see(UP, { findSlow })).toMatchObject([
    {
      cause: 'slow/a',
      kind: 'line-slow',
      severity: 'medium',
      affected: ['SG/AS64500'],
      detail: { kind: 'slow', times: 3.4 },
      since: NOW - 400_000,
      visitors: 9,
      isSure: true,
    },
  ]);
  expect(observe({ ...UP, a: stateOf('down') }, { findSlow })).toMatchObject([{ kind: 'line-down' }]);
  const lost = losing({ places: ['GB/AS1'] });
  expect(observe(UP, { ...lost, findSlow })).toMatchObject([{ kind: 'line-lost' }, { kind: 'line-slow' }]);
});
