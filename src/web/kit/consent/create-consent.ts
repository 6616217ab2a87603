import { CONSENT_KEY } from '../../../contract/page/storage-keys.ts';
import type { KeyValueStore } from '../../../engine/effects/effects.ts';
import type { Store } from '../page/store.ts';

/** `unasked`: it is the visitor's to say, and not said yet. */
export type ConsentChoice = 'granted' | 'refused' | 'unasked';

export type ConsentState = {
  readonly choice: ConsentChoice;
  /** Whether the visitor is being asked, for the first time or again. */
  readonly isAsking: boolean;
};

/** Whether the visitor lets us watch, as a store. */
export type Consent = Store<ConsentState> & {
  /** Whether it is the visitor's to say at all. */
  readonly isChoosable: boolean;
  readonly choose: (choice: 'granted' | 'refused') => void;
  /** Asks again; what was chosen holds until something else is. */
  readonly askAgain: () => void;
};

export type ConsentSettings = {
  readonly isRequired: boolean;
  /** The browser's Global Privacy Control: https://w3c.github.io/gpc/ */
  readonly hasPrivacySignal: boolean;
  readonly store: KeyValueStore;
};

/** Creates the consent of this page: as it was chosen before, as the browser says, or as the site is set. */
export function createConsent({ isRequired, hasPrivacySignal, store }: ConsentSettings): Consent {
  const subscribers = new Set<() => void>();
  const isChoosable = isRequired && !hasPrivacySignal;
  const initial = hasPrivacySignal ? 'refused' : isRequired ? readChoice(store) : 'granted';
  let state: ConsentState = { choice: initial, isAsking: initial === 'unasked' };

  function change(next: ConsentState): void {
    state = next;
    for (const notify of subscribers) notify();
  }

  return {
    isChoosable,
    getSnapshot: () => state,
    subscribe(onChange) {
      subscribers.add(onChange);
      return () => subscribers.delete(onChange);
    },
    choose(choice) {
      store.set(CONSENT_KEY, choice);
      change({ choice, isAsking: false });
    },
    askAgain: () => change({ ...state, isAsking: true }),
  };
}

function readChoice(store: KeyValueStore): ConsentChoice {
  const kept = store.get(CONSENT_KEY);
  return kept === 'granted' || kept === 'refused' ? kept : 'unasked';
}
