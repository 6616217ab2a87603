import { describe, expect, test } from 'vitest';
import { createFakeWorld } from '../testing/create-fake-world.ts';
import { answerFromDocument } from './answer-from-document.ts';
import { fetchHostnames } from './fetch-hostnames.ts';

const TEN_MINUTES_MS = 600_000;
const { signal } = new AbortController();

function open(change: (start: object) => unknown = (start) => start, ageMs = 0) {
  const world = createFakeWorld();
  const start = {
    until: world.now() + TEN_MINUTES_MS - ageMs,
    answers: {
      '/json/link.json': { body: {} },
      '/api/get_ip': { body: { get_ip: '192.0.2.7', key_id: 'proof' } },
      '/api/hostnames': { body: ['a.example'], headers: { 'Waypost-Ticket': 'ticket' } },
    },
  };
  const json = JSON.stringify(change(start));
  return { world, effects: { ...world, fetch: answerFromDocument(json, world) } };
}

describe('what the document carries', () => {
  test('answers each call once, with its headers, and sends nothing', async () => {
    const { world, effects } = open();
    const first = await fetchHostnames(undefined, signal, effects);
    if (first.kind !== 'listed') expect.fail(first.kind);
    expect(first.hosts).toEqual([{ host: 'a.example' }]);
    expect(first.headers?.get('Waypost-Ticket')).toBe('ticket');
    expect(world.network.requests).toEqual([]);
    world.network.portal.set('/api/hostnames', { body: ['b.example'] });
    const again = fetchHostnames(undefined, signal, effects);
    await world.clock.advance(1);
    expect(await again).toMatchObject({ hosts: [{ host: 'b.example' }] });
    expect(world.network.requests).toHaveLength(1);
  });

  test('is used until its ticket ends after ten minutes', async () => {
    for (const [ageMs, requests] of [
      [TEN_MINUTES_MS - 1, 0],
      [TEN_MINUTES_MS, 1],
    ] as const) {
      const { world, effects } = open(undefined, ageMs);
      void fetchHostnames(undefined, signal, effects);
      expect(world.network.requests).toHaveLength(requests);
    }
  });

  test.each([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a text', () => 'x'],
    ['an object without answers', () => ({ until: Infinity })],
    ['answers without a time', ({ answers }: { answers?: object }) => ({ answers })],
    ['answers that are none', (start: object) => ({ ...start, answers: { '/api/hostnames': null } })],
  ])('is left alone where it is %s: the page uses the calls', async (_, change) => {
    const { world, effects } = open(change);
    void fetchHostnames(undefined, signal, effects);
    expect(world.network.requests.map(({ url }) => url)).toEqual(['/api/hostnames']);
  });

  test('is left alone where it is cut off', () => {
    const world = createFakeWorld();
    void answerFromDocument('{"until":1,"answers":{"/api/host', world)('/api/hostnames', {});
    expect(world.network.requests).toHaveLength(1);
  });

  test('is checked like any other answer: a list of bad entries is an empty list', async () => {
    const { world, effects } = open((start) => ({
      ...start,
      answers: { '/api/hostnames': { body: { hosts: ['evil.example'] } } },
    }));
    expect(await fetchHostnames(undefined, signal, effects)).toMatchObject({ hosts: [] });
    expect(world.network.requests).toEqual([]);
  });
});
