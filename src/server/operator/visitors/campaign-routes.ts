import type { Hono } from 'hono';
import type { CampaignDetail, CampaignNumbers } from '../../../contract/campaigns.ts';
import { pickLocale } from '../../../contract/site/by-locale.ts';
import { DEFAULT_COLOURS, contrast } from '../../../contract/site/colours.ts';
import { SITE_IMAGE_PREFIX, findImage } from '../../site/prepare-images.ts';
import { CAMPAIGN_PATHS } from '../../../contract/paths.ts';
import { SOURCE_STEPS, UTM_KINDS } from '../../../contract/visitors.ts';
import { CAMPAIGN_CODE } from '../../../contract/site/campaign-ends.ts';
import { answerJson } from '../../http/answer.ts';
import { HttpError } from '../../http/errors.ts';
import type { PublishedSite } from '../../site/publish-site.ts';
import type { VisitKeeper } from '../../visitors/keep-visits.ts';
import { type CallsDeps, LOOK, createCalls } from '../access/create-calls.ts';
import type { OperatorContext, OperatorEnv } from '../access/operator-request.ts';
import { type CampaignSources, describeCampaigns, describeOneCampaign } from './describe-campaigns.ts';
import { type TableValue, answerTable, writeRows } from '../answer-table.ts';
import { readRange } from './visitor-routes.ts';

export type CampaignRoutesDeps = CallsDeps & {
  readonly sourceVisits: Pick<VisitKeeper, 'readSums' | 'readTimes'>;
  readonly site: () => Pick<PublishedSite, 'config' | 'images'>;
  readonly now: () => number;
};

/** A logo of more bytes is no logo. */
const MAX_LOGO_BYTES = 200_000;
const WHITE = '#ffffff';
/** Phones read codes of this contrast in bad light. */
const LEAST_CONTRAST = 7;

/** The calls of the console about the links of campaigns. */
export function addCampaignRoutes(app: Hono<OperatorEnv>, deps: CampaignRoutesDeps): void {
  const { get } = createCalls(app, deps);
  get(CAMPAIGN_PATHS.numbers, LOOK, async (_call, c) => answerJson(await describeAll(c)));
  get(CAMPAIGN_PATHS.table, LOOK, async (_call, c) => {
    const numbers = await describeAll(c);
    return answerTable(writeTable(numbers), `campaigns-${numbers.range}`);
  });
  get(CAMPAIGN_PATHS.one, LOOK, async (_call, c) => {
    const code = c.req.query('code') ?? '';
    const isCode = CAMPAIGN_CODE.test(code);
    const found = isCode && (await describeOneCampaign(code, readRange(c.req.query('range')), readSources()));
    return answerJson(found || refuseCode());
  });

  function describeAll(c: OperatorContext): Promise<CampaignNumbers> {
    return describeCampaigns(readRange(c.req.query('range')), readSources());
  }

  function readSources(): CampaignSources {
    const { config } = deps.site();
    const isOn = config.analytics.counts === 'self';
    const readQrLook = () => describeQrLook(deps.site());
    return { visits: deps.sourceVisits, isOn, now: deps.now(), config, readQrLook };
  }
}

/** The first of the brand's colours that stands out from white, and its logo. */
function describeQrLook({ config, images }: Pick<PublishedSite, 'config' | 'images'>): CampaignDetail['qr'] {
  const { accent, background } = config.theme;
  const colours = [accent ?? DEFAULT_COLOURS.accent, background ?? DEFAULT_COLOURS.background];
  const colour = colours.find((each) => contrast(each, WHITE) >= LEAST_CONTRAST) ?? '#000000';
  const path = pickLocale(config.images.favicon ?? config.images.logo, config.defaultLocale);
  const logo = findImage(images, `${SITE_IMAGE_PREFIX}${path}`)?.identity;
  const type = logo?.headers['Content-Type'] ?? '';
  const bytes = Buffer.from(logo?.body ?? '');
  const isLogo = bytes.length > 0 && bytes.length <= MAX_LOGO_BYTES;
  return { colour, logo: isLogo ? `data:${type};base64,${bytes.toString('base64')}` : '' };
}

function refuseCode(): never {
  throw new HttpError(404, {
    code: 'unknown-campaign',
    message: 'No campaign has this code, and none had it in this period.',
  });
}

/** Writes all numbers as one table: what brought visitors, how far they came, the period and the one before. */
function writeTable({ campaigns, utm }: CampaignNumbers): string {
  const rows: (readonly TableValue[])[] = [
    ['part', 'name', 'measure', 'now', 'before'],
    ...campaigns.flatMap(({ code, steps, fetches }) => [
      ...SOURCE_STEPS.map((step) => ['campaign', code, step, steps[step].now, steps[step].before]),
      ['campaign', code, 'preview', fetches.preview.now, fetches.preview.before],
      ['campaign', code, 'prefetch', fetches.prefetch.now, fetches.prefetch.before],
    ]),
    ...UTM_KINDS.flatMap((kind) =>
      utm[kind].flatMap(({ name, now, before, entered }) => [
        [kind, name, 'page_view', now, before],
        [kind, name, 'entered', entered.now, entered.before],
      ]),
    ),
  ];
  return writeRows(rows);
}
