import type { Consent } from '../../kit/consent/create-consent.ts';
import { whileGranted } from '../../kit/consent/while-granted.ts';
import type { ErrorReport } from '../../../contract/intake-message.ts';
import { type EventLog, createEventLog } from '../create-event-log.ts';
import type { MonitoringSettings } from './open-monitoring.ts';

export type MonitoringStart = Omit<MonitoringSettings, 'errors'> & {
  readonly consent: Consent;
  /** Resolves when the page can be used. The monitoring is loaded after that. */
  readonly usable: Promise<void>;
};

/** Loads and starts the monitoring when the page can be used and the visitor agrees. Errors are collected at once. */
export function startMonitoring(page: Window & typeof globalThis, settings: MonitoringStart): void {
  const errors = collectErrors(page);
  whileGranted(settings.consent, async (signal) => {
    await settings.usable;
    if (signal.aborted) return;
    // A script that is blocked or lost leaves the page as it is: unmonitored.
    const opened = await import('./open-monitoring.ts').catch(() => undefined);
    if (!signal.aborted) opened?.openMonitoring(page, { ...settings, errors }, signal);
  });
}

/** Collects the errors that nobody caught, from now on. */
function collectErrors(page: Pick<Window, 'addEventListener'>): EventLog<ErrorReport> {
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
