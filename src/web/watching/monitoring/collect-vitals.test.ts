import { expect, test, vi } from 'vitest';
import { collectVitals } from './collect-vitals.ts';

test('collects nothing in a browser without Array.prototype.at, where web-vitals would throw at every layout shift', () => {
  const observe = vi.fn<() => void>();
  vi.stubGlobal('PerformanceObserver', observe);
  const at = Object.getOwnPropertyDescriptor(Array.prototype, 'at');
  Reflect.deleteProperty(Array.prototype, 'at');
  try {
    collectVitals();
  } finally {
    Reflect.defineProperty(Array.prototype, 'at', at ?? {});
    vi.unstubAllGlobals();
  }
  expect(observe).not.toHaveBeenCalled();
});
