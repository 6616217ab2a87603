import type { Consent } from './create-consent.ts';

/** Runs something while consent is given. Aborts its signal when the visitor takes the consent back. */
export function whileGranted(
  consent: Pick<Consent, 'getSnapshot' | 'subscribe'>,
  run: (signal: AbortSignal) => Promise<void>,
): void {
  let running: AbortController | undefined;
  const follow = (): void => {
    const isGranted = consent.getSnapshot().choice === 'granted';
    if (isGranted && !running) {
      running = new AbortController();
      void run(running.signal);
    } else if (!isGranted) {
      running?.abort();
      running = undefined;
    }
  };
  consent.subscribe(follow);
  follow();
}
