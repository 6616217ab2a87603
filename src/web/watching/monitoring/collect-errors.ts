import type { ErrorReport } from '../../../contract/intake-message.ts';
import { type EventLog, createEventLog } from '../create-event-log.ts';

/** Collects the errors that nobody caught, from now on. */
export function collectErrors(page: Pick<Window, 'addEventListener'>): EventLog<ErrorReport> {
  const log = createEventLog<ErrorReport>();
  page.addEventListener('error', ({ error, message, filename, lineno, colno }) => {
    log.add(describeError(error, message, `${filename}:${lineno}:${colno}`));
  });
  page.addEventListener('unhandledrejection', ({ reason }) => {
    log.add(describeError(reason, String(reason), ''));
  });
  return log;
}

/** Anything can be thrown; what is no Error has no stack of its own. */
function describeError(thrown: unknown, message: string, place: string): ErrorReport {
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  return { at: Date.now(), message, stack: stack ?? place };
}
