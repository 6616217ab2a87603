import { type ReactNode, useState } from 'react';
import { INCIDENT_TEXTS, nameIncident } from '../../contract/describe-incident.ts';
import type { ConsoleIncident } from '../../contract/incidents.ts';
import { findOffsetMs } from '../locale/create-format.ts';
import { useLocale } from '../locale/locale.ts';
import { Empty, Panel } from '../parts/panel.tsx';
import { Switch } from '../parts/switch.tsx';
import kit from '../parts/view.module.css';
import { writePeriod } from './incident-item.tsx';
import styles from './incident-lanes.module.css';
import { LANE_SPANS, type LaneBar, type LaneSpan, layOutLanes, listTicks } from './lay-out-lanes.ts';
import { useIncidentTexts } from './texts.ts';

/** Others are in the list below. */
const MAX_LANES = 12;
/** A label further to the right would be cut off. */
const LAST_LABEL = 0.94;

type IncidentLanesProps = {
  readonly incidents: readonly ConsoleIncident[];
  readonly now: number;
  /** Somebody wants to read about an incident. */
  readonly onOpen: (id: string) => void;
};

/** What was wrong when: a lane for each thing, and a bar for each of its incidents. */
export function IncidentLanes({ incidents, now, onOpen }: IncidentLanesProps): ReactNode {
  const texts = useIncidentTexts();
  const { format, timeZone, language, texts: consoleTexts } = useLocale();
  const [span, setSpan] = useState<LaneSpan>('24h');
  const lanes = layOutLanes(incidents, { now, span });
  const ticks = listTicks({ now, span, findOffsetMs: (at) => findOffsetMs(timeZone, at) });
  return (
    <Panel title={texts.lanes} note={texts.lanesNote} id="lanes">
      <Switch
        name={consoleTexts.span}
        choices={(Object.keys(LANE_SPANS) as LaneSpan[]).map((value) => ({
          value,
          text: texts.spans[value],
        }))}
        value={span}
        onChoose={setSpan}
      />
      {lanes.length === 0 && <Empty>{texts.noLanes}</Empty>}
      {lanes.length > 0 && (
        <div className={styles.lanes}>
          <ul className={styles.rows}>
            {lanes.slice(0, MAX_LANES).map(({ key, bars }) => (
              <li key={key} className={styles.lane}>
                <span className={styles.name} title={nameLane(bars)}>
                  {nameLane(bars)}
                </span>
                <div className={styles.track}>
                  {bars.map((bar) => (
                    <Bar key={bar.incident.id} bar={bar} now={now} onOpen={onOpen} />
                  ))}
                </div>
              </li>
            ))}
          </ul>
          <div className={styles.axis} aria-hidden="true">
            {ticks
              .filter(({ place }) => place <= LAST_LABEL)
              .map(({ at, place }) => (
                <span key={at} style={{ left: `${place * 100}%` }}>
                  {span === '24h' ? format.hour(at) : format.day(at)}
                </span>
              ))}
          </div>
        </div>
      )}
      {lanes.length > MAX_LANES && (
        <p className={kit.note}>{texts.moreLanes(format.count(lanes.length - MAX_LANES))}</p>
      )}
    </Panel>
  );

  /** Several lines that fail together have no name but that of their incident. */
  function nameLane(bars: readonly LaneBar<ConsoleIncident>[]): string {
    const last = bars.at(-1)?.incident;
    if (last === undefined) return '';
    const { subject, kind, parts } = last;
    if (parts !== undefined && parts.length > 1) return nameIncident(last, language);
    return subject || texts.things[kind] || kind;
  }
}

function Bar({
  bar: { incident, from, to, isCut },
  now,
  onOpen,
}: {
  readonly bar: LaneBar<ConsoleIncident>;
  readonly now: number;
  readonly onOpen: (id: string) => void;
}): ReactNode {
  const texts = useIncidentTexts();
  const locale = useLocale();
  const { format, language } = locale;
  const { id, severity, startedAt, endedAt } = incident;
  const said = [
    nameIncident(incident, language),
    writePeriod(format.clock(startedAt, now), { endedAt, now, locale }),
    texts.severity(INCIDENT_TEXTS[language].severities[severity]),
  ].join(' · ');
  return (
    <button
      className={styles.bar}
      type="button"
      // The shortest one is still in the lane, although it is wider than its time.
      style={{ left: `min(${from * 100}%, 100% - 0.5rem)`, width: `${(to - from) * 100}%` }}
      data-severity={severity}
      data-open={endedAt === null || undefined}
      data-cut={isCut || undefined}
      aria-label={said}
      title={said}
      onClick={() => onOpen(id)}
    />
  );
}
