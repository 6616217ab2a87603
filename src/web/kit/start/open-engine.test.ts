import { expect, test } from 'vitest';
import { openEngine } from './open-engine.ts';

const lines = { marker: 'm', markerHeader: 'server', fallback: [], ports: [] };

test('a browser without sendBeacon, or with one that may send nothing, loses the report and no more', () => {
  for (const navigator of [{}, { sendBeacon: () => false }]) {
    const page = {
      navigator,
      performance,
      document: { hidden: false, addEventListener: () => undefined, getElementById: () => null },
      get sessionStorage(): never {
        throw new DOMException('denied', 'SecurityError');
      },
    };
    // As much of a page as the engine asks for.
    const { report, prober } = openEngine(page as unknown as Window & typeof globalThis, { lines });
    const line = prober.lineOf({ host: 'a.example' });
    report.open('ticket', [line]);
    report.note('a.example', Promise.resolve(undefined));
    report.enter('a.example');
    expect(() => report.send()).not.toThrow();
  }
});
