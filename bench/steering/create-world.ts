import { HOUR_MS } from '../../src/contract/time-units.ts';
import { createGauss } from '../../src/server/learning/create-gauss.ts';
import type { Luck } from './create-luck.ts';
import { createRandom } from '../../src/engine/testing/create-random.ts';

/** How large a world is, and how its networks differ. */
export type WorldSize = {
  readonly networks: number;
  readonly countries: number;
  /** How far the pairs of country and line differ. All networks of a country share this. */
  readonly countrySpread: number;
  /** The part of the networks that have their own way to each line, which differs by `PAIR_SPREAD`. */
  readonly ownWay: number;
  /** How far all other networks differ from their country. */
  readonly networkSpread: number;
};

/** Each network has its own way to each line. */
const SMALL: WorldSize = { networks: 300, countries: 20, countrySpread: 0, ownWay: 1, networkSpread: 0 };
const FALLBACK_HOST_COUNT = 4;
/** A probe takes four round trips: name, connection, encryption, answer. */
const NEAREST_MS = 80;
const MS_PER_DISTANCE = 700;
/** The spread of a pair of network and line, which stays, and of each probe. */
const PAIR_SPREAD = 0.4;
const PROBE_SPREAD = 0.25;
const RANDOM_FAILURE = 0.015;
const FAILURE_MS = 150;
const LINE_UP_MS = 12 * HOUR_MS;
const LINE_DOWN_MS = HOUR_MS;
/** A country blocks a line for hours; most of its networks follow. A network may also do so on its own. */
const COUNTRY_OPEN_MS = 33 * HOUR_MS;
const COUNTRY_BLOCK_MS = 3 * HOUR_MS;
const NETWORKS_THAT_FOLLOW = 0.8;
const NETWORK_OPEN_MS = 98 * HOUR_MS;
const NETWORK_BLOCK_MS = 2 * HOUR_MS;
/** Blocked lines mostly swallow what is sent; the others refuse it at once. */
const SILENT_BLOCKS = 0.7;

/** What a probe meets: the ms until it is answered or refused, or nothing at all. */
export type Fate = { readonly kind: 'valid' | 'refused' | 'silent'; readonly timeMs: number };

export type World = {
  /** The fallback hosts come after the lines. */
  readonly lines: number;
  readonly hosts: number;
  readonly networks: number;
  readonly countryOf: (network: number) => number;
  /** The part of all visitors that a network has. */
  readonly partOf: (network: number) => number;
  /** A network, drawn by how many visitors it has. */
  readonly drawNetwork: () => number;
  readonly probe: (network: number, host: number, luck: Luck) => Fate;
  readonly isLineUp: (host: number) => boolean;
  readonly isReachable: (network: number, host: number) => boolean;
  /** Why a network does not reach a host: the host is down, blocked in the country, or in the network alone. */
  readonly findOutage: (network: number, host: number) => 'host' | 'country' | 'network' | undefined;
  /** The ms that a pair typically takes. */
  readonly typicalMs: (network: number, host: number) => number;
  /** Lets time go by. */
  readonly advance: (ms: number) => void;
  /** Blocks a line for a whole country, until the end. */
  readonly block: (country: number, host: number) => void;
  /** Lets a part of the probes of a line (0 to 1) fail everywhere, until the end. */
  readonly weaken: (host: number, part: number) => void;
  /** Makes a line slower by this factor for the visitors of some networks. */
  readonly slow: (host: number, times: number, isThere: (network: number) => boolean) => void;
  /** The hosts for which somebody lost them or got them back since this was last asked. At first, all of them. */
  readonly takeChanged: () => ReadonlySet<number>;
};

const SILENT: Fate = { kind: 'silent', timeMs: Infinity };
const REFUSED: Fate = { kind: 'refused', timeMs: FAILURE_MS };

/** Makes up a world: who is how far from which line, what is down, and what is blocked where. */
export function createWorld(lines: number, seed: number, size: WorldSize = SMALL): World {
  const { networks: networkCount, countries: countryCount, countrySpread, ownWay, networkSpread } = size;
  const random = createRandom(seed);
  const drawVisitor = createRandom(seed + 100);
  const gauss = createGauss(random);
  const hosts = lines + FALLBACK_HOST_COUNT;
  const drawPlaces = (length: number): number[] => Array.from({ length }, () => random());
  const countryX = drawPlaces(countryCount);
  const countryY = drawPlaces(countryCount);
  const hostX = drawPlaces(hosts);
  const hostY = drawPlaces(hosts);
  const countries = drawPlaces(networkCount).map((part) => Math.floor(part * countryCount));
  const ofCountry = Array.from(
    { length: countrySpread === 0 ? 0 : countryCount * hosts },
    () => countrySpread * gauss(),
  );
  const typical = new Float64Array(networkCount * hosts);
  const follows = new Uint8Array(networkCount * hosts);
  for (let network = 0; network < networkCount; network += 1) {
    const country = countries[network] ?? 0;
    const spread = ownWay === 1 || random() < ownWay ? PAIR_SPREAD : networkSpread;
    for (let host = 0; host < hosts; host += 1) {
      const distance = Math.hypot(
        at(countryX, country) - at(hostX, host),
        at(countryY, country) - at(hostY, host),
      );
      const pair = network * hosts + host;
      typical[pair] =
        (NEAREST_MS + MS_PER_DISTANCE * distance) *
        Math.exp(spread * gauss() + (ofCountry[country * hosts + host] ?? 0));
      follows[pair] = random() < NETWORKS_THAT_FOLLOW ? 1 : 0;
    }
  }
  const isSilent = Uint8Array.from({ length: hosts }, () => (random() < SILENT_BLOCKS ? 1 : 0));
  const lineDown = createFlips(hosts, { offMs: LINE_UP_MS, onMs: LINE_DOWN_MS }, random);
  const countryBlocks = createFlips(
    countryCount * hosts,
    { offMs: COUNTRY_OPEN_MS, onMs: COUNTRY_BLOCK_MS },
    random,
  );
  const pairBlocks = createFlips(
    networkCount * hosts,
    { offMs: NETWORK_OPEN_MS, onMs: NETWORK_BLOCK_MS },
    random,
  );
  const blockedForGood = new Set<number>();
  const weakened = new Map<number, number>();
  const slowed = new Map<
    number,
    { readonly times: number; readonly isThere: (network: number) => boolean }
  >();
  let changed = new Set(Array.from({ length: hosts }, (_, host) => host));
  const zipf = accumulate(Array.from({ length: networkCount }, (_, rank) => 1 / (rank + 1)));

  const findOutage: World['findOutage'] = (network, host) => {
    const pair = network * hosts + host;
    const countryPair = (countries[network] ?? 0) * hosts + host;
    if (lineDown.isOn(host)) return 'host';
    if (countryBlocks.isOn(countryPair) && follows[pair] === 1) return 'country';
    if (blockedForGood.size > 0 && blockedForGood.has(countryPair)) return 'country';
    return pairBlocks.isOn(pair) ? 'network' : undefined;
  };
  const isReachable: World['isReachable'] = (network, host) => findOutage(network, host) === undefined;
  return {
    lines,
    hosts,
    networks: networkCount,
    countryOf: (network) => countries[network] ?? 0,
    partOf: (network) => at(zipf, network) - at(zipf, network - 1),
    drawNetwork: () => search(zipf, drawVisitor()),
    probe: (network, host, luck) => {
      if (!isReachable(network, host)) return isSilent[host] === 1 ? SILENT : REFUSED;
      if (luck.draw(host) < (weakened.get(host) ?? RANDOM_FAILURE)) return SILENT;
      const slow = slowed.get(host);
      return {
        kind: 'valid',
        timeMs:
          at(typical, network * hosts + host) *
          Math.exp(PROBE_SPREAD * luck.gauss(host)) *
          (slow?.isThere(network) ? slow.times : 1),
      };
    },
    isLineUp: (host) => !lineDown.isOn(host),
    isReachable,
    findOutage,
    typicalMs: (network, host) => at(typical, network * hosts + host),
    advance: (ms) => {
      for (const flips of [lineDown, countryBlocks, pairBlocks])
        flips.advance(ms, (index) => changed.add(index % hosts));
    },
    weaken: (host, part) => weakened.set(host, part),
    slow: (host, times, isThere) => slowed.set(host, { times, isThere }),
    takeChanged: () => {
      const taken = changed;
      changed = new Set();
      return taken;
    },
    block: (country, host) => {
      blockedForGood.add(country * hosts + host);
      changed.add(host);
    },
  };
}

type Flips = {
  readonly isOn: (index: number) => boolean;
  readonly advance: (ms: number, onFlip: (index: number) => void) => void;
};

/** Switches that turn on and off by themselves, each on its own, at exponentially distributed times. */
function createFlips(
  count: number,
  { offMs, onMs }: { readonly offMs: number; readonly onMs: number },
  random: () => number,
): Flips {
  const on = Uint8Array.from({ length: count }, () => (random() < onMs / (onMs + offMs) ? 1 : 0));
  const draw = (isOn: boolean): number => -Math.log(1 - random()) * (isOn ? onMs : offMs);
  const flipsAt = Float64Array.from(on, (isOn) => draw(isOn === 1));
  let time = 0;
  return {
    isOn: (index) => on[index] === 1,
    advance: (ms, onFlip) => {
      time += ms;
      for (let index = 0; index < count; index += 1) {
        while (at(flipsAt, index) <= time) {
          on[index] = 1 - at(on, index);
          onFlip(index);
          flipsAt[index] = at(flipsAt, index) + draw(on[index] === 1);
        }
      }
    },
  };
}

/** The sums up to each weight, as parts of the whole. */
function accumulate(weights: readonly number[]): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return Float64Array.from(weights, (weight) => (sum += weight) / total);
}

/** The first index whose sum is above the given part. */
function search(sums: Float64Array, part: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(sums, middle) > part) high = middle;
    else low = middle + 1;
  }
  return low;
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}
