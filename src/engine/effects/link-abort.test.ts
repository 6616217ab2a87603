import { describe, expect, test } from 'vitest';
import { linkAbort } from './link-abort.ts';

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

/** Its signal ignores what listeners are added with. */
function createOldController(): AbortController {
  const controller = new AbortController();
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: EventListenerOrEventListenerObject) =>
    add(type, listener);
  return controller;
}
