import { type MetricType, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import type { SessionRecord } from '../../../contract/intake-message.ts';
import { type EventLog, createEventLog } from '../create-event-log.ts';

export type Vital = { readonly name: keyof SessionRecord['vitals']; readonly value: number };

/** Collects the web vitals of the page. Most are known only when the page is hidden. */
export function collectVitals(): EventLog<Vital> {
  const log = createEventLog<Vital>();
  // Chrome before 92 has no `at`. web-vitals would throw there at every layout shift, and monitoring would record these errors.
  if (!('at' in Array.prototype)) return log;
  const add = ({ name, value }: MetricType): void => log.add({ name, value });
  for (const watch of [onCLS, onFCP, onINP, onLCP, onTTFB]) watch(add);
  return log;
}
