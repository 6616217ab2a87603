import { expect, test } from 'vitest';
import type { LineReply } from '../../contract/line/line-reply.ts';
import type { LineState } from '../lines/line-state.ts';
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
    losses: [],
    partialLosses: [],
    countNetworks: () => 50,
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
const lossIn = (area: string) => ({ area, lineId: 'a', networks: 1, since: NOW - 60_000, visitors: 4 });

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

test('fifty networks that lose a line are one cause, and so are they together with a line that is down', () => {
  const losses = Array.from({ length: 50 }, (_, network) =>
    lossIn(`${['GB', 'DE', 'FR', 'IT', 'ES'][network % 5]}/AS${network}`),
  );
  expect(observe(UP, { losses })).toMatchObject([{ kind: 'line-down', affected: [], visitors: 200 }]);
  expect(observe({ ...UP, a: stateOf('down') }, { losses })).toMatchObject([
    { kind: 'line-down', visitors: 200 },
  ]);
});

test('a loss waits for the next check of the server, which may find that the line is down for everyone', () => {
  const losses = [lossIn('GB/AS1')];
  const checkedAt = (ms: number) => ({ ...UP, a: stateOf('up', { checkedAt: NOW - ms }) });
  expect(observe(checkedAt(60_001), { losses })).toMatchObject([{ kind: 'line-lost', isSure: false }]);
  expect(observe(checkedAt(60_000), { losses })).toMatchObject([{ kind: 'line-lost', isSure: true }]);
  // A server that does not watch the lines has nothing to wait for.
  expect(observe({}, { losses, states: undefined })).toMatchObject([{ kind: 'line-lost', isSure: true }]);
});

test('where no country is known, most networks are everyone; where countries are known, one country is not', () => {
  const listLosses = (country: string) => ['AS1', 'AS2', 'AS3'].map((name) => lossIn(`${country}/${name}`));
  const countNetworks = () => 4;
  expect(observe(UP, { losses: listLosses(''), countNetworks })).toMatchObject([{ kind: 'line-down' }]);
  expect(observe(UP, { losses: listLosses(''), countNetworks: () => 5 })).toMatchObject([
    { kind: 'line-lost' },
  ]);
  expect(observe(UP, { losses: listLosses('GB'), countNetworks })).toMatchObject([{ kind: 'line-lost' }]);
});

test('networks and countries that have not tried a line lately do not make it down for everyone', () => {
  const losses = ['GB', 'DE', 'FR', 'IT', 'ES'].map((country) => lossIn(`${country}/AS1`));
  const old = losses.map((loss) => ({ ...loss, networks: 0 }));
  const countNetworks = () => 4;
  expect(observe(UP, { losses, countNetworks })).toMatchObject([{ kind: 'line-down' }]);
  expect(observe(UP, { losses: old, countNetworks })).toMatchObject([{ kind: 'line-lost' }]);
  // Four networks are enough, but they are in four countries.
  const mostly = [...losses.slice(0, 4), ...old.slice(4)];
  expect(observe(UP, { losses: mostly, countNetworks })).toMatchObject([{ kind: 'line-lost' }]);
});

const partialLossIn = (...areas: readonly string[]) => ({
  lineId: 'a',
  since: NOW - 60_000,
  visitors: 30,
  areas,
});

test('a line that some visitors lose in several networks is degraded, and whatever is worse goes first', () => {
  const partialLosses = [partialLossIn('GB/AS1', 'GB/AS2')];
  expect(observe(UP, { partialLosses })).toMatchObject([
    { kind: 'line-degraded', subject: 'a.example', affected: [], isSure: true, visitors: 30 },
  ]);
  const losses = [lossIn('GB/AS1')];
  expect(observe(UP, { partialLosses, losses })).toMatchObject([
    { kind: 'line-degraded', affected: ['GB/AS1'], visitors: 30 },
  ]);
  const down = { ...UP, a: stateOf('down') };
  expect(observe(down, { partialLosses, losses })).toMatchObject([{ kind: 'line-down', visitors: 30 }]);
});

test('a line that one network loses, and some visitors elsewhere, says both', () => {
  const seeBoth = (lostIn: string, ...areas: readonly string[]) =>
    see(UP, { losses: [lossIn(lostIn)], partialLosses: [partialLossIn(...areas)] }).map(
      ({ kind, affected, detail, visitors }) => ({ kind, affected, detail, visitors }),
    );
  expect(see(UP, { partialLosses: [partialLossIn('GB/AS1', 'GB/AS2')] })[0]?.detail).toEqual({
    kind: 'not-reached',
    by: 'some-visitors',
  });
  const both = {
    kind: 'line-degraded',
    detail: { kind: 'not-reached', by: 'visitors-and-some-elsewhere' },
    visitors: 30,
  };
  expect(seeBoth('GB/AS1', 'GB/AS1', 'GB/AS2')).toEqual([{ ...both, affected: ['GB/AS1'] }]);
  expect(seeBoth('GB/', 'GB/AS1', 'DE/AS2')).toEqual([{ ...both, affected: ['GB/'] }]);
  // Nothing is known of any other place.
  expect(seeBoth('GB/', 'GB/AS1', 'GB/AS2')).toEqual([
    { kind: 'line-lost', affected: ['GB/'], detail: { kind: 'not-reached', by: 'visitors' }, visitors: 30 },
  ]);
});

test('two networks of fifty that lose it are named', () => {
  const losses = [lossIn('GB/AS1'), lossIn('DE/AS2')];
  expect(observe(UP, { losses })).toMatchObject([{ kind: 'line-lost', affected: ['GB/AS1', 'DE/AS2'] }]);
});

test('a portal that reaches no line doubts itself, and reports none of them', () => {
  const states = { a: stateOf('down'), b: stateOf('down'), c: stateOf('down') };
  expect(observe(states, { cutOff: 'visitors' })).toMatchObject([
    { kind: 'portal-cut-off', subject: 'p1', isSure: true },
  ]);
  // What visitors lose is told.
  const losses = [lossIn('GB/AS1')];
  expect(observe(states, { cutOff: 'visitors', losses }).map(({ kind }) => kind)).toEqual([
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
