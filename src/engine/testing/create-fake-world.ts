import { type AskAnybody, createAskAnybody } from '../probe/create-ask-anybody.ts';
import { createProber, type Prober, type ProberSettings } from '../probe/create-prober.ts';
import type { Effects, KeyValueStore, Visibility, WatchTiming } from '../effects/effects.ts';
import { createResultCache } from '../probe/create-result-cache.ts';
import { noTiming } from '../redirect/find-sibling.ts';
import { createFakeClock, type FakeClock } from './create-fake-clock.ts';
import { createFakeNetwork, type FakeNetwork, MARKER } from './create-fake-network.ts';

export type FakeWorld = Effects & {
  readonly clock: FakeClock;
  readonly network: FakeNetwork;
  readonly store: KeyValueStore;
  readonly visibility: Visibility & { readonly hide: () => void; readonly show: () => void };
  readonly watchTiming: WatchTiming;
  /** Creates the question that `/` and `/t` ask after a probe has failed. */
  readonly createQuestion: () => AskAnybody;
  /** Lets the page's policy block a request to this URL. */
  readonly block: (url: string) => void;
  /** Creates a prober in this world. A second one shares the store, like a second page of the tab. */
  readonly createProber: (changes?: Partial<ProberSettings>) => Prober;
  readonly refused: { readonly host: unknown; readonly reason: string }[];
};

/** Creates all effects that the engine needs, under the control of a test. */
export function createFakeWorld(random: () => number = () => 0.5): FakeWorld {
  const clock = createFakeClock();
  const network = createFakeNetwork(clock);
  const store = createMemoryStore();
  const visibility = createFakeVisibility();
  const refused: FakeWorld['refused'] = [];
  const document = new EventTarget();
  const effects = { fetch: network.fetch, now: clock.now, setTimer: clock.setTimer, random };
  return {
    ...effects,
    clock,
    network,
    store,
    visibility,
    watchTiming: noTiming,
    // Only the events of a document are used.
    createQuestion: () => createAskAnybody(effects, document as Document),
    block: (blockedURI) =>
      document.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), { blockedURI })),
    refused,
    createProber: (changes) =>
      createProber({
        ...effects,
        watchTiming: noTiming,
        visibility,
        marker: MARKER,
        markerHeader: 'server',
        cache: createResultCache({ now: clock.now, store }),
        ports: [9900],
        today: () => 20_000,
        onRefused: (host, reason) => refused.push({ host, reason }),
        ...changes,
      }),
  };
}

export function createMemoryStore(): KeyValueStore {
  const values = new Map<string, string>();
  return {
    // Null for a missing key, like the Web Storage.
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
}

function createFakeVisibility(): FakeWorld['visibility'] {
  const subscribers = new Set<() => void>();
  let isHidden = false;
  const change = (hidden: boolean) => () => {
    isHidden = hidden;
    for (const notify of subscribers) notify();
  };
  return {
    isHidden: () => isHidden,
    subscribe: (onChange) => void subscribers.add(onChange),
    hide: change(true),
    show: change(false),
  };
}
