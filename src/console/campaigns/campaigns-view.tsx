import { type ReactNode, useState } from 'react';
import type { CampaignNumbers, CampaignSummary } from '../../contract/campaigns.ts';
import { CAMPAIGN_PATHS } from '../../contract/paths.ts';
import { OTHER, UTM_KINDS, type VisitorRange } from '../../contract/visitors.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import { NumberTable } from '../parts/number-table.tsx';
import { Empty, Loading, Panel } from '../parts/panel.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import kit from '../parts/view.module.css';
import { hrefOf } from '../route.ts';
import { CountTable } from '../visitors/count-table.tsx';
import { writeTrend } from '../visitors/describe-trend.ts';
import { RangeSwitch } from '../visitors/range-switch.tsx';
import { useVisitorTexts } from '../visitors/texts.ts';
import visitors from '../visitors/visitors.module.css';
import { CampaignView, isStillFollowed } from './campaign-view.tsx';
import styles from './campaigns.module.css';
import { useCampaignTexts } from './texts.ts';

type CampaignsViewProps = {
  /** The code of the campaign that is open. Empty for the list. */
  readonly code: string;
  readonly version: number;
};

/** The links of campaigns: all of them, or one with its numbers. */
export function CampaignsView({ code, version }: CampaignsViewProps): ReactNode {
  const texts = useCampaignTexts();
  const words = useVisitorTexts();
  const [range, setRange] = useState<VisitorRange>('7d');
  return (
    <div className={kit.view}>
      <div className={kit.choices}>
        {code !== '' && <a href={hrefOf({ view: 'campaigns', code: '' })}>{texts.back}</a>}
        <RangeSwitch range={range} onChoose={setRange} />
        <a className={buttons.link} href={`${CAMPAIGN_PATHS.table}?range=${range}`} download>
          {words.csv}
        </a>
      </div>
      {code === '' ? (
        <CampaignList range={range} version={version} />
      ) : (
        <CampaignView code={code} range={range} version={version} />
      )}
    </div>
  );
}

function CampaignList({
  range,
  version,
}: {
  readonly range: VisitorRange;
  readonly version: number;
}): ReactNode {
  const texts = useCampaignTexts();
  const { format } = useLocale();
  const { data, latest, hasFailed } = useView<CampaignNumbers>(
    `${CAMPAIGN_PATHS.numbers}?range=${range}`,
    version,
  );
  if (latest === undefined) return <Loading hasFailed={hasFailed} />;
  const { campaigns, isOn } = latest;
  return (
    <div className={`${kit.view} ${kit.renewed}`} aria-busy={data === undefined}>
      {!isOn && campaigns.length > 0 && <p className={kit.notice}>{texts.off}</p>}
      {campaigns.filter(isStillFollowed).map(({ code, name, steps }) => (
        <p className={kit.notice} key={code}>
          {texts.still(name || code, format.count(steps.page_view.now))}
        </p>
      ))}
      <Panel title={texts.list} note={texts.listNote} id="campaigns">
        {campaigns.length === 0 ? (
          <div className={kit.stack}>
            <Empty>
              {texts.none} {texts.noneText}
            </Empty>
            <p>
              <a className={buttons.mainLink} href={hrefOf({ view: 'desk', part: 'campaigns' })}>
                {texts.add}
              </a>
            </p>
          </div>
        ) : (
          <CampaignTable campaigns={campaigns} />
        )}
      </Panel>
      <UtmTables numbers={latest} />
    </div>
  );
}

function CampaignTable({ campaigns }: { readonly campaigns: readonly CampaignSummary[] }): ReactNode {
  const texts = useCampaignTexts();
  const { format } = useLocale();
  const draw = (values: readonly number[], name: string): ReactNode => (
    <Sparkline values={values} label={texts.trendOf(name)} />
  );
  return (
    <NumberTable
      labelledBy="campaigns"
      className={styles.campaigns}
      columns={[
        { name: texts.campaign },
        { name: texts.trend, isWide: true, isPicture: true },
        { name: texts.steps.page_view },
        { name: texts.steps.first_row, isWide: true },
        { name: texts.steps.entered },
        { name: texts.share },
      ]}
      rows={campaigns.map(({ code, name, state, steps, views }) => ({
        key: code,
        name: (
          <>
            <a href={hrefOf({ view: 'campaigns', code })}>{name || code}</a>{' '}
            <span className={kit.note}>
              /c/{code} {texts.states[state]}
            </span>
          </>
        ),
        cells: [
          draw(views, name || code),
          format.count(steps.page_view.now),
          format.count(steps.first_row.now),
          format.count(steps.entered.now),
          format.part(steps.entered.now, steps.page_view.now),
        ],
      }))}
    />
  );
}

/** What brought visitors by the parameters of their address. */
function UtmTables({ numbers: { utm } }: { readonly numbers: CampaignNumbers }): ReactNode {
  const texts = useCampaignTexts();
  const words = useVisitorTexts();
  const { format } = useLocale();
  return (
    <div className={visitors.columns}>
      {UTM_KINDS.filter((kind) => utm[kind].length > 0).map((kind) => (
        <CountTable
          key={kind}
          id={kind}
          title={texts.utm[kind]}
          note={texts.utmNote}
          columns={[
            { name: texts.value },
            { name: texts.steps.page_view },
            { name: texts.steps.entered },
            { name: words.change, isWide: true },
          ]}
          rows={utm[kind].map(({ name, now, before, entered }) => ({
            key: name,
            name: name === OTHER ? words.other : name,
            cells: [format.count(now), format.count(entered.now), writeTrend({ now, before }, format)],
          }))}
        />
      ))}
    </div>
  );
}
