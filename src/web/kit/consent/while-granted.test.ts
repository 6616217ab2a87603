import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../engine/testing/create-fake-world.ts';
import { createConsent } from './create-consent.ts';
import { whileGranted } from './while-granted.ts';

test('begins with each consent, and ends when it is taken back', () => {
  const consent = createConsent({ isRequired: true, hasPrivacySignal: false, store: createMemoryStore() });
  const seen: string[] = [];
  whileGranted(consent, async (signal) => {
    seen.push('begin');
    signal.addEventListener('abort', () => seen.push('end'));
  });
  expect(seen).toEqual([]);
  consent.choose('granted');
  consent.askAgain();
  consent.choose('granted');
  expect(seen).toEqual(['begin']);
  consent.choose('refused');
  consent.choose('granted');
  expect(seen).toEqual(['begin', 'end', 'begin']);
});
