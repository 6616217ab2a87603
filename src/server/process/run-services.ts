import type { Logger } from 'pino';
import { withDeadline } from './with-deadline.ts';

/** A part of a server that works by itself, beside the answers that it gives. */
export type Service = {
  /** Starts its repeated work. The function that it returns stops the work. */
  readonly start: () => () => void;
  /** Saves what is not saved yet, after the work was stopped. */
  readonly close?: () => Promise<void>;
};

export type RunningServices = {
  /** Starts the services in the order of the list. */
  readonly start: () => void;
  /** Stops all services, and lets each save what it holds, within this time. It never rejects. */
  readonly close: (limitMs: number) => Promise<void>;
};

/** Runs the services of a server together. */
export function runServices(services: readonly Service[], log: Pick<Logger, 'error'>): RunningServices {
  const stops: (() => void)[] = [];
  const tell = (error: unknown): void =>
    log.error({ err: error }, 'a service could not save everything before the end');
  return {
    start: () => stops.push(...services.map((service) => service.start())),
    close: async (limitMs) => {
      for (const stop of stops) stop();
      // One that fails must not cut the others short.
      const saving = Promise.all(services.map(async (service) => service.close?.().catch(tell)));
      const message = `not every service closed within ${limitMs} ms`;
      await withDeadline(saving, limitMs, message).catch(tell);
    },
  };
}
