import * as fc from 'fast-check';
import { afterEach, vi } from 'vitest';
import './e2e/support/compress-less.mjs';

// The same inputs in every run: what a property finds today, it finds tomorrow.
fc.configureGlobal({ seed: 20_261_115 });

// A busy machine is no failure: by default, a condition is waited for one second only.
const PATIENCE_MS = 30_000;
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options });

// Test files share a process. A clock that one of them stops would stop for all that come after it.
afterEach(() => void vi.useRealTimers());
