import { describe, expect, test } from 'vitest';
import { CONSENT_KEY } from '../../../contract/page/storage-keys.ts';
import { createMemoryStore } from '../../../engine/testing/create-fake-world.ts';
import { createConsent } from './create-consent.ts';

const required = { isRequired: true, hasPrivacySignal: false };

describe('createConsent', () => {
  test('asks where consent is required', () => {
    const consent = createConsent({ ...required, store: createMemoryStore() });
    expect(consent.getSnapshot()).toEqual({ choice: 'unasked', isAsking: true });
    expect(consent.isChoosable).toBe(true);
  });

  test('takes consent for granted where it is not required, and stores nothing', () => {
    const store = createMemoryStore();
    const consent = createConsent({ isRequired: false, hasPrivacySignal: false, store });
    expect(consent.getSnapshot()).toEqual({ choice: 'granted', isAsking: false });
    expect(consent.isChoosable).toBe(false);
    expect(store.get(CONSENT_KEY)).toBeNull();
  });

  test.each([true, false])('counts the privacy signal as a refusal (required: %s)', (isRequired) => {
    const store = createMemoryStore();
    store.set(CONSENT_KEY, 'granted');
    const consent = createConsent({ isRequired, hasPrivacySignal: true, store });
    expect(consent.getSnapshot()).toEqual({ choice: 'refused', isAsking: false });
    expect(consent.isChoosable).toBe(false);
  });

  test.each(['granted', 'refused'] as const)('remembers that it was %s', (choice) => {
    const store = createMemoryStore();
    createConsent({ ...required, store }).choose(choice);
    expect(createConsent({ ...required, store }).getSnapshot()).toEqual({ choice, isAsking: false });
  });

  test('asks again for a choice that nobody offered', () => {
    const store = createMemoryStore();
    store.set(CONSENT_KEY, 'perhaps');
    expect(createConsent({ ...required, store }).getSnapshot().choice).toBe('unasked');
  });

  test('takes over what was chosen in another tab, and tells its subscribers', () => {
    const store = createMemoryStore();
    const [here, there] = [createConsent({ ...required, store }), createConsent({ ...required, store })];
    const seen: unknown[] = [];
    here.subscribe(() => seen.push(here.getSnapshot()));
    here.lookAgain();
    there.choose('granted');
    here.lookAgain();
    here.lookAgain();
    there.choose('refused');
    here.lookAgain();
    store.remove(CONSENT_KEY);
    here.lookAgain();
    expect(seen).toEqual([
      { choice: 'granted', isAsking: false },
      { choice: 'refused', isAsking: false },
    ]);
  });

  test('no other tab overrules the privacy signal', () => {
    const store = createMemoryStore();
    const consent = createConsent({ isRequired: true, hasPrivacySignal: true, store });
    store.set(CONSENT_KEY, 'granted');
    consent.lookAgain();
    expect(consent.getSnapshot().choice).toBe('refused');
  });

  test('holds on to the choice while it asks again, and tells its subscribers', () => {
    const consent = createConsent({ ...required, store: createMemoryStore() });
    const seen: unknown[] = [];
    const end = consent.subscribe(() => seen.push(consent.getSnapshot()));
    consent.choose('granted');
    consent.askAgain();
    consent.choose('refused');
    end();
    consent.askAgain();
    expect(seen).toEqual([
      { choice: 'granted', isAsking: false },
      { choice: 'granted', isAsking: true },
      { choice: 'refused', isAsking: false },
    ]);
  });
});
