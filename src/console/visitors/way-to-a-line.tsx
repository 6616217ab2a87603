import type { ReactNode } from 'react';
import { VISIT_STEPS, type VisitorNumbers } from '../../contract/visitors.ts';
import { CountTile, ShareTile } from './compared-tiles.tsx';
import { Funnel } from './funnel.tsx';
import { useVisitorTexts } from './texts.ts';
import styles from './visitors.module.css';

/** How many opened a page, how many entered a line, and how they compare with the time before. */
export function WayTiles({ numbers: { steps } }: { readonly numbers: VisitorNumbers }): ReactNode {
  const texts = useVisitorTexts();
  const { page_view: views, entered } = steps;
  return (
    <div className={styles.tiles}>
      <CountTile id="tile-views" title={texts.views} count={views} />
      <CountTile id="tile-entered" title={texts.entered} count={entered} />
      <ShareTile id="tile-share" title={texts.share} part={entered} of={views} />
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
