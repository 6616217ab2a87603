import { type ReactNode, useMemo, useState } from 'react';
import type { ConsoleNetworks } from '../../contract/console.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { useView } from '../live/use-view.ts';
import { Empty, Panel } from '../parts/panel.tsx';
import { TEXTS } from '../texts.ts';
import { CellDetail } from './cell-detail.tsx';
import { FailureList } from './failure-list.tsx';
import { HeatMap } from './heat-map.tsx';
import { Legend } from './legend.tsx';
import { type CellPlace, listFailures } from './cells.ts';
import styles from './where-view.module.css';

/** Which line fails in which network, since when. */
export function WhereView({ version }: { readonly version: number }): ReactNode {
  const { data, hasFailed } = useView<ConsoleNetworks>(CONSOLE_PATHS.networks, version);
  if (data === undefined) return <Empty>{hasFailed ? TEXTS.viewFailed : TEXTS.loading}</Empty>;
  if (data.networks.length === 0) {
    return (
      <Panel title={TEXTS.whereTitle} id="where">
        <Empty>
          {TEXTS.whereEmpty} {TEXTS.nothingYetHint}
        </Empty>
      </Panel>
    );
  }
  return <Networks data={data} />;
}

function Networks({ data }: { readonly data: ConsoleNetworks }): ReactNode {
  const [chosen, setChosen] = useState<{ readonly network: string; readonly line: string }>();
  const failures = useMemo(() => listFailures(data), [data]);
  const place = findPlace(data, chosen) ?? failures[0]?.place ?? { network: 0, line: 0 };
  const choose = (next: CellPlace): void => {
    const [network, line] = [data.networks[next.network], data.lines[next.line]];
    if (network && line) setChosen({ network: network.name, line: line.id });
  };
  return (
    <div className={styles.view}>
      <div className={styles.top}>
        <Panel title={TEXTS.failingNow} note={String(failures.length)} id="failing">
          <FailureList failures={failures} now={data.at} onChoose={choose} />
        </Panel>
        <CellDetail data={data} place={place} />
      </div>
      <Panel title={TEXTS.map} note={TEXTS.whereNote(data.networks.length, data.known)} id="map">
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
