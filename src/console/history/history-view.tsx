import { Fragment, type ReactNode, useState } from 'react';
import { INCIDENT_TEXTS, nameIncident } from '../../contract/describe-incident.ts';
import { UPTIME_PATHS } from '../../contract/paths.ts';
import {
  type ConsoleUptime,
  MAX_LISTED_INCIDENTS,
  type PastIncident,
  UPTIME_DAYS,
  type UptimeDays,
  WHOLE_SITE,
} from '../../contract/uptime.ts';
import { writeDuration } from '../../contract/write-duration.ts';
import { formatHost } from '../format/format-names.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import { Empty, Loading, Panel } from '../parts/panel.tsx';
import { Switch } from '../parts/switch.tsx';
import kit from '../parts/view.module.css';
import { openRoute } from '../route.ts';
import { HistoryTable, type HistoryTableProps } from './history-table.tsx';
import styles from './history.module.css';
import { useHistoryTexts } from './texts.ts';
import { UptimeChart } from './uptime-chart.tsx';

/** How often visitors got in during the last days, and what was wrong: of the site, and of each line. One of them is open: the host of `line`. */
export function HistoryView({
  line,
  version,
}: {
  readonly line: string;
  readonly version: number;
}): ReactNode {
  const texts = useHistoryTexts();
  const { format } = useLocale();
  const [days, setDays] = useState<UptimeDays>(line === WHOLE_SITE ? 30 : 7);
  const query = `?days=${days}`;
  const { data, latest, hasFailed } = useView<ConsoleUptime>(
    `${UPTIME_PATHS.numbers}${query}&line=${encodeURIComponent(line)}`,
    version,
  );
  return (
    <div className={kit.view}>
      <div className={kit.choices}>
        <Switch
          name={texts.period}
          choices={UPTIME_DAYS.map((each) => ({
            value: String(each) as `${UptimeDays}`,
            text: texts.days(format.count(each)),
          }))}
          value={`${days}`}
          onChoose={(chosen) => setDays(UPTIME_DAYS.find((each) => `${each}` === chosen) ?? days)}
        />
        <p className={kit.note}>{texts.note}</p>
        <a className={buttons.link} href={`${UPTIME_PATHS.table}${query}`} download>
          {texts.csv}
        </a>
        <a className={buttons.link} href={`${UPTIME_PATHS.incidents}${query}`} download>
          {texts.incidentsCsv}
        </a>
      </div>
      {latest === undefined ? (
        <Loading hasFailed={hasFailed} />
      ) : (
        <div className={`${kit.view} ${kit.renewed}`} aria-busy={data === undefined}>
          {/* The table stays while another line loads: the focus is on its button. */}
          <Numbers numbers={latest} line={latest.line} onChoose={openHistory} />
        </div>
      )}
    </div>
  );
}

function openHistory(line: string): void {
  openRoute({ view: 'history', line });
}

function Numbers({ numbers, line, onChoose }: HistoryTableProps): ReactNode {
  const texts = useHistoryTexts();
  const isEmpty = numbers.all.every(
    ({ sums, incidents }) => sums.probed + sums.served + incidents.count === 0,
  );
  const name = line === WHOLE_SITE ? texts.site : formatHost(line);
  return (
    <>
      <Panel title={texts.lines} note={texts.linesNote} id="history-lines">
        {isEmpty ? (
          <Empty>{texts.empty}</Empty>
        ) : (
          <HistoryTable numbers={numbers} line={line} onChoose={onChoose} />
        )}
      </Panel>
      {!isEmpty && (
        <>
          <UptimeChart numbers={numbers} name={name} />
          <Panel title={texts.past(name)} id="history-incidents">
            <PastIncidents incidents={numbers.incidents} now={numbers.at} />
          </Panel>
        </>
      )}
    </>
  );
}

function PastIncidents({
  incidents,
  now,
}: {
  readonly incidents: readonly PastIncident[];
  readonly now: number;
}): ReactNode {
  const texts = useHistoryTexts();
  const { format } = useLocale();
  if (incidents.length === 0) return <Empty>{texts.noIncidents}</Empty>;
  return (
    <>
      <ul>
        {incidents.map((incident) => (
          <PastIncidentItem key={incident.id} incident={incident} now={now} />
        ))}
      </ul>
      {incidents.length === MAX_LISTED_INCIDENTS && (
        <p className={kit.note}>{texts.more(format.count(MAX_LISTED_INCIDENTS))}</p>
      )}
    </>
  );
}

function PastIncidentItem({
  incident,
  now,
}: {
  readonly incident: PastIncident;
  readonly now: number;
}): ReactNode {
  const texts = useHistoryTexts();
  const { format, language } = useLocale();
  const words = INCIDENT_TEXTS[language];
  const { severity, names, lines, startedAt, endedAt, noticedAt, takenAt } = incident;
  const facts = [
    words.severities[severity],
    format.clock(startedAt, now),
    endedAt === null ? texts.lasts : texts.lasted(writeDuration(endedAt - startedAt, language)),
    takenAt === null
      ? texts.notTaken
      : texts.takenAfter(writeDuration(Math.max(0, takenAt - noticedAt), language)),
  ];
  return (
    <li className={kit.item}>
      <div>
        <p className={kit.name}>{names?.[language] ?? nameIncident(incident, language)}</p>
        {lines.length > 1 && <p>{texts.allLines(lines.join(', '))}</p>}
        <p className={`${kit.note} ${styles.facts}`}>
          {facts.map((fact, index) => (
            <Fragment key={fact}>
              {index > 0 && ' '}
              <span>{index === 0 ? fact : `· ${fact}`}</span>
            </Fragment>
          ))}
        </p>
      </div>
    </li>
  );
}
