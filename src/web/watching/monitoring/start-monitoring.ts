import type { Consent } from '../../kit/consent/create-consent.ts';
import { whileGranted } from '../../kit/consent/while-granted.ts';
import { collectErrors } from './collect-errors.ts';
import type { MonitoringSettings } from './open-monitoring.ts';

export type MonitoringStart = Omit<MonitoringSettings, 'errors'> & {
  readonly consent: Consent;
  /** Resolves when the page can be used. The monitoring is loaded after that. */
  readonly usable: Promise<void>;
};

/** Loads and starts the monitoring when the page can be used and the visitor agrees. Errors are collected at once. */
export function startMonitoring(page: Window & typeof globalThis, settings: MonitoringStart): void {
  const errors = collectErrors(page, settings.consent);
  whileGranted(settings.consent, async (signal) => {
    await settings.usable;
    if (signal.aborted) return;
    // A script that is blocked or lost leaves the page as it is: unmonitored.
    const opened = await import('./open-monitoring.ts').catch(() => undefined);
    if (!signal.aborted) opened?.openMonitoring(page, { ...settings, errors }, signal);
  });
}
