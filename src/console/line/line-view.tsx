import { type ReactNode, useMemo } from 'react';
import type { ConsoleLineDetail } from '../../contract/console.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { formatHost } from '../format/format-names.ts';
import { formatCount, formatMs, formatPart } from '../format/format-number.ts';
import { useView } from '../live/use-view.ts';
import { Clock } from '../parts/clock.tsx';
import { Empty } from '../parts/panel.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import { hrefOf } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { Chart } from './chart.tsx';
import { listParts, listTimes } from './chart-data.ts';
import styles from './line-view.module.css';
import { ProbePanel } from './probe-panel.tsx';
import { WorstNetworks } from './worst-networks.tsx';

const REACHED = [TEXTS.reached];
const TIMES = [TEXTS.median, TEXTS.within95];
const SHARE = [TEXTS.handedOut];

/** One line: its last 24 hours, its worst networks, and the server's own probe. */
export function LineView({ id, version }: { readonly id: string; readonly version: number }): ReactNode {
  const { data, hasFailed } = useView<ConsoleLineDetail>(
    `${CONSOLE_PATHS.lines}/${encodeURIComponent(id)}`,
    version,
  );
  return (
    <div className={styles.view}>
      <p>
        <a href={hrefOf({ view: 'overview' })}>← {TEXTS.back}</a>
      </p>
      {data ? <Detail detail={data} /> : <Empty>{hasFailed ? TEXTS.unknownLine : TEXTS.loading}</Empty>}
    </div>
  );
}

function Detail({ detail }: { readonly detail: ConsoleLineDetail }): ReactNode {
  const { at, line, history, networks, probe } = detail;
  const charts = useMemo(
    () => ({
      reached: listParts(history, { part: 'reached', of: 'tried', now: at }),
      times: listTimes(history, at),
      share: listParts(history, { part: 'handedOut', of: 'visitors', now: at }),
    }),
    [history, at],
  );
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.host}>{formatHost(line.host)}</h2>
        <StatusMark status={line.status} />
        <p className={styles.since}>
          {line.since !== null && (
            <>
              {TEXTS.since.toLowerCase()} <Clock time={line.since} now={at} />
              {line.judgedBy !== null && `, ${TEXTS.judgedBy[line.judgedBy]}`}
            </>
          )}
        </p>
      </div>
      <dl className={styles.facts}>
        <Fact name={TEXTS.handedOut} value={formatCount(line.handedOut)} />
        <Fact name={TEXTS.tried} value={formatCount(line.tried)} />
        <Fact name={TEXTS.reached} value={formatPart(line.reached, line.tried)} />
        <Fact name={TEXTS.p50} value={formatMs(line.p50)} />
        <Fact name={TEXTS.p95} value={formatMs(line.p95)} />
      </dl>
      <div className={styles.columns}>
        <div className={styles.charts}>
          <Chart
            id="chart-reached"
            title={TEXTS.reachedChart}
            note={TEXTS.reachedChartNote}
            data={charts.reached}
            names={REACHED}
            unit="%"
            formatValue={formatPercentValue}
            top={100}
          />
          <Chart
            id="chart-time"
            title={TEXTS.timeChart}
            note={TEXTS.timeChartNote}
            data={charts.times}
            names={TIMES}
            unit="ms"
            formatValue={formatMs}
          />
          {line.role === 'line' && (
            <Chart
              id="chart-share"
              title={TEXTS.shareChart}
              note={TEXTS.shareChartNote}
              data={charts.share}
              names={SHARE}
              unit="%"
              formatValue={formatPercentValue}
              top={100}
            />
          )}
        </div>
        <div className={styles.side}>
          <ProbePanel probe={probe} now={at} />
          <WorstNetworks networks={networks} now={at} />
        </div>
      </div>
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  return (
    <div>
      <dt>
        {name} <span className={styles.span}>{TEXTS.lastHour}</span>
      </dt>
      <dd>{value}</dd>
    </div>
  );
}

function formatPercentValue(value: number | null): string {
  return formatPart(value, 100);
}
