import { type ReactNode, useState } from 'react';
import type { ConsoleWhy } from '../../contract/console.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { formatNetwork } from '../format/format-names.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import { LabelledSelect } from '../parts/labelled-input.tsx';
import { Loading, Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { openRoute } from '../route.ts';
import { ScoreLegend } from './score-bar.tsx';
import { useWhyTexts } from './texts.ts';
import { WhyTable } from './why-table.tsx';
import styles from './why-view.module.css';

/** The scores of all lines in one network, and the chance that each is handed out next. */
export function WhyView({
  network,
  version,
}: {
  readonly network: string | undefined;
  readonly version: number;
}): ReactNode {
  const { texts } = useLocale();
  const whyTexts = useWhyTexts();
  const query = network === undefined ? '' : `?network=${encodeURIComponent(network)}`;
  const { data, latest, hasFailed } = useView<ConsoleWhy>(`${CONSOLE_PATHS.why}${query}`, version);
  // The list stays after a failure, too, so that keyboard users do not lose it.
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  return (
    <Panel title={texts.why} id="why">
      <div className={kit.stack}>
        <p className={`${kit.note} ${styles.note}`}>{whyTexts.whyNote}</p>
        {last && <NetworkChoice network={network ?? last.network} networks={last.networks} />}
        {latest === undefined ? (
          <Loading hasFailed={hasFailed} />
        ) : (
          <div className={`${kit.stack} ${kit.renewed}`} aria-busy={data === undefined}>
            {latest.lines.every(({ isGuess }) => isGuess) && (
              <p className={kit.notice}>{whyTexts.allGuesses}</p>
            )}
            <ScoreLegend />
            <WhyTable lines={latest.lines} />
          </div>
        )}
      </div>
    </Panel>
  );
}

function NetworkChoice({ network, networks }: Pick<ConsoleWhy, 'network' | 'networks'>): ReactNode {
  const { texts } = useLocale();
  const whyTexts = useWhyTexts();
  // The chosen network is in the list even if it was not seen recently.
  const choices = network === null || networks.includes(network) ? networks : [network, ...networks];
  return (
    <LabelledSelect
      label={texts.network}
      className={styles.choice}
      value={network ?? ''}
      onChange={({ currentTarget }) => {
        openRoute({ view: 'why', network: currentTarget.value });
      }}
    >
      {network === null && <option value="">{whyTexts.stranger}</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {formatNetwork(choice, texts)}
        </option>
      ))}
    </LabelledSelect>
  );
}
