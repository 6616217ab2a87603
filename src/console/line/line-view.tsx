import { type ReactNode, useMemo, useState } from 'react';
import type { ConsoleLine, ConsoleLineDetail, ConsoleOverview } from '../../contract/console.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import { ReplaceLink } from '../lines/line-row.tsx';
import { useLocale } from '../locale/locale.ts';
import { usePastTime } from '../live/past-time.ts';
import { useView } from '../live/use-view.ts';
import buttons from '../parts/buttons.module.css';
import { Clock } from '../parts/clock.tsx';
import { HostName } from '../parts/host-name.tsx';
import { Loading } from '../parts/panel.tsx';
import { Switch } from '../parts/switch.tsx';
import { MaintenanceNote, StatusMark } from '../parts/status-mark.tsx';
import kit from '../parts/view.module.css';
import { hrefOf } from '../route.ts';
import { Chart } from './chart.tsx';
import { SPANS, type Span, findSpan, frameSpan, listBands, listParts, listTimes } from './chart-data.ts';
import { Happenings } from './happenings.tsx';
import styles from './line-view.module.css';
import { ProbePanel } from './probe-panel.tsx';
import { listShown, useLineChanges } from './use-line-changes.ts';
import { WorstNetworks } from './worst-networks.tsx';

const SPAN_NAMES = Object.keys(SPANS) as Span[];

/** One line: its last hours, its worst networks, and the server's own probe. */
export function LineView({
  id,
  overview: { version, cutOff, site },
  mayEdit,
}: {
  readonly id: string;
  readonly overview: Pick<ConsoleOverview, 'version' | 'cutOff' | 'site'>;
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
        <Detail detail={data} isCutOff={cutOff !== null} siteVersion={site.hash} mayEdit={mayEdit} />
      ) : (
        <Loading hasFailed={hasFailed} failed={texts.unknownLine} shape="view" />
      )}
    </div>
  );
}

function Detail({
  detail,
  isCutOff,
  siteVersion,
  mayEdit,
}: {
  readonly detail: ConsoleLineDetail;
  readonly isCutOff: boolean;
  readonly siteVersion: string;
  readonly mayEdit: boolean;
}): ReactNode {
  const { texts, format } = useLocale();
  const { at, line, networks, probe } = detail;
  const isInTrouble = !isCutOff && (probe?.faults ?? []).length > 0;
  const probePanel = <ProbePanel probe={probe} isCutOff={isCutOff} now={at} />;
  return (
    <>
      <Head line={line} now={at} mayEdit={mayEdit} />
      {isInTrouble && probePanel}
      <section className={styles.hour} aria-labelledby="last-hour">
        <p className={kit.note} id="last-hour">
          {texts.hour}
        </p>
        <dl className={styles.facts}>
          <Fact name={texts.handedOut} value={format.count(line.handedOut)} />
          <Fact name={texts.tried} value={format.count(line.tried)} />
          <Fact name={texts.reached} value={format.part(line.reached, line.tried)} />
          <Fact name={texts.moved} value={format.count(line.moved)} />
          <Fact name={texts.median} value={format.ms(line.p50)} />
          <Fact name={texts.within95} value={format.ms(line.p95)} />
        </dl>
      </section>
      <div className={styles.columns}>
        <Charts detail={detail} siteVersion={siteVersion} />
        <div className={styles.side}>
          {!isInTrouble && probePanel}
          <WorstNetworks networks={networks} now={at} />
        </div>
      </div>
    </>
  );
}

/** Which line it is, its state, and what can be done about it. */
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
      <div className={`${buttons.row} ${styles.actions}`}>
        {mayEdit && role === 'line' && status === 'down' && <ReplaceLink line={line} />}
        {(status === 'down' || status === 'degraded') && (
          <a className={buttons.link} href={hrefOf({ view: 'incidents' })}>
            {texts.incidents}
          </a>
        )}
        {mayEdit && role === 'line' && (
          <a className={buttons.link} href={hrefOf({ view: 'desk', part: 'maintenance' })}>
            {texts.planMaintenance}
          </a>
        )}
      </div>
    </div>
  );
}

function Charts({
  detail,
  siteVersion,
}: {
  readonly detail: ConsoleLineDetail;
  readonly siteVersion: string;
}): ReactNode {
  const { texts, format } = useLocale();
  const { at, line, history } = detail;
  const [chosen, setChosen] = useState<Span>();
  // A chart of 24 hours with two minutes in it says nothing.
  const span = chosen ?? findSpan(history, at);
  const changes = useLineChanges(line.host, siteVersion);
  const charts = useChartData(detail, span);
  const pastTime = usePastTime();
  const marks = useMemo(
    () => changes.map((change) => change.at).filter((change) => change <= charts.end),
    [changes, charts.end],
  );
  const { names, percent } = useChartWords();
  const shared = { end: charts.end, bands: charts.bands, marks };
  return (
    <div className={styles.charts}>
      <div className={kit.choices}>
        <Switch
          name={texts.span}
          choices={SPAN_NAMES.map((value) => ({ value, text: texts.spans[value] }))}
          value={span}
          onChoose={setChosen}
        />
        <p className={kit.note}>{texts.spanFrom(format.clock(charts.begin, at))}</p>
        <a href={hrefOf({ view: 'history', line: line.host })}>{texts.longerSpans}</a>
      </div>
      <Chart
        id="chart-reached"
        title={texts.reached}
        note={texts.reachedChartNote}
        data={charts.reached}
        names={names.reached}
        {...shared}
        {...percent}
        top={100}
      />
      <Chart
        id="chart-time"
        title={texts.timeChart}
        note={texts.timeChartNote}
        data={charts.times}
        names={names.times}
        {...shared}
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
          {...shared}
          {...percent}
          top={100}
        />
      )}
      <Happenings bands={charts.bands} changes={listShown(changes, charts.begin, pastTime)} now={at} />
    </div>
  );
}

function useChartData({ history, states, at }: ConsoleLineDetail, span: Span) {
  return useMemo(() => {
    const frame = frameSpan(span, history, at);
    return {
      reached: listParts(history, { part: 'reached', of: 'tried', frame }),
      times: listTimes(history, frame),
      share: listParts(history, { part: 'handedOut', of: 'visitors', frame }),
      bands: listBands(states, frame),
      begin: frame.first * MINUTE_MS,
      end: (frame.last + 1) * MINUTE_MS,
    };
  }, [history, states, at, span]);
}

/** The names of the series, and how a percentage is written. They stay the same objects, or else each update would draw new charts. */
function useChartWords() {
  const { texts, format } = useLocale();
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
  return { names, percent };
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
