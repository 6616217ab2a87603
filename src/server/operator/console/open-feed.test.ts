import { beforeEach, describe, expect, test } from 'vitest';
import { BEAT_EVERY_MS, type ConsoleOverview } from '../../../contract/console.ts';
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
    maxStreams: 3,
    maxStreamsPerCaller: 2,
  });
});

function openStream(caller = 'one') {
  const written: string[] = [];
  let hasEnded = false;
  const stop = feed.open(caller)({ write: (text) => written.push(text), end: () => (hasEnded = true) });
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
    expect(() => feed.open('one')).toThrow('At most 3 consoles may be open, 2 of one session or address');
    openStream('two');
    expect(() => feed.open('three')).toThrow('At most 3 consoles');
    first.stop();
    openStream('three');
    state = 'two';
    feed.look();
    expect(first.written).toHaveLength(1);
  });

  test('lets no more in when many are let in at the same time', () => {
    const starts = Array.from({ length: 5 }, () => feed.open('one'));
    let ended = 0;
    for (const start of starts) start({ write: () => undefined, end: () => (ended += 1) });
    expect(ended).toBe(3);
  });

  test('ends the streams of a caller who leaves, and of nobody else', () => {
    const [leaving, staying] = [openStream('one'), openStream('two')];
    feed.endStreamsOf('one');
    expect([leaving.hasEnded(), staying.hasEnded()]).toEqual([true, false]);
  });

  test('ends every stream when it closes, one that was on its way too', () => {
    const open = openStream();
    const start = feed.open('one');
    feed.close();
    let hasEnded = false;
    start({ write: () => undefined, end: () => (hasEnded = true) });
    expect([open.hasEnded(), hasEnded]).toEqual([true, true]);
  });
});
