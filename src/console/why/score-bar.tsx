import type { ReactNode } from 'react';
import type { WhyLine } from '../../contract/console.ts';
import kit from '../parts/view.module.css';
import styles from './score-bar.module.css';
import { useWhyTexts } from './texts.ts';

const WIDTH = 220;
const HEIGHT = 8;

/** A score as a bar of three parts: the time, what missing reach adds, and what load adds. */
export function ScoreBar({
  line: { timeMs, reachFactor, loadFactor },
  longestMs,
}: {
  readonly line: WhyLine;
  readonly longestMs: number;
}): ReactNode {
  const ends = [timeMs, timeMs * reachFactor, timeMs * reachFactor * loadFactor].map(
    (ms) => WIDTH * Math.min(1, ms / longestMs),
  );
  const [time = 0, reach = 0, load = 0] = ends;
  return (
    <svg
      className={styles.bar}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      height={HEIGHT}
      aria-hidden="true"
    >
      <rect className={styles.time} width={time} height={HEIGHT} />
      <rect className={styles.reach} x={time} width={Math.max(0, reach - time)} height={HEIGHT} />
      <rect className={styles.load} x={reach} width={Math.max(0, load - reach)} height={HEIGHT} />
    </svg>
  );
}

const PARTS = ['time', 'reach', 'load'] as const;

/** The meaning of the bars' parts. */
export function ScoreLegend(): ReactNode {
  const whyTexts = useWhyTexts();
  return (
    <ul className={kit.legend}>
      {PARTS.map((part) => (
        <li key={part}>
          <svg viewBox="0 0 16 8" width="16" height="8" aria-hidden="true">
            <rect className={styles[part]} width="16" height="8" />
          </svg>
          {whyTexts.factors[part]}
        </li>
      ))}
    </ul>
  );
}
