import { type ReactNode, useMemo, useState } from 'react';
import type { ConsoleNetworks } from '../../contract/console.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import { Empty, Loading, Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { CellDetail } from './cell-detail.tsx';
import { FailureList } from './failure-list.tsx';
import { HeatMap } from './heat-map.tsx';
import { Legend } from './legend.tsx';
import { type CellPlace, listFailures } from './cells.ts';
import styles from './where-view.module.css';

/** Which line fails in which network, since when. */
export function WhereView({ version }: { readonly version: number }): ReactNode {
  const { texts } = useLocale();
  const { data, hasFailed } = useView<ConsoleNetworks>(CONSOLE_PATHS.networks, version);
  if (data === undefined) return <Loading hasFailed={hasFailed} />;
  if (data.networks.length === 0) {
    return (
      <Panel title={texts.where} id="where">
        <Empty>
          {texts.noNetworks} {texts.nothingYetHint}
        </Empty>
      </Panel>
    );
  }
  return <Networks data={data} />;
}

function Networks({ data }: { readonly data: ConsoleNetworks }): ReactNode {
  const { texts, format } = useLocale();
  const [chosen, setChosen] = useState<{ readonly network: string; readonly line: string }>();
  const failures = useMemo(() => listFailures(data), [data]);
  const place = findPlace(data, chosen) ?? failures[0]?.place ?? { network: 0, line: 0 };
  const choose = (next: CellPlace): void => {
    const [network, line] = [data.networks[next.network], data.lines[next.line]];
    if (network && line) setChosen({ network: network.name, line: line.id });
  };
  return (
    <div className={kit.view}>
      <div className={styles.top}>
        <Panel title={texts.failingNow} note={format.count(failures.length)} id="failing">
          <FailureList failures={failures} now={data.at} onChoose={choose} />
        </Panel>
        <CellDetail data={data} place={place} />
      </div>
      <Panel
        title={texts.map}
        note={texts.whereNote(format.count(data.networks.length), format.count(data.known))}
        id="map"
      >
        <Legend />
        <HeatMap data={data} place={place} onChoose={choose} />
      </Panel>
    </div>
  );
}

/** Finds the chosen cell again when the order of the networks has changed. */
function findPlace(
  { networks, lines }: ConsoleNetworks,
  chosen: { readonly network: string; readonly line: string } | undefined,
): CellPlace | undefined {
  if (chosen === undefined) return undefined;
  const network = networks.findIndex(({ name }) => name === chosen.network);
  const line = lines.findIndex(({ id }) => id === chosen.line);
  return network < 0 || line < 0 ? undefined : { network, line };
}
