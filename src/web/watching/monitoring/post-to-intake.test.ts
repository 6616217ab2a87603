import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../engine/testing/create-fake-clock.ts';
import { type FakeAnswer, createFakeNetwork } from '../../../engine/testing/create-fake-network.ts';
import type { MessageBody } from './create-send-queue.ts';
import { postToIntake } from './post-to-intake.ts';

const INTAKE = 'https://intake.example/v1';

function open(answer: FakeAnswer) {
  const clock = createFakeClock();
  const network = createFakeNetwork(clock);
  network.lines.set('intake.example', answer);
  const ending = new AbortController();
  return {
    clock,
    network,
    ending,
    post: (body: MessageBody) =>
      postToIntake(INTAKE, body, { fetch: network.fetch, setTimer: clock.setTimer, signal: ending.signal }),
  };
}

describe('postToIntake', () => {
  test.each([
    [200, 'sent'],
    [204, 'sent'],
    [400, 'refused'],
    [403, 'refused'],
    [408, 'failed'],
    [413, 'refused'],
    [429, 'failed'],
    [500, 'failed'],
    [503, 'failed'],
  ] as const)('an answer of %i means it was %s', async (status, outcome) => {
    // A response without a body, as such answers have.
    const fetch = () => Promise.resolve(new Response(null, { status }));
    const { signal } = new AbortController();
    expect(await postToIntake(INTAKE, '{}', { fetch, setTimer: createFakeClock().setTimer, signal })).toBe(
      outcome,
    );
  });

  test('no connection is worth another try', async () => {
    const { clock, post } = open({ isDown: true });
    const outcome = post('{}');
    await clock.advance(0);
    expect(await outcome).toBe('failed');
    expect(clock.openTimers()).toBe(0);
  });

  test('no answer within 10 s is aborted', async () => {
    const { clock, network, post } = open({ isHanging: true });
    const outcome = post('{}');
    await clock.advance(9_999);
    expect(network.openRequests()).toBe(1);
    await clock.advance(1);
    expect(await outcome).toBe('failed');
    expect(network.openRequests()).toBe(0);
  });

  test('ends with its signal', async () => {
    const { network, ending, post } = open({ isHanging: true });
    const outcome = post('{}');
    ending.abort();
    expect(await outcome).toBe('failed');
    expect(network.openRequests()).toBe(0);
  });

  test('is a simple request', async () => {
    const { clock, network, post } = open({});
    const outcome = post('{}');
    await clock.advance(0);
    expect(await outcome).toBe('sent');
    const [init] = network.requests.map((request) => request.init);
    expect(init).toMatchObject({ method: 'POST', credentials: 'omit', keepalive: true });
    expect(init).not.toHaveProperty('headers');
  });

  test.each([
    ['the largest segment', 'x'.repeat(60_200), true],
    ['the largest segment, compressed or not', new Uint8Array(60_200), true],
    ['what no page may take along', 'x'.repeat(65_537), false],
    ['what no page may take along, by its bytes', '线'.repeat(22_000), false],
  ])('outlives the page, or not: %s', async (_, body, isKept) => {
    const { clock, network, post } = open({});
    void post(body);
    await clock.advance(0);
    expect(network.requests[0]?.init).toMatchObject({ keepalive: isKept });
  });
});
