import { expect, test, vi } from 'vitest';
import { createStore } from '../../../contract/store.ts';
import type { BoardSnapshot } from '../../../engine/board/create-line-board.ts';
import { createMemoryStore } from '../../../engine/testing/create-fake-world.ts';
import { type Consent, createConsent } from '../../kit/consent/create-consent.ts';
import { startCounts } from './start-counts.ts';

type Visit = { readonly isRequired: boolean; readonly withoutConsent: boolean };

/** Opens a page and leaves it. Resolves with how many batches it has sent, and whether what counts was loaded. */
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
  const listening = vi.spyOn(page, 'addEventListener');
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
  const isLoaded = listening.mock.calls.length > 0;
  page.dispatchEvent(new Event('pagehide'));
  return { sent, isLoaded };
}

const say =
  (...choices: readonly ('granted' | 'refused')[]) =>
  (consent: Consent): void => {
    for (const choice of choices) consent.choose(choice);
  };

test.each([
  [0, 'has not answered', { isRequired: true, withoutConsent: false }, say()],
  [1, 'agrees', { isRequired: true, withoutConsent: false }, say('granted')],
  [0, 'refuses, although nobody must ask', { isRequired: false, withoutConsent: false }, say('refused')],
  [0, 'agrees, and takes it back', { isRequired: true, withoutConsent: false }, say('granted', 'refused')],
  [1, 'has not answered where the site counts without', { isRequired: true, withoutConsent: true }, say()],
  [0, 'refuses where the site counts without', { isRequired: true, withoutConsent: true }, say('refused')],
])('%i batches leave of a visitor who %s', async (sent, _, settings, choose) => {
  expect(await visit(settings, choose)).toEqual({ sent, isLoaded: sent > 0 });
});
