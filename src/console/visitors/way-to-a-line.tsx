import type { ReactNode } from 'react';
import { VISIT_STEPS, type VisitorNumbers } from '../../contract/visitors.ts';
import { useLocale } from '../locale/locale.ts';
import { Tile } from '../parts/tile.tsx';
import { describeTrend, describeShareTrend } from './describe-trend.ts';
import { Funnel } from './funnel.tsx';
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
export function WayFunnel({ numbers: { steps } }: { readonly numbers: VisitorNumbers }): ReactNode {
  const texts = useVisitorTexts();
  return (
    <Funnel
      id="way"
      title={texts.way}
      note={texts.wayNote}
      steps={VISIT_STEPS.map((step) => ({
        key: step,
        name: texts.shortSteps[step],
        longName: texts.steps[step],
        count: steps[step],
      }))}
    />
  );
}
