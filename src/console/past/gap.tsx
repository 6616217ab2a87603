import type { ReactNode } from 'react';
import { Empty, Panel } from '../parts/panel.tsx';
import { usePastTexts } from './texts.ts';

/** Shown instead of a view where nothing is kept of a time. */
export function Gap(): ReactNode {
  const texts = usePastTexts();
  return (
    <Panel title={texts.gapTitle} id="gap">
      <Empty>{texts.gap}</Empty>
    </Panel>
  );
}
