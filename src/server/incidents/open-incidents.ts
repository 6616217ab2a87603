import type { Logger } from 'pino';
import { findConsoleLanguage } from '../../contract/console-language.ts';
import { nameBrand } from '../../contract/site/site-config.ts';
import { createSigner } from '../caller/create-signer.ts';
import type { SendMessage } from '../messages/create-delivery.ts';
import { describeMessage } from '../messages/describe-message.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import type { Service } from '../process/run-services.ts';
import type { Database } from '../store/database.ts';
import { type Observer, type ObserverSources, isInMaintenance } from './create-observer.ts';
import { createIncidentStore } from './create-incident-store.ts';
import { type IncidentKeeper, createIncidentKeeper } from './create-incident-keeper.ts';

export type OpenIncidentsOptions = ObserverSources & {
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
  const keeper = createIncidentKeeper({
    store: createIncidentStore(database),
    observe: () => observer.observe(sources),
    settings: () => site().config.alerts,
    calmMs: () => calmSeconds() * 1_000,
    isSilenced: (incident) => isInMaintenance(site(), incident, now()),
    describe: (incident, { type }, id) => {
      const { config } = site();
      const language = findConsoleLanguage([config.defaultLocale]);
      return describeMessage(incident, { id, type, site: nameBrand(config), language, now: now() });
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
