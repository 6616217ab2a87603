import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../testing/create-fake-clock.ts';
import { abortAfter, linkAbort } from './link-abort.ts';

describe.each([
  ['every option of addEventListener', () => new AbortController()],
  ['no "signal" among them, as Chrome before 90 and Safari before 15', createOldController],
])('linkAbort in a browser that knows %s', (_, create) => {
  test('aborts with the outer signal, and does not abort the outer one', () => {
    const outer = create();
    const [first, second] = [linkAbort(outer.signal), linkAbort(outer.signal)];
    first.abort();
    expect([outer.signal.aborted, second.signal.aborted]).toEqual([false, false]);
    outer.abort();
    expect(second.signal.aborted).toBe(true);
    expect(linkAbort(outer.signal).signal.aborted).toBe(true);
  });
});

describe('abortAfter', () => {
  const { signal } = new AbortController();

  test('aborts when its time is up, and not before', async () => {
    const { setTimer, advance } = createFakeClock();
    const controller = abortAfter(5_000, signal, setTimer);
    await advance(4_999);
    expect(controller.signal.aborted).toBe(false);
    await advance(1);
    expect(controller.signal.aborted).toBe(true);
  });

  test.each([
    ['it is aborted', (own: AbortController) => own.abort()],
    ['the outer signal aborts', (_: AbortController, outer: AbortController) => outer.abort()],
  ])('leaves no timer when %s', (_, abort) => {
    const { setTimer, openTimers } = createFakeClock();
    const outer = new AbortController();
    const own = abortAfter(5_000, outer.signal, setTimer);
    expect(openTimers()).toBe(1);
    abort(own, outer);
    expect([own.signal.aborted, openTimers()]).toEqual([true, 0]);
  });

  test('leaves no timer where the outer signal has aborted before', () => {
    const { setTimer, openTimers } = createFakeClock();
    expect(abortAfter(5_000, AbortSignal.abort(), setTimer).signal.aborted).toBe(true);
    expect(openTimers()).toBe(0);
  });
});

/** Its signal ignores what listeners are added with. */
function createOldController(): AbortController {
  const controller = new AbortController();
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: EventListenerOrEventListenerObject) =>
    add(type, listener);
  return controller;
}
