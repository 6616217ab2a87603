import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../engine/testing/create-fake-clock.ts';
import { watchPortal } from './watch-portal.ts';

const GONE = new TypeError('Failed to fetch');
const BACK = new Response('{}', { headers: { 'Content-Type': 'application/json' } });

/** A page that watches a portal, which is gone at first. */
function createWorld() {
  const clock = createFakeClock();
  const startedAt = clock.now();
  const timers = new Map<number, () => void>();
  const page = new EventTarget();
  const document = Object.assign(new EventTarget(), { hidden: false });
  const asked: number[] = [];
  let portal: Response | Error | 'hangs' = GONE;
  let backCount = 0;
  watchPortal({
    page: Object.assign(page, {
      document,
      setTimeout: (callback: () => void, delayMs: number) => {
        timers.set(timers.size + 1, clock.setTimer(callback, delayMs));
        return timers.size;
      },
      clearTimeout: (id?: number) => timers.get(id ?? 0)?.(),
    }),
    ask: (signal) => {
      asked.push((clock.now() - startedAt) / 1_000);
      if (portal === 'hangs') {
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(GONE)));
      }
      return portal instanceof Error ? Promise.reject(portal) : Promise.resolve(portal);
    },
    onBack: () => void (backCount += 1),
  });
  return {
    clock,
    /** At which second it has asked. */
    asked,
    backCount: () => backCount,
    setPortal: (answer: typeof portal) => void (portal = answer),
    hide: (isHidden: boolean) => {
      document.hidden = isHidden;
      document.dispatchEvent(new Event('visibilitychange'));
    },
    goOnline: () => page.dispatchEvent(new Event('online')),
  };
}

describe('watchPortal', () => {
  test('asks less and less often, and at least every five minutes', async () => {
    const { clock, asked } = createWorld();
    await clock.advance(1_235_000);
    expect(asked).toEqual([5, 10, 20, 40, 80, 160, 320, 620, 920, 1220]);
  });

  test('says once that the portal is back, and then asks no more', async () => {
    const { clock, asked, backCount, setPortal, goOnline, hide } = createWorld();
    await clock.advance(7_000);
    expect(backCount()).toBe(0);
    setPortal(BACK);
    await clock.advance(600_000);
    goOnline();
    hide(false);
    await clock.settle();
    expect(backCount()).toBe(1);
    expect(asked).toEqual([5, 10]);
    expect(clock.openTimers()).toBe(0);
  });

  test.each([
    ['a proxy without a portal', new Response('{}', { status: 502, headers: BACK.headers })],
    ['the page of a hotel’s network', new Response('<h1>', { headers: { 'Content-Type': 'text/html' } })],
  ])('does not take %s for the portal', async (_, answer) => {
    const { clock, asked, backCount, setPortal } = createWorld();
    setPortal(answer);
    await clock.advance(10_000);
    expect(asked).toEqual([5, 10]);
    expect(backCount()).toBe(0);
  });

  test('gives a request up that has no answer after 10 s, and asks again', async () => {
    const { clock, asked, backCount, setPortal } = createWorld();
    setPortal('hangs');
    await clock.advance(14_999);
    expect(asked).toEqual([5]);
    await clock.advance(1);
    setPortal(BACK);
    await clock.advance(5_000);
    expect(asked).toEqual([5, 20]);
    expect(backCount()).toBe(1);
    expect(clock.openTimers()).toBe(0);
  });

  test('asks at once when the network is there again, and when the page is seen again', async () => {
    const { clock, asked, goOnline, hide } = createWorld();
    await clock.advance(1_000);
    goOnline();
    await clock.advance(1_000);
    hide(true);
    await clock.advance(60_000);
    hide(false);
    await clock.settle();
    // Nobody looks between 2 s and 62 s.
    expect(asked).toEqual([1, 62]);
  });
});
