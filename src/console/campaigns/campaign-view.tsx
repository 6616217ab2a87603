import type { ReactNode } from 'react';
import type { CampaignDetail, CampaignSummary } from '../../contract/campaigns.ts';
import { CAMPAIGN_PATHS, CAMPAIGN_PREFIX } from '../../contract/paths.ts';
import { SOURCE_STEPS, type VisitorRange } from '../../contract/visitors.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Loading, Panel } from '../parts/panel.tsx';
import { Tile } from '../parts/tile.tsx';
import kit from '../parts/view.module.css';
import { Groups, useNames } from '../visitors/count-lists.tsx';
import { describeShareTrend, describeTrend } from '../visitors/describe-trend.ts';
import { Funnel } from '../visitors/funnel.tsx';
import { useVisitorTexts } from '../visitors/texts.ts';
import { TimeChart } from '../visitors/time-chart.tsx';
import visitors from '../visitors/visitors.module.css';
import { QrPanel } from './qr-panel.tsx';
import { useCampaignTexts } from './texts.ts';

type CampaignViewProps = {
  readonly code: string;
  readonly range: VisitorRange;
  readonly version: number;
};

/** One campaign: its link, and its numbers by time, country, language and device, beside the period before. */
export function CampaignView({ code, range, version }: CampaignViewProps): ReactNode {
  const query = new URLSearchParams({ code, range });
  const {
    data: newest,
    latest,
    hasFailed,
  } = useView<CampaignDetail>(`${CAMPAIGN_PATHS.one}?${query}`, version);
  const texts = useCampaignTexts();
  const words = useVisitorTexts();
  const nameRegion = useNames('region');
  const nameLanguage = useNames('language');
  const data = latest?.campaign.code === code ? latest : undefined;
  if (data === undefined)
    return hasFailed ? <p className={kit.notice}>{texts.unknownCampaign}</p> : <Loading />;
  const path = `${CAMPAIGN_PREFIX}${code}`;
  const link = data.publicUrl === '' ? path : new URL(path, data.publicUrl).href;
  return (
    <div className={`${kit.view} ${kit.renewed}`} aria-busy={newest === undefined}>
      <LinkPanel detail={data} link={link} />
      <Tiles detail={data} />
      <Funnel
        id="campaign-way"
        title={words.way}
        steps={SOURCE_STEPS.map((step) => ({
          key: step,
          name: texts.steps[step],
          count: data.campaign.steps[step],
        }))}
      />
      <TimeChart numbers={data} />
      <div className={visitors.columns}>
        <Groups
          id="campaign-countries"
          title={words.countries}
          what={words.country}
          groups={data.countries}
          nameOf={nameRegion}
        />
        <Groups
          id="campaign-devices"
          title={words.devices}
          what={words.device}
          groups={data.devices}
          nameOf={(name) => words.deviceNames[name] ?? words.other}
        />
        <Groups
          id="campaign-languages"
          title={words.languages}
          what={words.language}
          groups={data.languages}
          nameOf={nameLanguage}
        />
        {data.publicUrl !== '' && data.campaign.state !== 'removed' && (
          <QrPanel link={link} code={code} look={data.qr} />
        )}
      </div>
    </div>
  );
}

function LinkPanel({
  detail: { campaign, publicUrl },
  link,
}: {
  readonly detail: CampaignDetail;
  readonly link: string;
}): ReactNode {
  const texts = useCampaignTexts();
  const { format } = useLocale();
  const { code, name, to, state, steps, fetches } = campaign;
  return (
    <Panel
      title={name || code}
      id="campaign-link"
      {...(texts.states[state] && { note: texts.states[state] })}
    >
      <div className={kit.stack}>
        <p>
          <code>{link}</code> <CopyButton label={texts.copy} text={link} />
        </p>
        {publicUrl === '' && <p className={kit.note}>{texts.noPublicUrl}</p>}
        {to !== '' && <p>{texts.endsAt(texts.ends[to] ?? to)}</p>}
        {isStillFollowed(campaign) && (
          <p className={kit.notice}>{texts.still(name || code, format.count(steps.page_view.now))}</p>
        )}
        <p className={kit.note}>
          {texts.fetches}: {texts.previews(format.count(fetches.preview.now))},{' '}
          {texts.prefetches(format.count(fetches.prefetch.now))}
        </p>
      </div>
    </Panel>
  );
}

function Tiles({ detail: { campaign } }: { readonly detail: CampaignDetail }): ReactNode {
  const texts = useCampaignTexts();
  const words = { texts: useVisitorTexts(), format: useLocale().format };
  const { format } = words;
  const { page_view: opened, first_row: saw, entered } = campaign.steps;
  return (
    <div className={visitors.tiles}>
      <Tile
        id="campaign-opened"
        title={texts.steps.page_view}
        figure={format.count(opened.now)}
        note={describeTrend(opened, words)}
      />
      <Tile
        id="campaign-saw"
        title={texts.steps.first_row}
        figure={format.count(saw.now)}
        note={describeTrend(saw, words)}
      />
      <Tile
        id="campaign-entered"
        title={texts.steps.entered}
        figure={format.count(entered.now)}
        note={describeTrend(entered, words)}
      />
      <Tile
        id="campaign-share"
        title={texts.share}
        figure={format.part(entered.now, opened.now)}
        note={describeShareTrend(entered, opened, words)}
      />
    </div>
  );
}

/** Whether visitors come by a link that is over, or no longer in the site. */
export function isStillFollowed({ state, steps }: CampaignSummary): boolean {
  return (state === 'ended' || state === 'removed') && steps.page_view.now > 0;
}
