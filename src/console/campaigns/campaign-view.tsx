import type { ReactNode } from 'react';
import type { CampaignDetail, CampaignSummary } from '../../contract/campaigns.ts';
import { CAMPAIGN_PATHS, CAMPAIGN_PREFIX } from '../../contract/paths.ts';
import { SOURCE_STEPS, type VisitorRange } from '../../contract/visitors.ts';
import { useView } from '../live/use-view.ts';
import { useLocale } from '../locale/locale.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Loading, Panel } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';
import { CountTile, ShareTile } from '../visitors/compared-tiles.tsx';
import { Groups } from '../visitors/count-lists.tsx';
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
    isMissing,
  } = useView<CampaignDetail>(`${CAMPAIGN_PATHS.one}?${query}`, version);
  const texts = useCampaignTexts();
  const words = useVisitorTexts();
  const data = latest?.campaign.code === code ? latest : undefined;
  if (data === undefined)
    return isMissing ? (
      <p className={kit.notice}>{texts.unknownCampaign}</p>
    ) : (
      <Loading hasFailed={hasFailed} />
    );
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
        <Groups kind="countries" groups={data.countries} />
        <Groups kind="devices" groups={data.devices} />
        <Groups kind="languages" groups={data.languages} />
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
    <Panel title={name || code} id="campaign-link" note={texts.states[state] || undefined}>
      <div className={kit.stack}>
        <p>
          <code>{link}</code> <CopyButton text={link} />
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
  const { page_view: opened, entered } = campaign.steps;
  return (
    <div className={visitors.tiles}>
      {SOURCE_STEPS.map((step) => (
        <CountTile
          key={step}
          id={`campaign-${step}`}
          title={texts.steps[step]}
          count={campaign.steps[step]}
        />
      ))}
      <ShareTile id="campaign-share" title={texts.share} part={entered} of={opened} />
    </div>
  );
}

/** Whether visitors come by a link that is over, or no longer in the site. */
export function isStillFollowed({ state, steps }: CampaignSummary): boolean {
  return (state === 'ended' || state === 'removed') && steps.page_view.now > 0;
}
