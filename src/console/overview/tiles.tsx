import type { ReactNode } from 'react';
import type { ConsoleOverview, LineStatus } from '../../contract/console.ts';
import { formatCount, formatMs, formatPart } from '../format/format-number.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import { STATUS_TEXTS, TEXTS } from '../texts.ts';
import styles from './tiles.module.css';

const STATUSES: readonly LineStatus[] = ['up', 'degraded', 'down', 'unknown'];

/** The numbers of the last hour, and the states of the lines. */
export function Tiles({ overview }: { readonly overview: ConsoleOverview }): ReactNode {
  const { hour, minutes, lines, backups, isWatching } = overview;
  return (
    <div className={styles.tiles}>
      <Tile
        title={TEXTS.visitors}
        figure={formatCount(hour.visitors)}
        note={TEXTS.visitorsNote(formatCount(hour.limited))}
      >
        <Sparkline values={minutes.visitors} label={TEXTS.sparkline(TEXTS.visitors)} />
      </Tile>
      <Tile
        title={TEXTS.gotIn}
        figure={formatPart(hour.entered, hour.reports)}
        note={
          hour.reports
            ? TEXTS.gotInNote(formatCount(hour.entered), formatCount(hour.reports))
            : TEXTS.noReports
        }
      >
        <Sparkline values={minutes.entered} top={100} label={TEXTS.sparkline(TEXTS.gotIn)} />
      </Tile>
      <Tile title={TEXTS.timeToEnter} figure={formatMs(hour.p50)} note={describeTimes(hour)}>
        <Sparkline values={minutes.p50} label={TEXTS.sparkline(TEXTS.timeToEnter)} />
      </Tile>
      <section className={styles.tile} aria-labelledby="tile-lines">
        <h2 className={styles.title} id="tile-lines">
          {TEXTS.lines}
        </h2>
        <ul className={styles.statuses}>
          {STATUSES.map((status) => (
            <li key={status} data-count={lines[status]}>
              <span className={styles.count}>{lines[status]}</span>
              <StatusMark status={status} label={STATUS_TEXTS[status]} />
            </li>
          ))}
        </ul>
        <p className={styles.note} data-backups>
          {TEXTS.backups(listCounts(backups))}
        </p>
        {!isWatching && <p className={styles.note}>{TEXTS.notWatching}</p>}
      </section>
    </div>
  );
}

function describeTimes({ p95, entered }: ConsoleOverview['hour']): string {
  if (p95 !== null) return TEXTS.timeToEnterNote(formatMs(p95));
  return entered ? TEXTS.enteredUntimed : TEXTS.nobodyEntered;
}

/** Lists the states that occur: "3 up, 1 down". */
function listCounts(counts: ConsoleOverview['backups']): string {
  return STATUSES.filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${STATUS_TEXTS[status].toLowerCase()}`)
    .join(', ');
}

function Tile({
  title,
  figure,
  note,
  children,
}: {
  readonly title: string;
  readonly figure: string;
  readonly note: string;
  readonly children: ReactNode;
}): ReactNode {
  const id = `tile-${title.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <section className={styles.tile} aria-labelledby={id}>
      <h2 className={styles.title} id={id}>
        {title} <span className={styles.span}>{TEXTS.lastHour}</span>
      </h2>
      <p className={styles.figure}>{figure}</p>
      <p className={styles.note}>{note}</p>
      <div className={styles.picture}>{children}</div>
    </section>
  );
}
