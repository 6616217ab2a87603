import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['vitest.setup.ts'],
    // By default one core stays idle, which on two cores is half of them.
    maxWorkers: '100%',
    // A busy machine is no failure: a test that hangs ends here, and nothing else does.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
