import { expect, test } from 'vitest';
import type { ConsoleNetwork, ConsoleNetworks } from '../../contract/console.ts';
import { type MapOrder, listRows, orderNetworks } from './order-networks.ts';

const network = (name: string, seenAt: number, cells: Partial<ConsoleNetwork> = {}): ConsoleNetwork => ({
  name,
  seenAt,
  failing: 0,
  reached: [9, 10, 10],
  lost: [1, 0, 0],
  timeMs: [50, 60, 70],
  failingSince: [null, null, null],
  ...cells,
});

const DATA: ConsoleNetworks = {
  at: 0,
  known: 4,
  lines: ['line10', 'line2', 'line1'].map((host) => ({ id: host, host, status: 'up', rules: [] })),
  networks: [
    network('GB/AS20', 1, { reached: [0, 0, 1], lost: [0, 0, 9], failingSince: [null, null, 500] }),
    network('SG/AS3', 9),
    network('GB/AS3', 5),
    network('/198.51', 7),
  ],
};
const AS_SENT: MapOrder = { networks: 'worst', lines: 'site', isGrouped: false };
const namesOf = (order: Partial<MapOrder>) => {
  const { networks, lines } = orderNetworks(DATA, { ...AS_SENT, ...order });
  return [networks.map(({ name }) => name), lines.map(({ host }) => host)];
};

test('networks are in the order of the server, by name, or with the latest first', () => {
  expect(namesOf({})[0]).toEqual(['GB/AS20', 'SG/AS3', 'GB/AS3', '/198.51']);
  expect(namesOf({ networks: 'name' })[0]).toEqual(['/198.51', 'GB/AS3', 'GB/AS20', 'SG/AS3']);
  expect(namesOf({ networks: 'latest' })[0]).toEqual(['SG/AS3', '/198.51', 'GB/AS3', 'GB/AS20']);
});

test('lines are by name, or those that fail first, and their cells move with them', () => {
  expect(namesOf({ lines: 'name' })[1]).toEqual(['line1', 'line2', 'line10']);
  expect(namesOf({ lines: 'worst' })[1]).toEqual(['line1', 'line10', 'line2']);
  const [first] = orderNetworks(DATA, { ...AS_SENT, lines: 'worst' }).networks;
  expect(first).toMatchObject({
    reached: [1, 0, 0],
    lost: [9, 0, 0],
    timeMs: [70, 50, 60],
    failingSince: [500, null, null],
  });
});

test('networks of a country stand together below a row with their sums, the worst country first', () => {
  const grouped = orderNetworks(DATA, { ...AS_SENT, isGrouped: true });
  expect(grouped.networks.map(({ name }) => name)).toEqual(['GB/AS20', 'GB/AS3', 'SG/AS3', '/198.51']);
  expect(listRows(grouped, true)).toEqual([
    { kind: 'country', country: 'GB', size: 2, reached: [9, 10, 11], lost: [1, 0, 9] },
    { kind: 'network', network: 0 },
    { kind: 'network', network: 1 },
    { kind: 'country', country: 'SG', size: 1, reached: [9, 10, 10], lost: [1, 0, 0] },
    { kind: 'network', network: 2 },
    { kind: 'country', country: '', size: 1, reached: [9, 10, 10], lost: [1, 0, 0] },
    { kind: 'network', network: 3 },
  ]);
  expect(listRows(DATA, false)).toHaveLength(4);
});
