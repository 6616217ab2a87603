import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['vitest.setup.ts'],
    // Two more than two cores have: some files mostly wait, for processes that must end in time.
    maxWorkers: 4,
    // No module of ours has state, so that test files can share a process. To start one for each takes a third of the time.
    isolate: false,
    // A busy machine is no failure: a test that hangs ends here, and nothing else does.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
