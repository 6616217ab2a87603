import { describe, expect, test } from 'vitest';
import { type FakeAnswer, MARKER } from '../testing/create-fake-network.ts';
import { type FakeWorld, createFakeWorld } from '../testing/create-fake-world.ts';
import { probeLine } from './probe-line.ts';

const line = { host: 'a.example', address: 'https://a.example' };
const URL = 'https://a.example/speed.php';

/** Probes a line that answers like this, as `/` does. */
function startProbe(
  answer: FakeAnswer,
  { outer = new AbortController().signal, address = line.address } = {},
) {
  const world = createFakeWorld();
  world.network.lines.set('a.example', answer);
  const settings = { ...world, marker: MARKER, markerHeader: 'server', askAnybody: world.createQuestion() };
  return { ...world, ...probeLine({ ...line, address }, settings, outer) };
}

const statesOf = ({ network }: Pick<FakeWorld, 'network'>) => network.requests.map(({ state }) => state);

describe('after a probe has failed, a page', () => {
  test('asks once more, for an answer that it cannot read, without cookies, referrer or cache', async () => {
    const { verdict, result, clock, network } = startProbe({ isUnreadable: true, delayMs: 30 });
    await clock.advance(60);
    expect(await verdict).toBe('wrong-server');
    expect(await result).toEqual({ host: 'a.example', time: 99_999, cause: 'wrong-server' });
    expect(network.requests.map(({ url }) => url)).toEqual([URL, URL]);
    expect(network.requests[1]?.init).toMatchObject({
      mode: 'no-cors',
      redirect: 'follow',
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    expect(network.requests[1]?.init.headers).toBeUndefined();
    // Nobody reads the body, so its download ends.
    expect(network.requests[1]?.init.signal?.aborted).toBe(true);
    expect(clock.openTimers()).toBe(0);
  });

  test('calls a line unreachable where nobody answers that, either', async () => {
    const { verdict, clock } = startProbe({ isDown: true });
    await clock.advance(50);
    expect(await verdict).toBe('unreachable');
    expect(clock.openTimers()).toBe(0);
  });

  test.each([{}, { headers: { server: 'nginx' } }, { isHanging: true }])(
    'asks nothing where there is nothing to ask: %j',
    async (answer) => {
      const { network, clock } = startProbe(answer);
      await clock.advance(6_000);
      expect(network.requests).toHaveLength(1);
    },
  );

  test('has what is left of the 5 seconds for it', async () => {
    const slow = startProbe({ isUnreadable: true, delayMs: 2_499 });
    await slow.clock.advance(5_000);
    expect(await slow.verdict).toBe('wrong-server');
    const slower = startProbe({ isUnreadable: true, delayMs: 2_501 });
    await slower.clock.advance(5_000);
    expect(await slower.verdict).toBe('unreachable');
    expect(statesOf(slower)).toEqual(['failed', 'aborted']);
    expect(slower.clock.openTimers()).toBe(0);
  });

  test('that is left meanwhile has no result', async () => {
    const outer = new AbortController();
    const left = startProbe({ isUnreadable: true, delayMs: 30 }, { outer: outer.signal });
    await left.clock.advance(40);
    outer.abort();
    expect([await left.verdict, await left.result]).toEqual([undefined, undefined]);
    expect(statesOf(left)).toEqual(['failed', 'aborted']);
    expect(left.clock.openTimers()).toBe(0);
  });

  test('takes a redirect that its own policy forbids for an answer, told before or after the request has failed', async () => {
    for (const passedMs of [30, 70]) {
      const { verdict, clock, block } = startProbe({ isDown: true, delayMs: 30 });
      await clock.advance(passedMs);
      block('https://b.example/speed.php');
      block(URL);
      await clock.advance(100);
      expect(await verdict).toBe('wrong-server');
    }
  });

  test('does not take what the policy forbids of others for an answer, nor an http line that it forbids', async () => {
    const other = startProbe({ isDown: true });
    await other.clock.advance(10);
    other.block('https://b.example/speed.php');
    await other.clock.advance(100);
    expect(await other.verdict).toBe('unreachable');
    const plain = startProbe({ isDown: true, delayMs: 5 }, { address: 'http://a.example' });
    await plain.clock.advance(7);
    plain.block('http://a.example/speed.php');
    await plain.clock.advance(100);
    expect(await plain.verdict).toBe('unreachable');
  });
});
