import { beforeEach, describe, expect, test } from 'vitest';
import { type Feed, type Source, createFeed } from './create-feed.ts';

type FakeSource = Source & {
  readyState: number;
  readonly say: (name: string, data?: string) => void;
  isClosed: boolean;
};

let sources: FakeSource[];
let timers: Map<number, { readonly job: () => void; readonly delayMs: number }>;
let feed: Feed;
let checks: number;

beforeEach(() => {
  sources = [];
  timers = new Map();
  checks = 0;
  feed = createFeed({
    openSource: () => {
      const source = createFakeSource();
      sources.push(source);
      return source;
    },
    checkAccess: async () => {
      checks += 1;
    },
    setTimer: (job, delayMs) => {
      const id = timers.size + 1;
      timers.set(id, { job, delayMs });
      return id;
    },
    clearTimer: (id) => timers.delete(id),
    now: () => 1_000,
  });
  feed.start();
});

function createFakeSource(): FakeSource {
  const listeners = new Map<string, (event: { data?: unknown }) => void>();
  return {
    readyState: 1,
    isClosed: false,
    addEventListener: (name, listener) => void listeners.set(name, listener),
    say: (name, data) => listeners.get(name)?.({ data }),
    close() {
      this.isClosed = true;
    },
  };
}

async function passTimer(): Promise<void> {
  const [[id, { job }] = [0, { job: () => undefined }]] = timers;
  timers.delete(id);
  job();
  // What a timer starts is a promise or two away.
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

const stateOf = () => feed.getSnapshot().connection;

describe('the feed of the page', () => {
  test('is live with the first word', () => {
    expect(stateOf()).toBe('connecting');
    sources[0]?.say('overview', '{"version":7}');
    expect(feed.getSnapshot()).toEqual({ connection: 'live', lostAt: undefined, overview: { version: 7 } });
  });

  test('keeps the last it heard while the connection is lost, and leaves the first retries to the browser', () => {
    sources[0]?.say('overview', '{"version":7}');
    sources[0]?.say('error');
    expect(feed.getSnapshot()).toEqual({ connection: 'lost', lostAt: 1_000, overview: { version: 7 } });
    expect(sources).toHaveLength(1);
    sources[0]?.say('overview', '{"version":8}');
    expect(stateOf()).toBe('live');
  });

  test('looks at once whether it still may, because the server ends the connection of an ended session', () => {
    sources[0]?.say('overview', '{"version":7}');
    sources[0]?.say('error');
    expect(checks).toBe(1);
  });

  test('connects anew where the browser has given up, after a look whether it still may', async () => {
    const [source] = sources;
    if (source) source.readyState = 2;
    source?.say('error');
    await passTimer();
    expect([checks, sources.length, source?.isClosed]).toEqual([1, 2, true]);
    sources[1]?.say('overview', '{"version":1}');
    expect(stateOf()).toBe('live');
  });

  test('takes silence for a lost connection, and a beat for a word', async () => {
    sources[0]?.say('overview', '{"version":7}');
    sources[0]?.say('beat');
    expect([stateOf(), timers.size]).toEqual(['live', 1]);
    await passTimer();
    expect([stateOf(), sources[0]?.isClosed]).toEqual(['lost', true]);
    await passTimer();
    expect(sources).toHaveLength(2);
  });
});
