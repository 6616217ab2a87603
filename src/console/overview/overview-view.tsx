import type { ReactNode } from 'react';
import type { ConsoleLine, ConsoleLines, ConsoleOverview } from '../../contract/console.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { LinesPanel } from '../lines/lines-panel.tsx';
import { ReplaceLink } from '../lines/line-row.tsx';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import { StatusMark } from '../parts/status-mark.tsx';
import kit from '../parts/view.module.css';
import { hrefOf } from '../route.ts';
import { type HeadlineText, findHeadlines } from './find-headlines.ts';
import headlineStyles from './headline.module.css';
import { ReplicasPanel } from './replicas-panel.tsx';
import { SitePanel } from './site-panel.tsx';
import { Tiles } from './tiles.tsx';
import styles from './overview-view.module.css';

/** Do visitors get in, and which lines are in trouble since when? */
export function OverviewView({
  overview,
  mayEdit,
}: {
  readonly overview: ConsoleOverview;
  readonly mayEdit: boolean;
}): ReactNode {
  const { data, hasFailed } = useView<ConsoleLines>(CONSOLE_PATHS.lines, overview.version);
  return (
    <div className={kit.view}>
      <Headline overview={overview} lines={data?.lines} mayEdit={mayEdit} />
      {!overview.isAnybodyTold && <NobodyTold mayEdit={mayEdit} />}
      <Tiles overview={overview} />
      <div className={styles.columns}>
        <LinesPanel lines={data?.lines} now={overview.at} hasFailed={hasFailed} mayEdit={mayEdit} />
        <div className={styles.side}>
          <ReplicasPanel overview={overview} />
          <SitePanel overview={overview} />
        </div>
      </div>
    </div>
  );
}

/** Incidents are noticed whether or not anybody is told: an operator who forgot the channels would learn of none. */
function NobodyTold({ mayEdit }: { readonly mayEdit: boolean }): ReactNode {
  const { texts } = useLocale();
  return (
    <p className={kit.notice}>
      {texts.nobodyTold}
      {mayEdit && (
        <>
          {' '}
          <a href={hrefOf({ view: 'desk', part: 'alerts' })}>{texts.setUpAlerts}</a>
        </>
      )}
    </p>
  );
}

/** The main message, large enough to read from a distance, and the other troubles below it. */
function Headline({
  overview,
  lines = [],
  mayEdit,
}: {
  readonly overview: ConsoleOverview;
  readonly lines: readonly ConsoleLine[] | undefined;
  readonly mayEdit: boolean;
}): ReactNode {
  const locale = useLocale();
  const [first, ...others] = findHeadlines(overview, lines, locale);
  const titleOf = ({ since }: HeadlineText): string | undefined =>
    since === undefined ? undefined : locale.format.exactTime(since, overview.at);
  return (
    <div className={headlineStyles.headline} data-status={first.status} role="status">
      <p className={headlineStyles.first} title={titleOf(first)}>
        <StatusMark status={first.status} label={first.text} />
        <Hint headline={first} />
        {mayEdit && first.down !== undefined && <ReplaceLink line={first.down} />}
      </p>
      {others.length > 0 && (
        <ul className={headlineStyles.others}>
          {others.map((headline) => (
            <li key={headline.text} title={titleOf(headline)}>
              <StatusMark status={headline.status} label={headline.text} /> <Hint headline={headline} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Hint({ headline: { hint, isIncident } }: { readonly headline: HeadlineText }): ReactNode {
  const { texts } = useLocale();
  return (
    <span className={headlineStyles.hint}>
      {isIncident ? <a href={hrefOf({ view: 'incidents' })}>{texts.seeIncidents}</a> : hint}
    </span>
  );
}
