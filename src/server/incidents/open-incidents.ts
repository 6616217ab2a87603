import type { Logger } from 'pino';
import { findConsoleLanguage } from '../../contract/console-language.ts';
import { nameBrand } from '../../contract/site/site-config.ts';
import { createSigner } from '../caller/create-signer.ts';
import type { SendMessage } from '../messages/create-delivery.ts';
import { nameOnCall } from '../messages/choose-messages.ts';
import { describeMessage } from '../messages/describe-message.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import type { Service } from '../process/run-services.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import type { Database } from '../store/database.ts';
import { createLineGrouper } from './create-line-grouper.ts';
import type { Observer, ObserverSources } from './create-observer.ts';
import { isInMaintenance } from './is-in-maintenance.ts';
import { LATELY_MINUTES } from './observe-site.ts';
import { createIncidentStore } from './create-incident-store.ts';
import { type IncidentKeeper, createIncidentKeeper } from './create-incident-keeper.ts';

export type OpenIncidentsOptions = Omit<ObserverSources, 'site'> & {
  readonly site: () => Pick<PublishedSite, 'ownerOf' | 'lines' | 'config'>;
  readonly database: Database;
  /** The same on all portals of the site. */
  readonly secret: Uint8Array;
  readonly observer: Pick<Observer, 'observe'>;
  /** How long all must be well before an incident ends. */
  readonly calmSeconds: () => number;
  readonly send: SendMessage;
  readonly metrics: Pick<Metrics, 'setIncidents' | 'countMessage'>;
  readonly log: Logger;
  readonly now: () => number;
};

export type OpenedIncidents = IncidentKeeper & Service;

/** How late an incident may be noticed after its signs are there. */
const FOLLOW_EVERY_MS = 1_000;

/** Makes incidents of what a portal sees, and messages in the words of its site. */
export function openIncidents(options: OpenIncidentsOptions): OpenedIncidents {
  const { secret, observer, calmSeconds, send, metrics, log, now, ...sources } = options;
  const { site, database } = sources;
  const signer = createSigner(secret);
  const groupLines = createLineGrouper();
  const keeper = createIncidentKeeper({
    store: createIncidentStore(database),
    observe: () => observer.observe(sources),
    groupLines: () => groupLines(sources),
    settings: () => site().config.alerts,
    calmMs: () => calmSeconds() * 1_000,
    isSilenced: (causes) => isInMaintenance(site(), causes, now()),
    describe: (incident, { channel, type }, id) => {
      const { config, ownerOf } = site();
      const { channels = [], onCall } = config.alerts ?? {};
      const { reports, stranded } = sources.measurements.history.sumArrivals(now(), LATELY_MINUTES);
      return describeMessage(incident, {
        id,
        type,
        site: nameBrand(config),
        now: now(),
        language: findConsoleLanguage([config.defaultLocale]),
        timeZone: channels.find(({ name }) => name === channel)?.timeZone,
        consoleUrl: config.console.url,
        percentIn: reports === 0 ? undefined : Math.floor((1 - stranded / reports) * 100),
        ownerOf,
        onCall: nameOnCall({ onCall }, now()).join(', ') || undefined,
      });
    },
    sign: (text) => signer.sign('incident', text),
    send,
    onOpen: metrics.setIncidents,
    onMessage: metrics.countMessage,
    log,
    now,
  });
  return {
    ...keeper,
    start: () =>
      stopAll(
        keeper.watch(),
        repeat(keeper.follow, () => FOLLOW_EVERY_MS, { name: 'incidents: follow', log }),
      ),
  };
}
