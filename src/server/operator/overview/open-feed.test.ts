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
    describe: (version) => ({ version, at: state }) as unknown as ConsoleOverview, // All that this test looks at.
    fingerprint: () => state,
    now: () => clock,
    maxStreams: 3,
    maxStreamsPerCaller: 2,
  });
});

function openStream(caller = 'one', isStillAllowed = () => true) {
  const written: string[] = [];
  let hasEnded = false;
  const output = { write: (text: string) => written.push(text), end: () => (hasEnded = true) };
  const stop = feed.join({ caller, isStillAllowed }, output);
  return { written, stop, hasEnded: () => hasEnded };
}

describe('the feed', () => {
  test('tells the present at once, and then every change with a higher version', () => {
    const { written } = openStream();
    expect(written).toEqual(['event: overview\ndata: {"version":1,"at":"one"}\n\n']);
    feed.tell();
    expect(written).toHaveLength(1);
    state = 'two';
    feed.tell();
    expect(written.at(-1)).toBe('event: overview\ndata: {"version":2,"at":"two"}\n\n');
  });

  test('beats while nothing changes', () => {
    const { written } = openStream();
    clock += BEAT_EVERY_MS;
    feed.tell();
    feed.tell();
    expect(written.slice(1)).toEqual(['event: beat\ndata: {}\n\n']);
    // Somebody sets the clock back.
    clock -= 86_400_000;
    feed.tell();
    expect(written).toHaveLength(3);
  });

  test('forgets a client that has gone, and lets the next one in', () => {
    const first = openStream();
    openStream();
    expect(() => openStream('one')).toThrow('At most 3 consoles may be open, 2 of one session or address');
    openStream('two');
    expect(() => openStream('three')).toThrow('At most 3 consoles');
    first.stop();
    openStream('three');
    state = 'two';
    feed.tell();
    expect(first.written).toHaveLength(1);
  });

  test('ends the streams of a caller who leaves, and of nobody else', () => {
    const [leaving, staying] = [openStream('one'), openStream('two')];
    feed.endStreamsOf('one');
    expect([leaving.hasEnded(), staying.hasEnded()]).toEqual([true, false]);
  });

  test('tells nothing more to somebody whose session has ended', () => {
    let isAllowed = true;
    const { written, hasEnded } = openStream('one', () => isAllowed);
    isAllowed = false;
    state = 'two';
    feed.tell();
    expect([written.length, hasEnded()]).toEqual([1, true]);
  });

  test('ends every stream when it closes, and one that comes after', () => {
    const open = openStream();
    feed.close();
    expect([open.hasEnded(), openStream().hasEnded()]).toEqual([true, true]);
  });
});
