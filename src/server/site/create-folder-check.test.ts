import { expect, test } from 'vitest';
import { createFolderCheck } from './create-folder-check.ts';

test('a folder is settling from the first sight of a change until it is loaded', async () => {
  let folder = 'old';
  let lastLoaded = folder;
  const { check, isSettling } = createFolderCheck({
    lastLoaded: () => lastLoaded,
    readFingerprint: async () => folder,
    onChange: async (fingerprint) => {
      lastLoaded = fingerprint;
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  const seen: boolean[] = [];
  for (const next of ['old', 'half', 'whole', 'whole', 'whole']) {
    folder = next;
    await check();
    seen.push(isSettling());
  }
  expect(seen).toEqual([false, true, true, false, false]);
  expect(lastLoaded).toBe('whole');
});
