import type { ReactNode } from 'react';
import type { ConsoleOverview, LineStatus } from '../../contract/console.ts';
import type { StatusCount } from '../locale/en.ts';
import { useLocale } from '../locale/locale.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { StatusMark } from '../parts/status-mark.tsx';
import { Tile } from '../parts/tile.tsx';
import styles from './tiles.module.css';

const STATUSES: readonly LineStatus[] = ['up', 'degraded', 'down', 'unknown', 'maintenance'];

/** The numbers of the last hour, and the states of the lines. */
export function Tiles({ overview }: { readonly overview: ConsoleOverview }): ReactNode {
  const { texts, format } = useLocale();
  const { hour, minutes, lines, backups, isWatching } = overview;
  return (
    <div className={styles.tiles}>
      <HourTile
        id="tile-visitors"
        title={texts.visitors}
        figure={format.count(hour.visitors)}
        note={texts.visitorsNote(format.count(hour.limited))}
      >
        <Sparkline values={minutes.visitors} label={texts.sparkline(texts.visitors)} />
      </HourTile>
      <HourTile
        id="tile-got-in"
        title={texts.gotIn}
        figure={format.part(hour.entered, hour.reports)}
        note={
          hour.reports
            ? texts.gotInNote(format.count(hour.entered), format.count(hour.reports))
            : texts.noReports
        }
      >
        <Sparkline values={minutes.entered} top={100} label={texts.sparkline(texts.gotIn)} />
      </HourTile>
      <HourTile
        id="tile-time"
        title={texts.timeToEnter}
        figure={format.ms(hour.p50)}
        note={describeTimes(hour)}
      >
        <Sparkline values={minutes.p50} label={texts.sparkline(texts.timeToEnter)} />
      </HourTile>
      <Tile id="tile-lines" title={texts.lineStates}>
        <ul className={styles.statuses}>
          {STATUSES.filter((status) => status !== 'maintenance' || lines[status] > 0).map((status) => (
            <li key={status} data-count={lines[status]}>
              <span className={styles.count}>{format.count(lines[status])}</span>
              <StatusMark status={status} />
            </li>
          ))}
        </ul>
        <p className={styles.note} data-backups>
          {texts.backups(listCounts(backups))}
        </p>
        {!isWatching && <p className={styles.note}>{texts.notWatching}</p>}
      </Tile>
    </div>
  );

  function describeTimes({ p95, entered }: ConsoleOverview['hour']): string {
    if (p95 !== null) return texts.timeToEnterNote(format.ms(p95));
    return entered ? texts.enteredUntimed : texts.nobodyEntered;
  }

  /** Lists the states that occur. */
  function listCounts(counts: ConsoleOverview['backups']): readonly StatusCount[] {
    return STATUSES.filter((status) => counts[status] > 0).map((status) => ({
      status,
      count: format.count(counts[status]),
    }));
  }
}

/** A tile with a number of the last hour, and a picture of that hour. */
function HourTile({
  id,
  title,
  figure,
  note,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly figure: string;
  readonly note: string;
  readonly children: ReactNode;
}): ReactNode {
  const { texts } = useLocale();
  return (
    <Tile
      id={id}
      title={
        <>
          {title} <span className={styles.note}>{texts.lastHour}</span>
        </>
      }
      figure={figure}
      note={note}
    >
      <div className={styles.picture}>{children}</div>
    </Tile>
  );
}
