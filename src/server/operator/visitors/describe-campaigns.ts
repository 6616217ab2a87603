import type {
  CampaignDetail,
  CampaignNumbers,
  CampaignState,
  CampaignSummary,
  UtmCount,
} from '../../../contract/campaigns.ts';
import type { SiteConfig } from '../../../contract/site/site-config.ts';
import {
  SOURCE_STEPS,
  type SourceKind,
  UTM_KINDS,
  type VisitGroup,
  type VisitorRange,
  fromNames,
} from '../../../contract/visitors.ts';
import { findCampaignNote } from '../../site/choose-campaign-end.ts';
import { SOURCE_CELLS, type Source, type SourceGroup } from '../../visitors/source-cells.ts';
import { type ComparedPeriods, type VisitorSources, comparePeriods } from './compare-periods.ts';

export type CampaignSources = VisitorSources & {
  readonly config: Pick<SiteConfig, 'campaigns' | 'publicUrl'>;
  /** How a QR code of the brand looks. */
  readonly readQrLook: () => CampaignDetail['qr'];
};

/** Describes all campaigns, those that are no longer in the site, too, as long as they have numbers. */
export async function describeCampaigns(
  range: VisitorRange,
  sources: CampaignSources,
): Promise<CampaignNumbers> {
  const periods = await comparePeriods(range, sources, 'all/%');
  const counted = SOURCE_STEPS.flatMap((step) =>
    periods.findNames(SOURCE_CELLS.step(step, { kind: 'campaign', name: '' })),
  );
  const codes = [...new Set([...Object.keys(sources.config.campaigns), ...counted])];
  const views = await periods.readTimes(codes.map(viewsCell));
  const campaigns = codes
    .map((code) => describeCampaign(code, sources, periods, views.get(viewsCell(code)) ?? []))
    .toSorted((one, other) => other.steps.page_view.now - one.steps.page_view.now);
  return {
    ...describePeriod(range, sources, periods),
    campaigns,
    utm: fromNames(UTM_KINDS, (kind) => listValues(kind, periods)),
  };
}

/** The values of a parameter, the most frequent first. */
function listValues(kind: SourceKind, { findNames, compare }: ComparedPeriods): readonly UtmCount[] {
  return findNames(SOURCE_CELLS.step('page_view', { kind, name: '' }))
    .map((name) => {
      const { now, before } = compare(SOURCE_CELLS.step('page_view', { kind, name }));
      return { name, now, before, entered: compare(SOURCE_CELLS.step('entered', { kind, name })) };
    })
    .toSorted((one, other) => other.now - one.now || other.before - one.before);
}

/** Describes one campaign: by time, country, language and device. Undefined if nothing is known of its code. */
export async function describeOneCampaign(
  code: string,
  range: VisitorRange,
  sources: CampaignSources,
): Promise<CampaignDetail | undefined> {
  const periods = await comparePeriods(range, sources, `%/campaign/%/${code}`);
  const source: Source = { kind: 'campaign', name: code };
  const entered = SOURCE_CELLS.step('entered', source);
  const times = await periods.readTimes([viewsCell(code), entered]);
  const campaign = describeCampaign(code, sources, periods, times.get(viewsCell(code)) ?? []);
  if (campaign.state === 'removed' && !hasNumbers(campaign)) return undefined;
  const listGroups = (group: SourceGroup): readonly VisitGroup[] => listGroup(group, source, periods);
  return {
    ...describePeriod(range, sources, periods),
    campaign,
    points: campaign.views.map((views, index) => ({
      at: periods.pointAt(index),
      views,
      entered: times.get(entered)?.[index] ?? 0,
    })),
    pointMs: periods.pointMs,
    countries: listGroups('country'),
    languages: listGroups('language'),
    devices: listGroups('device'),
    qr: sources.readQrLook(),
  };
}

function hasNumbers({ steps, fetches }: CampaignSummary): boolean {
  return [...Object.values(steps), ...Object.values(fetches)].some(({ now, before }) => now + before > 0);
}

function describePeriod(
  range: VisitorRange,
  { now, isOn, config }: CampaignSources,
  periods: ComparedPeriods,
) {
  const { from, beforeFrom } = periods;
  return { at: now, isOn, range, from, beforeFrom, publicUrl: config.publicUrl };
}

function describeCampaign(
  code: string,
  { config, now }: CampaignSources,
  { compare }: ComparedPeriods,
  views: readonly number[],
): CampaignSummary {
  const campaign = Object.hasOwn(config.campaigns, code) ? config.campaigns[code] : undefined;
  const source: Source = { kind: 'campaign', name: code };
  const note = findCampaignNote(campaign, now);
  const state: CampaignState = note === 'unknown' ? 'removed' : (note ?? 'open');
  return {
    code,
    name: campaign?.name ?? '',
    to: campaign?.to ?? '',
    state,
    steps: fromNames(SOURCE_STEPS, (step) => compare(SOURCE_CELLS.step(step, source))),
    fetches: {
      preview: compare(SOURCE_CELLS.fetch('preview', code)),
      prefetch: compare(SOURCE_CELLS.fetch('prefetch', code)),
    },
    views,
  };
}

/** The values of a property, the most opened first. */
function listGroup(
  group: SourceGroup,
  source: Source,
  { findNames, compare }: ComparedPeriods,
): readonly VisitGroup[] {
  const ending = `/${source.name}`;
  const names = SOURCE_STEPS.flatMap((step) =>
    findNames(`${group}/${source.kind}/${step}/`).map((rest) => rest.slice(0, -ending.length)),
  );
  return [...new Set(names)]
    .map((name) => ({
      name,
      views: compare(SOURCE_CELLS.group(group, name, 'page_view', source)),
      entered: compare(SOURCE_CELLS.group(group, name, 'entered', source)),
    }))
    .toSorted((one, other) => other.views.now - one.views.now || other.views.before - one.views.before);
}

function viewsCell(code: string): string {
  return SOURCE_CELLS.step('page_view', { kind: 'campaign', name: code });
}
