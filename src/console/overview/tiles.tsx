import type { ReactNode } from 'react';
import { type ConsoleOverview, LINE_STATUSES } from '../../contract/console.ts';
import type { StatusCount } from '../locale/en.ts';
import { useLocale } from '../locale/locale.ts';
import { StatusMark } from '../parts/status-mark.tsx';
import { Tile, type TileProps } from '../parts/tile.tsx';
import { HourPicture } from './hour-picture.tsx';
import styles from './tiles.module.css';

/** The states of the lines, and the numbers of the last hour. */
export function Tiles({ overview }: { readonly overview: ConsoleOverview }): ReactNode {
  const { texts, format } = useLocale();
  const { hour, minutes } = overview;
  const { firstMinute } = minutes;
  return (
    <div className={styles.tiles}>
      <LinesTile overview={overview} />
      <HourTile
        id="tile-visitors"
        title={texts.visitors}
        figure={format.count(hour.visitors)}
        note={texts.visitorsNote(format.count(hour.limited))}
      >
        <HourPicture
          what={texts.visitors}
          values={minutes.visitors}
          firstMinute={firstMinute}
          format={format.count}
        />
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
        <HourPicture
          what={texts.gotIn}
          values={minutes.entered}
          firstMinute={firstMinute}
          format={(percent) => format.part(percent, 100)}
          top={100}
        />
      </HourTile>
      <HourTile
        id="tile-time"
        title={texts.timeToEnter}
        figure={format.ms(hour.p50)}
        note={describeTimes(hour)}
      >
        <HourPicture
          what={texts.timeToEnter}
          values={minutes.p50}
          firstMinute={firstMinute}
          format={format.ms}
        />
      </HourTile>
    </div>
  );

  function describeTimes({ p95, entered }: ConsoleOverview['hour']): string {
    if (p95 !== null) return texts.timeToEnterNote(format.ms(p95));
    return entered ? texts.enteredUntimed : texts.nobodyEntered;
  }
}

function LinesTile({
  overview: { lines, backups, isWatching },
}: {
  readonly overview: ConsoleOverview;
}): ReactNode {
  const { texts, format } = useLocale();
  const all = LINE_STATUSES.reduce((sum, status) => sum + lines[status], 0);
  return (
    <Tile
      id="tile-lines"
      title={texts.lineStates}
      figure={texts.linesUp(format.count(lines.up), format.count(all))}
      note={texts.backups(listCounts(backups))}
    >
      {!isWatching && <p className={styles.note}>{texts.notWatching}</p>}
      <div className={styles.picture}>
        <StateBar counts={lines} all={all} />
        <ul className={styles.statuses}>
          {LINE_STATUSES.filter((status) => lines[status] > 0).map((status) => (
            <li key={status}>
              <StatusMark status={status} />{' '}
              <span className={styles.count}>{format.count(lines[status])}</span>
            </li>
          ))}
        </ul>
      </div>
    </Tile>
  );

  /** Lists the states that occur. */
  function listCounts(counts: ConsoleOverview['backups']): readonly StatusCount[] {
    return LINE_STATUSES.filter((status) => counts[status] > 0).map((status) => ({
      status,
      count: format.count(counts[status]),
    }));
  }
}

/** How large each state's part of the lines is. The list below it says the same in words. */
function StateBar({
  counts,
  all,
}: {
  readonly counts: ConsoleOverview['lines'];
  readonly all: number;
}): ReactNode {
  return (
    <div className={styles.bar} aria-hidden="true">
      {LINE_STATUSES.filter((status) => counts[status] > 0).map((status) => (
        <span key={status} data-status={status} style={{ flexGrow: counts[status] / all }} />
      ))}
    </div>
  );
}

/** A tile with a number of the last hour, and a picture of that hour. */
function HourTile({ title, ...tile }: TileProps): ReactNode {
  const { texts } = useLocale();
  return (
    <Tile
      {...tile}
      title={
        <>
          {title} <span className={styles.note}>{texts.lastHour}</span>
        </>
      }
    />
  );
}
