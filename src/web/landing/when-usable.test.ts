import { describe, expect, test, vi } from 'vitest';
import { createStore } from '../../contract/create-store.ts';
import { UNMEASURED_BOARD, createIdleHandOver } from './create-idle-hand-over.ts';
import { whenReactMayStart, whenUsable } from './when-usable.ts';

test('a browser that does not tell when it is idle, as Safari, counts as idle after a moment', async () => {
  vi.useFakeTimers();
  const page = { document: { readyState: 'complete' }, setTimeout };
  let isUsable = false;
  // As much of a page as it asks for. There is no requestIdleCallback.
  void whenUsable(page as unknown as Window & typeof globalThis, createIdleHandOver('loaded', {})).then(
    () => (isUsable = true),
  );
  // Nothing is measured, so it waits 10 s for that.
  await vi.advanceTimersByTimeAsync(10_199);
  expect(isUsable).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isUsable).toBe(true);
});

describe('React may start', () => {
  /** Waits with a board that the test changes, in a page that knows when it is idle. */
  function wait(kind: 'loading' | 'failed' = 'loading') {
    vi.useFakeTimers();
    const board = createStore(UNMEASURED_BOARD);
    let becomeIdle = (): void => undefined;
    const requestIdleCallback = (callback: () => void) => (becomeIdle = callback);
    const page = { setTimeout, requestIdleCallback } as unknown as Window & typeof globalThis;
    const { links } = createIdleHandOver(kind, {});
    const waiting = { mayStart: false, board, becomeIdle: () => becomeIdle() };
    const handOver = { board: { ...board, retest: () => undefined }, links };
    void whenReactMayStart(page, handOver).then(() => (waiting.mayStart = true));
    return waiting;
  }
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test('when every row has its result, and the browser is idle', async () => {
    const waiting = wait();
    await pass(100);
    const measured = UNMEASURED_BOARD.rows.map(
      (row) => ({ ...row, speed: { key: 'measured', ms: 38 } }) as const,
    );
    waiting.board.set({
      phase: 'loading',
      rows: [...measured.slice(1), ...UNMEASURED_BOARD.rows.slice(0, 1)],
    });
    waiting.becomeIdle();
    await pass(0);
    expect(waiting.mayStart).toBe(false);
    waiting.board.set({ phase: 'loading', rows: measured });
    await pass(0);
    expect(waiting.mayStart).toBe(false);
    waiting.becomeIdle();
    await pass(0);
    expect(waiting.mayStart).toBe(true);
  });

  test('after 3 s without a result, when the browser is idle', async () => {
    const waiting = wait();
    await pass(2_999);
    waiting.becomeIdle();
    await pass(0);
    expect(waiting.mayStart).toBe(false);
    await pass(1);
    waiting.becomeIdle();
    await pass(0);
    expect(waiting.mayStart).toBe(true);
  });

  test('at once if the links failed, because only React can say so', async () => {
    const waiting = wait('failed');
    await pass(0);
    expect(waiting.mayStart).toBe(true);
  });
});
