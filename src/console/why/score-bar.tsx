import type { ReactNode } from 'react';
import type { WhyLine } from '../../contract/console.ts';
import badge from '../parts/badge.module.css';
import kit from '../parts/view.module.css';
import styles from './score-bar.module.css';
import { useWhyTexts } from './texts.ts';

const WIDTH = 220;
const HEIGHT = 8;

/** A break mark stands where a longer bar was cut. */
const BREAK_AT = WIDTH - 18;

/** A score as a bar of three parts: the time, what missing reach adds, and what load adds. A break marks one that is cut. */
export function ScoreBar({
  line: { timeMs, reachFactor, loadFactor, scoreMs, isGuess },
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
      data-guess={isGuess || undefined}
    >
      <rect className={styles.time} width={time} height={HEIGHT} />
      <rect className={styles.reach} x={time} width={Math.max(0, reach - time)} height={HEIGHT} />
      <rect className={styles.load} x={reach} width={Math.max(0, load - reach)} height={HEIGHT} />
      {scoreMs > longestMs && <BreakMark x={BREAK_AT} />}
    </svg>
  );
}

/** Two slanted cuts through a bar. */
function BreakMark({ x }: { readonly x: number }): ReactNode {
  return <path className={styles.cut} d={`M${x} 10l5 -12M${x + 7} 10l5 -12`} />;
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
      <li>
        <svg viewBox="0 0 32 8" width="32" height="8" aria-hidden="true">
          <rect className={styles.time} width="32" height="8" />
          <BreakMark x={12} />
        </svg>
        {whyTexts.cut}
      </li>
      <li>
        <span className={badge.badge}>{whyTexts.guess}</span> {whyTexts.guessNote}
      </li>
    </ul>
  );
}
