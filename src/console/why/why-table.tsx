import { type ReactNode, memo } from 'react';
import type { WhyLine } from '../../contract/console.ts';
import { formatHost } from '../format/format-names.ts';
import { useLocale } from '../locale/locale.ts';
import badge from '../parts/badge.module.css';
import { HostName } from '../parts/host-name.tsx';
import tables from '../parts/table.module.css';
import { hrefOf } from '../route.ts';
import { ScoreBar } from './score-bar.tsx';
import { useWhyTexts } from './texts.ts';
import styles from './why-table.module.css';

/** Longer bars are cut, so that the best ones can be compared. */
const MAX_RATIO = 4;

/** Every line with its score and the reason of its chance, best first. */
export function WhyTable({ lines }: { readonly lines: readonly WhyLine[] }): ReactNode {
  const { texts } = useLocale();
  const whyTexts = useWhyTexts();
  const longestMs = Math.min(
    Math.max(...lines.map(({ scoreMs }) => scoreMs)),
    MAX_RATIO * (lines[Math.min(2, lines.length - 1)]?.scoreMs ?? 1),
  );
  const percents = roundChances(lines.map(({ chance }) => chance));
  const best = lines.filter(({ reason }) => reason === 'best');
  return (
    <table className={`${tables.table} ${tables.stacked} ${styles.why}`}>
      <thead>
        <tr>
          <th scope="col" data-number>
            {whyTexts.rank}
          </th>
          <th scope="col">{texts.line}</th>
          <th scope="col">{whyTexts.nextPick}</th>
          <th scope="col">{whyTexts.score}</th>
          <th scope="col">{whyTexts.reason}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <WhyRow
            key={line.id}
            line={line}
            percent={percents[index] ?? 0}
            longestMs={longestMs}
            // Lines that nobody is handed have none.
            rank={line.chance > 0 ? index + 1 : undefined}
            reason={whyTexts.best[best.indexOf(line)] ?? whyTexts.reasons[line.reason]}
          />
        ))}
      </tbody>
    </table>
  );
}

const WhyRow = memo(function WhyRow({
  line,
  percent,
  longestMs,
  rank,
  reason,
}: {
  readonly line: WhyLine;
  /** Its chance in whole percent. */
  readonly percent: number;
  readonly longestMs: number;
  readonly rank: number | undefined;
  readonly reason: string;
}): ReactNode {
  const { format } = useLocale();
  const whyTexts = useWhyTexts();
  const { id, host, chance, scoreMs, timeMs, reachFactor, loadFactor, reach, isKept, isGuess } = line;
  return (
    <tr data-line={formatHost(host)} data-reason={line.reason}>
      <td className={styles.rank} data-number>
        {rank}
      </td>
      <th scope="row">
        <a href={hrefOf({ view: 'line', id })}>
          <HostName host={host} />
        </a>
      </th>
      <td className={styles.chance} data-chosen={chance >= 0.5 || undefined}>
        <svg className={styles.bar} viewBox="0 0 60 8" width="60" height="8" aria-hidden="true">
          <rect className={styles.track} width="60" height="8" rx="2" />
          <rect className={styles.fill} width={60 * chance} height="8" rx="2" />
        </svg>
        {percent === 0 && chance > 0 ? `< ${format.percent(0.01)}` : format.percent(percent / 100)}
      </td>
      <td className={styles.score}>
        <strong>{format.ms(scoreMs)}</strong>{' '}
        {isGuess && <span className={badge.badge}>{whyTexts.guess}</span>}
        <ScoreBar line={line} longestMs={longestMs} />
        <span className={styles.factors}>
          {whyTexts.scoreFactors({
            time: format.ms(timeMs),
            reachFactor: format.factor(reachFactor),
            reach: format.percent(reach),
            loadFactor: format.factor(loadFactor),
          })}
        </span>
      </td>
      <td className={styles.reason}>
        {reason} {isKept && whyTexts.isKept}
      </td>
    </tr>
  );
});

/**
 * Rounds chances to whole percent that still add up (the method of the largest remainder): all are rounded down, and those that
 * lose most by that are rounded up.
 */
export function roundChances(chances: readonly number[]): readonly number[] {
  const exact = chances.map((chance) => chance * 100);
  const whole = exact.map(Math.floor);
  const missing = Math.round(addUp(exact)) - addUp(whole);
  const lossOf = (index: number): number => (exact[index] ?? 0) - (whole[index] ?? 0);
  const byLoss = exact.map((_, index) => index).toSorted((one, other) => lossOf(other) - lossOf(one));
  const roundedUp = new Set(byLoss.slice(0, missing));
  return whole.map((percent, index) => percent + (roundedUp.has(index) ? 1 : 0));
}

function addUp(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
