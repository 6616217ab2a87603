import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isSoak } from './src/engine/testing/tenth-of.ts';

/** They wait for half a minute each. Begun last, they would keep all other cores waiting. */
const BEGUN_FIRST = [
  'killed-portals',
  'distant-portals',
  'replicas',
  'night',
  'follow-site',
  'keep-measurements',
];

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is no array's.
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = BEGUN_FIRST.indexOf(basename(moduleId, '.test.ts'));
  return place === -1 ? BEGUN_FIRST.length : place;
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['vitest.setup.ts'],
    // Three more than two cores: some files mostly wait, for processes that must end in time.
    maxWorkers: 5,
    sequence: { sequencer: WaitingFirst },
    // No module of ours has state, so that test files can share a process. To start one for each takes a third of the time.
    isolate: false,
    // A busy machine is no failure: a test that hangs ends here, and nothing else does.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // It is printed, see CONTRIBUTING.md.
    retry: isSoak() ? 0 : 1,
    expect: { poll: { timeout: 30_000 } },
  },
});
