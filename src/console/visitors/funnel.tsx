import type { ReactNode } from 'react';
import type { Compared } from '../../contract/visitors.ts';
import { useLocale } from '../locale/locale.ts';
import { ChartScale } from '../parts/chart-scale.tsx';
import { AsTable } from '../parts/number-table.tsx';
import { Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { describeTrend, writeTrend } from './describe-trend.ts';
import { drawBars, drawFlows, drawOutline, findNiceTop, listTicks } from './draw-funnel.ts';
import styles from './funnel.module.css';
import { useVisitorTexts } from './texts.ts';

export type FunnelStep = {
  readonly count: Compared;
  readonly key: string;
  readonly name: string;
  /** For the table. By default, the name. */
  readonly longName?: string;
};

type FunnelProps = {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  /** Each is a part of the one before. */
  readonly steps: readonly FunnelStep[];
};

/** How many came how far: a bar for each step, what is lost between them, and the period before as an outline. */
export function Funnel({ id, title, note, steps }: FunnelProps): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const hasBefore = steps.some(({ count }) => count.before > 0);
  const opened = steps[0]?.count.now ?? 0;
  return (
    <Panel title={title} note={note} id={id}>
      <Picture steps={steps} />
      {hasBefore && (
        <ul className={`${kit.legend} ${styles.legend}`}>
          <li>{texts.now}</li>
          <li data-before>{texts.before}</li>
        </ul>
      )}
      <AsTable
        labelledBy={id}
        columns={[
          { name: texts.step },
          { name: texts.now },
          { name: texts.ofOpened },
          { name: texts.lost },
          { name: texts.before, isWide: true },
          { name: texts.change, isWide: true },
        ]}
        rows={steps.map(({ key, name, longName = name, count }, index) => ({
          key,
          name: longName,
          cells: [
            format.count(count.now),
            format.part(count.now, opened),
            format.count(index === 0 ? null : findLost(steps, index)),
            format.count(count.before),
            writeTrend(count, format),
          ],
        }))}
      />
    </Panel>
  );
}

function Picture({ steps }: Pick<FunnelProps, 'steps'>): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const top = findNiceTop(Math.max(...steps.map(({ count }) => Math.max(count.now, count.before))));
  const opened = steps[0]?.count.now ?? 0;
  const now = steps.map(({ count }) => count.now / top);
  const columns = { gridTemplateColumns: `repeat(${steps.length}, minmax(0, 1fr))` };
  return (
    <div className={styles.funnel} aria-hidden="true">
      <ChartScale values={listTicks(top).map((value) => format.count(value))} />
      <div className={styles.plot}>
        <svg className={styles.picture} viewBox="0 0 100 100" preserveAspectRatio="none">
          <path className={styles.grid} d="M0 0H100M0 50H100" />
          <path className={styles.flow} d={drawFlows(now)} />
          <path className={styles.bar} d={drawBars(now)} />
          <path className={styles.before} d={drawOutline(steps.map(({ count }) => count.before / top))} />
        </svg>
        <div className={styles.hits} style={columns}>
          {steps.map((step) => (
            <div key={step.key} className={styles.hit}>
              <div className={styles.tip}>
                <strong>{step.name}</strong>
                <span>{texts.tipNow(format.count(step.count.now), format.part(step.count.now, opened))}</span>
                <span>
                  {texts.tipBefore(
                    format.count(step.count.before),
                    format.part(step.count.before, steps[0]?.count.before ?? 0),
                  )}
                </span>
                <span>{describeTrend(step.count, { texts, format })}</span>
              </div>
            </div>
          ))}
        </div>
      </div>
      <ol className={styles.labels} style={columns}>
        {steps.map((step, index) => (
          <li key={step.key}>
            <span className={styles.name}>{step.name}</span>
            <strong className={styles.figure}>{format.count(step.count.now)}</strong>
            <span className={styles.fact}>{format.part(step.count.now, opened)}</span>
            {findLost(steps, index) > 0 && (
              <span className={styles.lost}>{texts.lostHere(format.count(findLost(steps, index)))}</span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Lost between the step before and this one. */
function findLost(steps: readonly FunnelStep[], index: number): number {
  return Math.max(0, (steps[index - 1]?.count.now ?? 0) - (steps[index]?.count.now ?? 0));
}
