import type { ReactNode } from 'react';
import type { ConsoleLines, ConsoleOverview } from '../../contract/console.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { LinesPanel } from '../lines/lines-panel.tsx';
import { useView } from '../live/use-view.ts';
import { Headline } from './headline.tsx';
import { ReplicasPanel } from './replicas-panel.tsx';
import { SitePanel } from './site-panel.tsx';
import { Tiles } from './tiles.tsx';
import styles from './overview-view.module.css';

/** Is everybody getting in, and which line is in trouble since when. */
export function OverviewView({ overview }: { readonly overview: ConsoleOverview }): ReactNode {
  const { data, hasFailed } = useView<ConsoleLines>(CONSOLE_PATHS.lines, overview.version);
  return (
    <div className={styles.overview}>
      <Headline overview={overview} lines={data?.lines} />
      <Tiles overview={overview} />
      <div className={styles.columns}>
        <LinesPanel lines={data?.lines} now={overview.at} hasFailed={hasFailed} />
        <div className={styles.side}>
          <ReplicasPanel overview={overview} />
          <SitePanel overview={overview} />
        </div>
      </div>
    </div>
  );
}
