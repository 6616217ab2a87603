import type { AnalyticsEvent, EventParameters } from '../../contract/analytics-events.ts';
import { VISIT_KEY } from '../../contract/storage-keys.ts';
import type { KeyValueStore } from '../../engine/effects.ts';
import type { Consent } from '../consent/create-consent.ts';
import { type EventLog, createEventLog } from '../create-event-log.ts';
import type { ReadDevice } from '../read-device.ts';
import type { Gtag } from './create-gtag.ts';

export type TrackedEvent = {
  [Name in AnalyticsEvent]: { readonly name: Name } & EventParameters<Name>;
}[AnalyticsEvent];

/** Tells the page tag that something happened. */
export type Track = (event: TrackedEvent) => void;

export type Analytics = Pick<EventLog<TrackedEvent>, 'subscribe'> & {
  readonly track: Track;
};

export type AnalyticsSettings = {
  readonly gtag: Gtag;
  readonly consent: Pick<Consent, 'getSnapshot' | 'subscribe' | 'isChoosable'>;
  /** Undefined where there is no tag. */
  readonly measurementId: string | undefined;
  readonly readDevice: ReadDevice;
  readonly referrer: string;
  /** Lives as long as the visit: sessionStorage. */
  readonly visitStore: KeyValueStore;
  readonly readDate: () => Date;
};

const STORAGES = ['ad_storage', 'ad_user_data', 'ad_personalization', 'analytics_storage'];
/** How long the tag, once it is there, waits for what the visitor chose: that is in its queue, behind the events. */
const UPDATE_WAIT_MS = 500;

/** Starts the analytics of a page: events reach the tag's queue unless the visitor refused. */
export function createAnalytics(settings: AnalyticsSettings): Analytics {
  const { gtag, consent, measurementId, readDevice, referrer, visitStore, readDate } = settings;
  const log = createEventLog<TrackedEvent>();
  let hasBegun = false;
  let isGranted = false;

  function track(event: TrackedEvent): void {
    if (consent.getSnapshot().choice === 'refused') return;
    const { name, ...parameters } = event;
    gtag('event', name, { device: readDevice(), function: name, ...parameters });
    log.add(event);
  }

  function begin(): void {
    hasBegun = true;
    if (consent.isChoosable) {
      gtag('consent', 'default', { ...setAll('denied'), wait_for_update: UPDATE_WAIT_MS });
    }
    if (measurementId !== undefined) {
      gtag('js', readDate());
      gtag('config', measurementId);
    }
    if (visitStore.get(VISIT_KEY) === undefined) track({ name: 'site_referrer', referrer });
  }

  function followConsent(): void {
    const { choice } = consent.getSnapshot();
    if (!hasBegun && choice !== 'refused') begin();
    const isNowGranted = choice === 'granted';
    if (isNowGranted) visitStore.set(VISIT_KEY, '1');
    if (choice === 'refused') visitStore.remove(VISIT_KEY);
    if (consent.isChoosable && isNowGranted !== isGranted) {
      gtag('consent', 'update', setAll(isNowGranted ? 'granted' : 'denied'));
    }
    isGranted = isNowGranted;
  }

  consent.subscribe(followConsent);
  followConsent();

  return { track, subscribe: log.subscribe };
}

function setAll(setting: 'granted' | 'denied'): Readonly<Record<string, 'granted' | 'denied'>> {
  return Object.fromEntries(STORAGES.map((storage) => [storage, setting]));
}
