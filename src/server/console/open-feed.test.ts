import { beforeEach, describe, expect, test } from 'vitest';
import { BEAT_EVERY_MS, type ConsoleOverview } from '../../contract/console.ts';
import { type Feed, openFeed } from './open-feed.ts';

let clock: number;
let state: string;
let feed: Feed;

beforeEach(() => {
  clock = 0;
  state = 'one';
  feed = openFeed({
    describe: (version) => ({ version, siteName: state }) as ConsoleOverview, // All that this test looks at.
    fingerprint: () => state,
    now: () => clock,
    maxStreams: 2,
  });
});

function openStream() {
  const written: string[] = [];
  let hasEnded = false;
  const stop = feed.open()({ write: (text) => written.push(text), end: () => (hasEnded = true) });
  return { written, stop, hasEnded: () => hasEnded };
}

describe('the feed', () => {
  test('tells the present at once, and then every change with a higher version', () => {
    const { written } = openStream();
    expect(written).toEqual(['event: overview\ndata: {"version":1,"siteName":"one"}\n\n']);
    feed.look();
    expect(written).toHaveLength(1);
    state = 'two';
    feed.look();
    expect(written.at(-1)).toBe('event: overview\ndata: {"version":2,"siteName":"two"}\n\n');
  });

  test('beats while nothing changes', () => {
    const { written } = openStream();
    clock += BEAT_EVERY_MS;
    feed.look();
    feed.look();
    expect(written.slice(1)).toEqual(['event: beat\ndata: {}\n\n']);
  });

  test('forgets a client that has gone, and lets the next one in', () => {
    const first = openStream();
    openStream();
    expect(() => feed.open()).toThrow('2 consoles are open already');
    first.stop();
    openStream();
    state = 'two';
    feed.look();
    expect(first.written).toHaveLength(1);
  });

  test('ends every stream when it closes, one that was on its way too', () => {
    const open = openStream();
    const start = feed.open();
    feed.close();
    let hasEnded = false;
    start({ write: () => undefined, end: () => (hasEnded = true) });
    expect([open.hasEnded(), hasEnded]).toEqual([true, true]);
  });
});
