import { CONSENT_KEY } from '../../../contract/page/storage-keys.ts';
import type { KeyValueStore } from '../../../engine/effects/effects.ts';
import { type Store, createStore } from '../../../contract/create-store.ts';
import type { Texts } from '../../../contract/site/text-keys.ts';

/** `unasked`: the visitor has not answered yet. */
export type ConsentChoice = 'granted' | 'refused' | 'unasked';

export type ConsentState = {
  readonly choice: ConsentChoice;
  /** Whether the question is shown, for the first time or again. */
  readonly isAsking: boolean;
};

/** Whether the visitor agrees to analytics and monitoring. */
export type Consent = Store<ConsentState> & {
  /** Whether the visitor may choose. False where the site does not ask, or the browser sends Global Privacy Control. */
  readonly isChoosable: boolean;
  readonly choose: (choice: 'granted' | 'refused') => void;
  /** Shows the question again. The last choice counts until the visitor makes a new one. */
  readonly askAgain: () => void;
  /** Takes over what the visitor has chosen in another tab since. */
  readonly lookAgain: () => void;
};

/** The texts of the question. They travel only with pages that ask it. */
export type ConsentTexts = Pick<Texts, 'consentTitle' | 'consentText' | 'consentAgree' | 'consentRefuse'>;

/** What the visitor is asked. */
export type ConsentQuestion = { readonly consent: Consent; readonly texts: ConsentTexts };

export type ConsentSettings = {
  readonly isRequired: boolean;
  /** The browser's Global Privacy Control: https://w3c.github.io/gpc/ */
  readonly hasPrivacySignal: boolean;
  readonly store: KeyValueStore;
};

/** Creates the consent of this page. The browser's privacy signal comes first, then what the visitor chose before. */
export function createConsent({ isRequired, hasPrivacySignal, store }: ConsentSettings): Consent {
  const isChoosable = isRequired && !hasPrivacySignal;
  const initial = hasPrivacySignal ? 'refused' : isRequired ? readChoice(store) : 'granted';
  const { getSnapshot, subscribe, set } = createStore<ConsentState>({
    choice: initial,
    isAsking: initial === 'unasked',
  });
  return {
    isChoosable,
    getSnapshot,
    subscribe,
    choose(choice) {
      store.set(CONSENT_KEY, choice);
      set({ choice, isAsking: false });
    },
    askAgain: () => set({ ...getSnapshot(), isAsking: true }),
    lookAgain() {
      const choice = readChoice(store);
      // Where the browser stores nothing, what was chosen on this page still counts.
      if (!isChoosable || choice === 'unasked' || choice === getSnapshot().choice) return;
      set({ choice, isAsking: false });
    },
  };
}

function readChoice(store: KeyValueStore): ConsentChoice {
  const kept = store.get(CONSENT_KEY);
  return kept === 'granted' || kept === 'refused' ? kept : 'unasked';
}
