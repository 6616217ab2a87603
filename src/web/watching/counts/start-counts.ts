import type { CountsSettings } from './open-counts.ts';

export type CountsStart = Omit<CountsSettings, 'mayCount'> & {
  /** Whether visitors who have not answered yet are counted. Those who refused never are. */
  readonly withoutConsent: boolean;
  /** Resolves when the page can be used. The script that counts is loaded after that. */
  readonly usable: Promise<void>;
};

/** Loads the script that counts, once, when the page can be used and the visitor may be counted. */
export function startCounts(page: Window & typeof globalThis, settings: CountsStart): void {
  const { consent, withoutConsent, usable } = settings;
  const mayCount = (): boolean => {
    const { choice } = consent.getSnapshot();
    return choice === 'granted' || (withoutConsent && choice !== 'refused');
  };
  let isLoaded = false;
  const load = async (): Promise<void> => {
    await usable;
    if (isLoaded || !mayCount()) return;
    isLoaded = true;
    // A script that is blocked or lost leaves the page as it is: uncounted.
    const opened = await import('./open-counts.ts').catch(() => undefined);
    opened?.openCounts(page, { ...settings, mayCount });
  };
  consent.subscribe(() => void load());
  void load();
}
