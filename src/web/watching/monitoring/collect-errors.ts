import type { Consent } from '../../kit/consent/create-consent.ts';
import { type EventLog, createEventLog } from '../create-event-log.ts';

/** An error that nobody caught, as the browser tells of it. */
export type UncaughtError = {
  readonly at: number;
  readonly event: ErrorEvent | PromiseRejectionEvent;
};

/** Collects the errors that nobody caught, from now on. Drops them when the visitor refuses. */
export function collectErrors(
  page: Pick<Window, 'addEventListener'>,
  { getSnapshot, subscribe }: Pick<Consent, 'getSnapshot' | 'subscribe'>,
): EventLog<UncaughtError> {
  const log = createEventLog<UncaughtError>();

  function add(event: UncaughtError['event']): void {
    log.add({ at: Date.now(), event });
    dropRefused();
  }

  function dropRefused(): void {
    if (getSnapshot().choice === 'refused') log.clear();
  }

  subscribe(dropRefused);
  page.addEventListener('error', add);
  page.addEventListener('unhandledrejection', add);
  return log;
}
