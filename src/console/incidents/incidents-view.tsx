import type { ReactNode } from 'react';
import {
  type ConsoleIncident,
  type ConsoleIncidents,
  type Incident,
  SEVERITIES,
} from '../../contract/incidents.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import type { ConsoleAccount } from '../../contract/people.ts';
import { usePastTime } from '../live/past-time.ts';
import { useView } from '../live/use-view.ts';
import { Empty, Loading, Panel } from '../parts/panel.tsx';
import { SiteSetting } from '../parts/site-setting.tsx';
import kit from '../parts/view.module.css';
import { ChannelItem } from './channel-item.tsx';
import { IncidentItem, showIncident } from './incident-item.tsx';
import { IncidentLanes } from './incident-lanes.tsx';
import { useIncidentTexts } from './texts.ts';

/** One channel that is told of everything. */
const SETTING =
  '"alerts": { "channels": [{ "name": "pager", "kind": "webhook", "url": "https://hooks.example.com/waypost" }], "rules": [{ "to": ["pager"] }] }';

export type IncidentsViewProps = {
  readonly version: number;
  /** Undefined until it is loaded. */
  readonly account: ConsoleAccount | undefined;
};

/** What is wrong, what was wrong, and who is told of it. */
export function IncidentsView({ version, account }: IncidentsViewProps): ReactNode {
  const texts = useIncidentTexts();
  const isPast = usePastTime() !== undefined;
  const { data, hasFailed } = useView<ConsoleIncidents>(CONSOLE_PATHS.incidents, version);
  if (data === undefined) return <Loading hasFailed={hasFailed} />;
  const { incidents, channels, onCall, at } = data;
  const open = listOpen(incidents);
  const earlier = incidents.filter(({ endedAt }) => endedAt !== null);
  return (
    <div className={kit.view}>
      <Panel title={texts.open} id="open">
        <IncidentList incidents={open} now={at} ifNone={texts.nothingOpen} />
      </Panel>
      <IncidentLanes incidents={incidents} now={at} onOpen={showIncident} />
      {!isPast && (
        <Panel title={texts.channels} note={texts.channelsNote} id="channels">
          {channels.length === 0 && (
            <Empty>
              {texts.noChannels} <SiteSetting setting={SETTING} place="alerts" account={account} />
            </Empty>
          )}
          {onCall.length > 0 && <p className={kit.note}>{texts.onCall(onCall.join(', '))}</p>}
          <ul>
            {channels.map((channel) => (
              <ChannelItem
                key={channel.name}
                channel={channel}
                now={at}
                // `isRoleEnough` would add 107 bytes to a view that has 66 left.
                mayTest={account !== undefined && account.role !== 'viewer'}
              />
            ))}
          </ul>
        </Panel>
      )}
      <Panel title={texts.earlier} note={texts.earlierNote} id="earlier">
        <IncidentList incidents={earlier} now={at} ifNone={texts.nothingEarlier} />
      </Panel>
    </div>
  );
}

/** Lists what is wrong now: the most severe first, and otherwise in the given order. */
export function listOpen<T extends Incident>(incidents: readonly T[]): readonly T[] {
  return incidents
    .filter(({ endedAt }) => endedAt === null)
    .toSorted((one, other) => SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity));
}

function IncidentList({
  incidents,
  now,
  ifNone,
}: {
  readonly incidents: readonly ConsoleIncident[];
  readonly now: number;
  readonly ifNone: string;
}): ReactNode {
  if (incidents.length === 0) return <Empty>{ifNone}</Empty>;
  return (
    <ul className={kit.stack}>
      {incidents.map((incident) => (
        <IncidentItem key={incident.id} incident={incident} now={now} />
      ))}
    </ul>
  );
}
