import { type ReactNode, useMemo } from 'react';
import type { ConsoleLine, ConsoleLineDetail, ConsoleOverview } from '../../contract/console.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { ReplaceLink } from '../lines/line-row.tsx';
import { useLocale } from '../locale/locale.ts';
import { useView } from '../live/use-view.ts';
import { Clock } from '../parts/clock.tsx';
import { HostName } from '../parts/host-name.tsx';
import { Loading } from '../parts/panel.tsx';
import { MaintenanceNote, StatusMark } from '../parts/status-mark.tsx';
import kit from '../parts/view.module.css';
import { hrefOf } from '../route.ts';
import { Chart } from './chart.tsx';
import { listParts, listTimes } from './chart-data.ts';
import styles from './line-view.module.css';
import { ProbePanel } from './probe-panel.tsx';
import { WorstNetworks } from './worst-networks.tsx';

/** One line: its last 24 hours, its worst networks, and the server's own probe. */
export function LineView({
  id,
  overview: { version, cutOff },
  mayEdit,
}: {
  readonly id: string;
  readonly overview: Pick<ConsoleOverview, 'version' | 'cutOff'>;
  readonly mayEdit: boolean;
}): ReactNode {
  const { texts } = useLocale();
  const { data, hasFailed } = useView<ConsoleLineDetail>(
    `${CONSOLE_PATHS.lines}/${encodeURIComponent(id)}`,
    version,
  );
  return (
    <div className={kit.view}>
      <p>
        <a href={hrefOf({ view: 'overview' })}>← {texts.back}</a>
      </p>
      {data ? (
        <Detail detail={data} isCutOff={cutOff !== null} mayEdit={mayEdit} />
      ) : (
        <Loading hasFailed={hasFailed} failed={texts.unknownLine} />
      )}
    </div>
  );
}

function Detail({
  detail,
  isCutOff,
  mayEdit,
}: {
  readonly detail: ConsoleLineDetail;
  readonly isCutOff: boolean;
  readonly mayEdit: boolean;
}): ReactNode {
  const { texts, format } = useLocale();
  const { at, line, networks, probe } = detail;
  return (
    <>
      <Head line={line} now={at} mayEdit={mayEdit} />
      <dl className={styles.facts}>
        <Fact name={texts.handedOut} value={format.count(line.handedOut)} />
        <Fact name={texts.tried} value={format.count(line.tried)} />
        <Fact name={texts.reached} value={format.part(line.reached, line.tried)} />
        <Fact name={texts.moved} value={format.count(line.moved)} />
        <Fact name={texts.p50} value={format.ms(line.p50)} />
        <Fact name={texts.p95} value={format.ms(line.p95)} />
      </dl>
      <div className={styles.columns}>
        <Charts detail={detail} />
        <div className={styles.side}>
          <ProbePanel probe={probe} isCutOff={isCutOff} now={at} />
          <WorstNetworks networks={networks} now={at} />
        </div>
      </div>
    </>
  );
}

/** Which line it is, its state, and the way to replace it. */
function Head({
  line,
  now,
  mayEdit,
}: {
  readonly line: ConsoleLine;
  readonly now: number;
  readonly mayEdit: boolean;
}): ReactNode {
  const { texts } = useLocale();
  const { host, role, status, maintenance, since, judgedBy, isDoubted } = line;
  return (
    <div className={styles.head}>
      <h2 className={styles.host}>
        <HostName host={host} />
      </h2>
      <StatusMark status={status} />
      {maintenance && <MaintenanceNote maintenance={maintenance} now={now} />}
      <p className={kit.note}>
        {isDoubted && texts.doubted}
        {since !== null && (
          <Clock
            time={since}
            now={now}
            write={(clock) =>
              judgedBy === null ? texts.sinceClock(clock) : texts.sinceJudged(clock, texts.judgedBy[judgedBy])
            }
          />
        )}
      </p>
      {mayEdit && role === 'line' && status === 'down' && <ReplaceLink line={line} />}
    </div>
  );
}

function Charts({ detail }: { readonly detail: ConsoleLineDetail }): ReactNode {
  const { texts, format } = useLocale();
  const { at, line, history } = detail;
  const charts = useMemo(
    () => ({
      reached: listParts(history, { part: 'reached', of: 'tried', now: at }),
      times: listTimes(history, at),
      share: listParts(history, { part: 'handedOut', of: 'visitors', now: at }),
    }),
    [history, at],
  );
  // The same objects for each update, or else each update would draw new charts.
  const names = useMemo(
    () => ({
      reached: [texts.reached],
      times: [texts.median, texts.within95],
      share: [texts.handedOut],
    }),
    [texts],
  );
  const percent = useMemo(
    () => ({
      formatValue: (value: number | null) => format.part(value, 100),
      formatTick: (value: number) => format.percent(value / 100),
    }),
    [format],
  );
  return (
    <div className={styles.charts}>
      <Chart
        id="chart-reached"
        title={texts.reached}
        note={texts.reachedChartNote}
        data={charts.reached}
        names={names.reached}
        {...percent}
        top={100}
      />
      <Chart
        id="chart-time"
        title={texts.timeChart}
        note={texts.timeChartNote}
        data={charts.times}
        names={names.times}
        formatValue={format.ms}
        formatTick={format.ms}
      />
      {line.role === 'line' && (
        <Chart
          id="chart-share"
          title={texts.handedOut}
          note={texts.shareChartNote}
          data={charts.share}
          names={names.share}
          {...percent}
          top={100}
        />
      )}
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  const { texts } = useLocale();
  return (
    <div>
      <dt>
        {name} <span className={kit.note}>{texts.lastHour}</span>
      </dt>
      <dd>{value}</dd>
    </div>
  );
}
