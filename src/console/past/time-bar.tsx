import { type KeyboardEvent, type ReactNode, useMemo } from 'react';
import { type ConsoleMoments, MOMENTS_KEPT_MS, MOMENT_EVERY_MS, isKept } from '../../contract/moments.ts';
import { DAY_MS } from '../../contract/time-units.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import { Empty, Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { RecentChanges } from './recent-changes.tsx';
import {
  type BarWindow,
  findEnd,
  findNeighbours,
  findWindow,
  listGaps,
  listMarks,
  listTicks,
  moveByKey,
  percentAt,
} from './lay-out-bar.ts';
import { usePastTexts } from './texts.ts';
import styles from './time-bar.module.css';
import type { ShownTime } from './use-shown-time.ts';

/** Seven days to drag through, one at a time, with marks where something changed. */
export function TimeBar({
  moments,
  time: { at, show },
}: {
  readonly moments: ConsoleMoments;
  readonly time: ShownTime;
}): ReactNode {
  const texts = usePastTexts();
  const { format } = useLocale();
  const end = findEnd(moments.at);
  const window = findWindow(at, end);
  const isPast = at !== undefined;
  const { before, after } = findNeighbours(moments.changes, at ?? end);
  /** The end of the bar is now. */
  const move = (to: number): void => show(to >= end ? undefined : Math.max(to, end - MOMENTS_KEPT_MS));
  const clock = at === undefined ? texts.now : format.clock(at, moments.at);
  return (
    <section className={styles.bar} data-past={isPast || undefined} aria-label={texts.bar}>
      <div className={styles.head}>
        <p className={styles.time} aria-live="polite">
          {isPast ? texts.past(clock) : texts.now}{' '}
          <span className={kit.note}>{isPast ? texts.pastNote : texts.hint}</span>
        </p>
        <div className={`${buttons.row} ${styles.ways}`}>
          <Way
            name={texts.earlierDay}
            text="«"
            to={window.start > end - MOMENTS_KEPT_MS ? (at ?? end) - DAY_MS : undefined}
            onGo={move}
          />
          <Way name={texts.before} text="‹" to={before} onGo={move} />
          <Way name={texts.after} text="›" to={isPast ? (after ?? end) : undefined} onGo={move} />
          <Way name={texts.laterDay} text="»" to={at === undefined ? undefined : at + DAY_MS} onGo={move} />
          {isPast && (
            <button className={buttons.main} type="button" onClick={() => show(undefined)}>
              {texts.backToNow}
            </button>
          )}
        </div>
      </div>
      <Track
        moments={moments}
        window={window}
        value={at ?? window.end}
        text={at !== undefined && !isKept(moments, at) ? texts.nothingKept(clock) : clock}
        onMove={move}
      />
      {isPast && <RecentChanges changes={moments.changes} at={at} onMove={move} />}
    </section>
  );
}

/** A button that leads to another time. It is disabled where there is none. */
function Way({
  name,
  text,
  to,
  onGo,
}: {
  readonly name: string;
  readonly text: string;
  readonly to: number | undefined;
  readonly onGo: (to: number) => void;
}): ReactNode {
  return (
    <button
      className={buttons.button}
      type="button"
      aria-label={name}
      title={name}
      disabled={to === undefined}
      onClick={() => to !== undefined && onGo(to)}
    >
      {text}
    </button>
  );
}

type TrackProps = {
  readonly moments: ConsoleMoments;
  readonly window: BarWindow;
  readonly value: number;
  /** What screen readers say of the value. */
  readonly text: string;
  readonly onMove: (to: number) => void;
};

function Track({ moments, window, value, text, onMove }: TrackProps): ReactNode {
  const texts = usePastTexts();
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = moveByKey(event.key, value, window);
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onMove(to);
  };
  return (
    <div className={styles.track}>
      <Scenery moments={moments} start={window.start} end={window.end} />
      <input
        className={styles.range}
        type="range"
        aria-label={texts.bar}
        aria-valuetext={text}
        aria-description={texts.keys}
        min={window.start}
        max={window.end}
        step={MOMENT_EVERY_MS}
        value={value}
        onChange={({ target }) => onMove(target.valueAsNumber)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** What lies behind the handle. It stays as it is while somebody drags. */
function Scenery({ moments, start, end }: Pick<TrackProps, 'moments'> & BarWindow): ReactNode {
  const { format } = useLocale();
  return useMemo(() => {
    const window = { start, end };
    return (
      <div className={styles.scenery} aria-hidden="true">
        {listGaps(moments, window).map(({ from, to }) => (
          <span
            key={from}
            className={styles.gap}
            style={{
              left: `${percentAt(from, window)}%`,
              width: `${percentAt(to, window) - percentAt(from, window)}%`,
            }}
          />
        ))}
        {listMarks(moments.changes, window).map(({ at, kind }) => (
          <span
            key={at}
            className={styles.mark}
            data-kind={kind}
            style={{ left: `${percentAt(at, window)}%` }}
          />
        ))}
        {listTicks(window, format.hour).map(({ at, text, isMain }) => (
          <span
            key={at}
            className={styles.tick}
            data-main={isMain || undefined}
            style={{ left: `${percentAt(at, window)}%` }}
          >
            {text}
          </span>
        ))}
      </div>
    );
  }, [moments, start, end, format]);
}

/** Shown instead of a view where nothing is kept of a time. */
export function Gap(): ReactNode {
  const texts = usePastTexts();
  return (
    <Panel title={texts.gapTitle} id="gap">
      <Empty>{texts.gap}</Empty>
    </Panel>
  );
}
