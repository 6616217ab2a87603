import { type ReactNode, useMemo, useState } from 'react';
import type { ConsoleNetworks } from '../../contract/console.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { formatHost } from '../format/format-names.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import { Empty, Loading, Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { CellDetail } from './cell-detail.tsx';
import { type CellPlace, isForAll, listFailures } from './cells.ts';
import { FailureList } from './failure-list.tsx';
import { HeatMap } from './heat-map.tsx';
import { type MapOrder, orderNetworks } from './order-networks.ts';
import { useWhereTexts } from './texts.ts';
import styles from './where-view.module.css';

/** Which line fails in which network, since when. */
export function WhereView({ version }: { readonly version: number }): ReactNode {
  const { data, hasFailed } = useView<ConsoleNetworks>(CONSOLE_PATHS.networks, version);
  if (data === undefined) return <Loading hasFailed={hasFailed} />;
  return <NetworksMap sent={data} />;
}

/** The map of one moment. */
export function NetworksMap({ sent }: { readonly sent: ConsoleNetworks }): ReactNode {
  const { texts: consoleTexts, format } = useLocale();
  const texts = useWhereTexts();
  const [chosen, setChosen] = useState<{ readonly network: string; readonly line: string }>();
  const [order, setOrder] = useState(findFirstOrder);
  const data = useMemo(() => orderNetworks(sent, order), [sent, order]);
  const failures = useMemo(() => listFailures(data), [data]);
  if (data.networks.length === 0) {
    return (
      <Panel title={consoleTexts.where} id="where">
        <Empty>
          {consoleTexts.noNetworks} {consoleTexts.nothingYetHint}
        </Empty>
      </Panel>
    );
  }
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
        note={texts.note(format.count(data.networks.length), format.count(data.known))}
        id="map"
      >
        <LimitedLines lines={data.lines} />
        <HeatMap data={data} order={order} place={place} onChoose={choose} onOrder={setOrder} />
      </Panel>
    </div>
  );
}

/** A phone shows four or five lines at once: there, the lines that fail come first. */
function findFirstOrder(): MapOrder {
  const isPhone = matchMedia('(max-width: 48rem)').matches;
  return { networks: 'worst', lines: isPhone ? 'worst' : 'site', isGrouped: false };
}

/** Names the lines that not everybody may be handed: few visitors try them, so the map says little about them. */
function LimitedLines({ lines }: Pick<ConsoleNetworks, 'lines'>): ReactNode {
  const { texts } = useLocale();
  const limited = lines.filter((line) => !isForAll(line));
  if (limited.length === 0) return null;
  const names = limited.map(({ host, status, rules }) => {
    const marks = rules.map((rule) => texts.rules[rule]);
    if (status === 'maintenance') marks.unshift(texts.status.maintenance);
    return texts.marked(formatHost(host), marks.join(' · '));
  });
  return (
    <p className={kit.note}>
      {texts.notForAll} {names.join(', ')}
    </p>
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
