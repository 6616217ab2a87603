import type {
  AnalyticsEvent,
  CountedControl,
  EventParameters,
} from '../../../contract/page/analytics-events.ts';
import { VISIT_KEY } from '../../../contract/page/storage-keys.ts';
import type { Device } from '../../../contract/visitors.ts';
import type { Row } from '../../../engine/board/describe-rows.ts';
import type { KeyValueStore } from '../../../engine/effects/effects.ts';
import type { Consent } from '../../kit/consent/create-consent.ts';
import { type EventLog, createEventLog } from '../create-event-log.ts';
import type { ReadDevice } from '../create-read-device.ts';
import type { Gtag } from './create-gtag.ts';

export type TrackedEvent = {
  [Name in AnalyticsEvent]: { readonly name: Name } & EventParameters<Name>;
}[AnalyticsEvent] & {
  /** The line that was entered, as its row was at the click: a retest may give the row another one. The tag is not told. */
  readonly entered?: { readonly row: Row; readonly clickedAt: number } | undefined;
};

/** Something the visitor used: an event for the page tag, or a control that only the portal counts. */
export type Use = TrackedEvent | { readonly name: CountedControl };

/** Notes an event, and sends it to the page tag after consent. */
export type Track = (event: TrackedEvent) => void;

export type Analytics = Pick<EventLog<TrackedEvent>, 'subscribe'> & {
  readonly track: Track;
  /** Notes the use of a control that the tag is told nothing of. */
  readonly note: (use: Use) => void;
  /** Everything used so far, also before consent. `openCounts` removes what it has counted. */
  readonly uses: Use[];
};

export type AnalyticsSettings = {
  readonly gtag: Gtag;
  readonly consent: Pick<Consent, 'getSnapshot' | 'subscribe' | 'isChoosable'>;
  /** Undefined where there is no tag. */
  readonly measurementId: string | undefined;
  readonly readDevice: ReadDevice;
  readonly referrer: string;
  /** sessionStorage, because it lasts as long as the visit. */
  readonly visitStore: KeyValueStore;
  readonly readDate: () => Date;
};

const STORAGES = ['ad_storage', 'ad_user_data', 'ad_personalization', 'analytics_storage'];

/** An event that waits for the visitor's consent, with the device at the time of the event. */
type HeldEvent = { readonly event: TrackedEvent; readonly device: Device };

/** Creates the analytics of a page. Where consent is asked, nothing reaches the tag's queue before the visitor agrees. */
export function createAnalytics(settings: AnalyticsSettings): Analytics {
  const { gtag, consent, measurementId, readDevice, referrer, visitStore, readDate } = settings;
  const log = createEventLog<TrackedEvent>();
  const uses: Use[] = [];
  let held: HeldEvent[] = [];
  let hasBegun = false;
  let isGranted = false;

  function track(event: TrackedEvent): void {
    if (!note(event)) return;
    held.push({ event, device: readDevice() });
    sendHeld();
  }

  function note(use: Use): boolean {
    return consent.getSnapshot().choice !== 'refused' && uses.push(use) > 0;
  }

  /** Sends what was held until the visitor agreed. */
  function sendHeld(): void {
    if (!isGranted) return;
    for (const { event, device } of held) {
      const { name, entered: _, ...parameters } = event;
      gtag('event', name, { device, function: name, ...parameters });
      log.add(event);
    }
    held = [];
  }

  function begin(): void {
    hasBegun = true;
    if (consent.isChoosable) gtag('consent', 'default', setAll('denied'));
    if (measurementId !== undefined) {
      gtag('js', readDate());
      gtag('config', measurementId);
    }
    if (!visitStore.get(VISIT_KEY)) {
      const event = { name: 'site_referrer', referrer } as const;
      uses.push(event);
      held.unshift({ event, device: readDevice() });
    }
  }

  function followConsent(): void {
    const { choice } = consent.getSnapshot();
    const isNowGranted = choice === 'granted';
    if (isNowGranted && !hasBegun) begin();
    if (consent.isChoosable && isNowGranted !== isGranted) {
      gtag('consent', 'update', setAll(isNowGranted ? 'granted' : 'denied'));
    }
    isGranted = isNowGranted;
    if (isNowGranted) {
      visitStore.set(VISIT_KEY, '1');
      sendHeld();
    } else if (choice === 'refused') {
      visitStore.remove(VISIT_KEY);
      held = [];
      uses.length = 0;
    }
  }

  consent.subscribe(followConsent);
  followConsent();

  return { track, note, uses, subscribe: log.subscribe };
}

function setAll(setting: 'granted' | 'denied'): Readonly<Record<string, 'granted' | 'denied'>> {
  return Object.fromEntries(STORAGES.map((storage) => [storage, setting]));
}
