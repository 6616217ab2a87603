import { type ReactNode, useState } from 'react';
import type { CampaignNumbers, CampaignSummary } from '../../contract/campaigns.ts';
import { CAMPAIGN_PATHS } from '../../contract/paths.ts';
import { UTM_KINDS, VISITOR_RANGES, type VisitorRange } from '../../contract/visitors.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import { Empty, Loading, Panel } from '../parts/panel.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { Switch } from '../parts/switch.tsx';
import tables from '../parts/table.module.css';
import kit from '../parts/view.module.css';
import { hrefOf } from '../route.ts';
import { CountTable } from '../visitors/count-table.tsx';
import { writeTrend } from '../visitors/describe-trend.ts';
import { useVisitorTexts } from '../visitors/texts.ts';
import visitors from '../visitors/visitors.module.css';
import { CampaignView, isStillFollowed } from './campaign-view.tsx';
import styles from './campaigns.module.css';
import { useCampaignTexts } from './texts.ts';

const RANGES = Object.keys(VISITOR_RANGES) as VisitorRange[];

type CampaignsViewProps = {
  /** The code of the campaign that is open. Empty for the list. */
  readonly code: string;
  readonly version: number;
};

/** The links of campaigns: all of them, or one with its numbers. */
export function CampaignsView({ code, version }: CampaignsViewProps): ReactNode {
  const texts = useCampaignTexts();
  const [range, setRange] = useState<VisitorRange>('7d');
  return (
    <div className={kit.view}>
      <div className={visitors.head}>
        {code !== '' && <a href={hrefOf({ view: 'campaigns', code: '' })}>{texts.back}</a>}
        <Switch
          name={texts.range}
          choices={RANGES.map((value) => ({ value, text: texts.ranges[value] }))}
          value={range}
          onChoose={setRange}
        />
        <a className={buttons.link} href={`${CAMPAIGN_PATHS.table}?range=${range}`} download>
          {texts.csv}
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
  return (
    <table className={`${tables.table} ${styles.campaigns}`} aria-labelledby="campaigns">
      <thead>
        <tr>
          <th scope="col">{texts.campaign}</th>
          <th scope="col" data-wide>
            {texts.trend}
          </th>
          <th scope="col" data-number>
            {texts.steps.page_view}
          </th>
          <th scope="col" data-number data-wide>
            {texts.steps.first_row}
          </th>
          <th scope="col" data-number>
            {texts.steps.entered}
          </th>
          <th scope="col" data-number>
            {texts.share}
          </th>
        </tr>
      </thead>
      <tbody>
        {campaigns.map((campaign) => (
          <CampaignRow key={campaign.code} campaign={campaign} />
        ))}
      </tbody>
    </table>
  );
}

function CampaignRow({ campaign }: { readonly campaign: CampaignSummary }): ReactNode {
  const texts = useCampaignTexts();
  const { format } = useLocale();
  const { code, name, state, steps, views } = campaign;
  const { page_view: opened, first_row: saw, entered } = steps;
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf({ view: 'campaigns', code })}>{name || code}</a>{' '}
        <span className={kit.note}>
          /c/{code} {texts.states[state]}
        </span>
      </th>
      <td data-wide>
        <Sparkline values={views} label={texts.trendOf(name || code)} />
      </td>
      <td data-number>{format.count(opened.now)}</td>
      <td data-number data-wide>
        {format.count(saw.now)}
      </td>
      <td data-number>{format.count(entered.now)}</td>
      <td data-number>{format.part(entered.now, opened.now)}</td>
    </tr>
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
            name: name === 'other' ? words.other : name,
            cells: [format.count(now), format.count(entered.now), writeTrend({ now, before }, format)],
          }))}
        />
      ))}
    </div>
  );
}
