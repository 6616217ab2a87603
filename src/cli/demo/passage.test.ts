import { expect, test } from 'vitest';
import { DEMO_LINES } from './demo-lines.ts';
import { NETWORKS, findPassage } from './passage.ts';

test('the lines of its own place are the nearest to each network, unless they are blocked there', () => {
  for (const network of NETWORKS) {
    const timed = DEMO_LINES.flatMap(({ host, place, behaviour: { delayMs = 0 } }) => {
      const { reach, extraMs } = findPassage(network, `http://${host}`);
      return reach === 0 ? [] : [{ place, timeMs: delayMs + extraMs }];
    });
    const nearest = timed.toSorted((a, b) => a.timeMs - b.timeMs).slice(0, 4);
    const isBlockedAtHome = network.blocked === network.place;
    expect(new Set(nearest.map(({ place }) => place))).toEqual(
      new Set([isBlockedAtHome ? 'east' : network.place]),
    );
    expect(Math.min(...timed.map(({ timeMs }) => timeMs))).toBeGreaterThan(0);
  }
});

test('networks lose a quarter of the way to the farthest place, and nothing of shorter ways', () => {
  const reaches = NETWORKS.filter(({ blocked }) => blocked === undefined).map((network) =>
    DEMO_LINES.map(({ host }) => findPassage(network, `http://${host}`).reach).join(' '),
  );
  const [few, all] = ['0.75 0.75 0.75 0.75', '1 1 1 1'];
  const nearNorth = `${all} ${all} ${few}`;
  const nearEast = `${all} ${all} ${all}`;
  const nearSouth = `${few} ${all} ${all}`;
  expect(reaches).toEqual([nearNorth, nearNorth, nearEast, nearEast, nearSouth]);
});

test('for the network of this machine, a line takes as long as it does here', () => {
  const [own] = NETWORKS;
  for (const { host } of DEMO_LINES) {
    expect(own && findPassage(own, `http://${host}`).extraMs).toBe(0);
  }
});
