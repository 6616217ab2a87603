import type { ReactNode } from 'react';
import { VISIT_STEPS, type VisitorNumbers } from '../../contract/visitors.ts';
import { useLocale } from '../locale/locale.ts';
import { Tile } from '../parts/tile.tsx';
import { type CountRow, CountTable } from './count-table.tsx';
import { describeTrend, describeShareTrend, writeTrend } from './describe-trend.ts';
import { useVisitorTexts } from './texts.ts';
import styles from './visitors.module.css';

/** How many opened a page, how many entered a line, and how they compare with the time before. */
export function WayTiles({ numbers: { steps } }: { readonly numbers: VisitorNumbers }): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const { page_view: views, entered } = steps;
  const words = { texts, format };
  return (
    <div className={styles.tiles}>
      <Tile
        id="tile-views"
        title={texts.views}
        figure={format.count(views.now)}
        note={describeTrend(views, words)}
      />
      <Tile
        id="tile-entered"
        title={texts.entered}
        figure={format.count(entered.now)}
        note={describeTrend(entered, words)}
      />
      <Tile
        id="tile-share"
        title={texts.share}
        figure={format.part(entered.now, views.now)}
        note={describeShareTrend(entered, views, words)}
      />
    </div>
  );
}

/** From the page to a line: how many came how far, and how many were lost on the way. */
export function WayTable({ numbers: { steps } }: { readonly numbers: VisitorNumbers }): ReactNode {
  const texts = useVisitorTexts();
  const { format } = useLocale();
  const opened = steps.page_view.now;
  const rows = VISIT_STEPS.map((step, index): CountRow => {
    const { now } = steps[step];
    const previous = VISIT_STEPS[index - 1];
    const lost = previous === undefined ? null : Math.max(0, steps[previous].now - now);
    return {
      key: step,
      name: texts.steps[step],
      bar: opened === 0 ? 0 : Math.min(1, now / opened),
      cells: [
        format.count(now),
        format.part(now, opened),
        format.count(lost),
        format.count(steps[step].before),
        writeTrend(steps[step], format),
      ],
    };
  });
  return (
    <CountTable
      id="way"
      title={texts.way}
      note={texts.wayNote}
      columns={[
        { name: texts.step },
        { name: texts.now },
        { name: texts.ofOpened },
        { name: texts.lost },
        { name: texts.before, isWide: true },
        { name: texts.change, isWide: true },
      ]}
      rows={rows}
    />
  );
}
