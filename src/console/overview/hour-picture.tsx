import type { ReactNode } from 'react';
import type { MinuteValues } from '../../contract/console.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import { useLocale } from '../locale/locale.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import styles from './tiles.module.css';

type HourPictureProps = {
  /** What is shown, for screen readers. */
  readonly what: string;
  readonly values: MinuteValues;
  /** In minutes since 1970. */
  readonly firstMinute: number;
  readonly format: (value: number) => string;
  /** The top of the scale. By default the highest value. */
  readonly top?: number;
};

/** The last hour of a number, from the first minute that has one, with its least and its most. */
export function HourPicture({ what, values, firstMinute, format, top }: HourPictureProps): ReactNode {
  const locale = useLocale();
  const { texts } = locale;
  const hour = cutHour(values);
  if (hour === undefined) return <p className={styles.empty}>{texts.pictureLater}</p>;
  const extremes = texts.leastAndMost(format(hour.least), format(hour.most));
  return (
    <div className={styles.picture}>
      <Sparkline values={hour.shown} top={top} label={`${texts.sparkline(what)}. ${extremes}`} />
      <p className={styles.axis}>
        <span>{locale.format.hour((firstMinute + hour.start) * MINUTE_MS)}</span>
        <span>{extremes}</span>
        <span>{texts.now}</span>
      </p>
    </div>
  );
}

type ShownHour = {
  /** How many minutes are left out at the start. */
  readonly start: number;
  readonly shown: MinuteValues;
  readonly least: number;
  readonly most: number;
};

/** Leaves out the minutes before the first known one, and the last, which is not over. Undefined if fewer than two are left. */
export function cutHour(values: MinuteValues): ShownHour | undefined {
  const over = values.slice(0, -1);
  const known = over.filter((value) => value !== null);
  if (known.length < 2) return undefined;
  const start = over.findIndex((value) => value !== null);
  return { start, shown: over.slice(start), least: Math.min(...known), most: Math.max(...known) };
}
