import { expect, test } from 'vitest';
import { createStore } from '../../../contract/store.ts';
import type { BoardSnapshot } from '../../../engine/board/create-line-board.ts';
import { createMemoryStore } from '../../../engine/testing/create-fake-world.ts';
import { type Consent, createConsent } from '../../kit/consent/create-consent.ts';
import { startCounts } from './start-counts.ts';

type Visit = { readonly isRequired: boolean; readonly withoutConsent: boolean };

/** Opens a page and leaves it. Resolves with how many batches it has sent. */
async function visit({ isRequired, withoutConsent }: Visit, choose: (consent: Consent) => void) {
  let sent = 0;
  const document = Object.assign(new EventTarget(), {
    hidden: false,
    referrer: '',
    documentElement: { lang: 'en' },
  });
  const page = Object.assign(new EventTarget(), {
    document,
    location: { hostname: 'portal.example' },
    setTimeout: () => 1,
    clearTimeout: () => undefined,
    performance: { getEntriesByType: () => [] },
    navigator: { sendBeacon: () => (sent += 1) > 0 },
  });
  const consent = createConsent({ isRequired, hasPrivacySignal: false, store: createMemoryStore() });
  startCounts(page as never, {
    board: createStore<BoardSnapshot>({ phase: 'loading', rows: [] }),
    links: createStore({ kind: 'loading' }),
    uses: [],
    consent,
    readDevice: () => 'pc',
    withoutConsent,
    usable: Promise.resolve(),
  });
  choose(consent);
  // What counts is a module of its own, which is loaded by now.
  await import('./open-counts.ts');
  await new Promise(setImmediate);
  page.dispatchEvent(new Event('pagehide'));
  return sent;
}

const say =
  (...choices: readonly ('granted' | 'refused')[]) =>
  (consent: Consent): void => {
    for (const choice of choices) consent.choose(choice);
  };

test.each([
  ['consent is needed, and they have not answered', { isRequired: true, withoutConsent: false }, say(), 0],
  ['consent is needed, and they agree', { isRequired: true, withoutConsent: false }, say('granted'), 1],
  ['they refuse', { isRequired: false, withoutConsent: false }, say('refused'), 0],
  ['they agree and refuse', { isRequired: true, withoutConsent: false }, say('granted', 'refused'), 0],
  ['the site counts without consent', { isRequired: true, withoutConsent: true }, say(), 1],
  ['it does, and they refuse', { isRequired: true, withoutConsent: true }, say('refused'), 0],
])('of visitors where %s, so many batches leave', async (_, settings, choose, batches) => {
  expect(await visit(settings, choose)).toBe(batches);
});
