import { type ReactNode, useState } from 'react';
import { VISITOR_PATHS } from '../../contract/paths.ts';
import type { ConsoleAccount } from '../../contract/people.ts';
import type { VisitorNumbers, VisitorRange } from '../../contract/visitors.ts';
import { useView } from '../live/use-view.ts';
import buttons from '../parts/buttons.module.css';
import { Loading, Panel } from '../parts/panel.tsx';
import { SiteSetting } from '../parts/site-setting.tsx';
import kit from '../parts/view.module.css';
import { CountLists } from './count-lists.tsx';
import { RangeSwitch } from './range-switch.tsx';
import { useVisitorTexts } from './texts.ts';
import { TimeChart } from './time-chart.tsx';
import { VitalsTable } from './vitals-table.tsx';
import { WayFunnel, WayTiles } from './way-to-a-line.tsx';

const SETTING = '"analytics": { "counts": "self" }';

/** How many visitors did what: the numbers that the portal counts. */
export function VisitorsView({
  version,
  account,
}: {
  readonly version: number;
  /** Undefined until it is loaded. */
  readonly account: ConsoleAccount | undefined;
}): ReactNode {
  const texts = useVisitorTexts();
  const [range, setRange] = useState<VisitorRange>('today');
  const query = `?range=${range}`;
  const { data, latest, hasFailed } = useView<VisitorNumbers>(`${VISITOR_PATHS.numbers}${query}`, version);
  return (
    <div className={kit.view}>
      <div className={kit.choices}>
        <RangeSwitch range={range} onChoose={setRange} />
        <p className={kit.note}>{texts.earlier[range]}</p>
        <a className={buttons.link} href={`${VISITOR_PATHS.table}${query}`} download>
          {texts.csv}
        </a>
      </div>
      {latest === undefined ? (
        <Loading hasFailed={hasFailed} />
      ) : (
        <div className={`${kit.view} ${kit.renewed}`} aria-busy={data === undefined}>
          <Numbers numbers={latest} account={account} />
        </div>
      )}
    </div>
  );
}

function Numbers({
  numbers,
  account,
}: {
  readonly numbers: VisitorNumbers;
  readonly account: ConsoleAccount | undefined;
}): ReactNode {
  const texts = useVisitorTexts();
  const { steps, isOn } = numbers;
  const isEmpty = steps.page_view.now + steps.page_view.before === 0;
  if (!isOn && isEmpty) return <Off account={account} />;
  return (
    <>
      {!isOn && <p className={kit.notice}>{texts.offOlder}</p>}
      <WayTiles numbers={numbers} />
      <WayFunnel numbers={numbers} />
      <TimeChart numbers={numbers} />
      <CountLists numbers={numbers} />
      <VitalsTable numbers={numbers} />
    </>
  );
}

/** Says how to turn counting on. */
function Off({ account }: { readonly account: ConsoleAccount | undefined }): ReactNode {
  const texts = useVisitorTexts();
  return (
    <Panel title={texts.off} id="counts-off">
      <div className={kit.stack}>
        <p>{texts.offText}</p>
        <p>
          <SiteSetting setting={SETTING} place="settings" account={account} />
        </p>
        <p>{texts.offTag}</p>
      </div>
    </Panel>
  );
}
