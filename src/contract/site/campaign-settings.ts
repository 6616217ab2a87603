import * as v from 'valibot';
import { must } from '../faults/site-fault.ts';
import { byLocale } from './by-locale.ts';
import { CAMPAIGN_CODE, PLATFORMS, type Platform, readCampaignEnd } from './campaign-ends.ts';
import { closestName } from './closest-name.ts';
import { LINK_NAMES } from './links-config.ts';
import type { Languages } from './locales.ts';
import {
  choice,
  createPath,
  imagePath,
  oneLine,
  refuseBackwards,
  region,
  text,
  timeWindow,
} from './site-values.ts';

const MAX_CAMPAIGNS = 500;
const MAX_RULES = 20;
const MAX_QUERY_KEYS = 20;
const MAX_QUERY_CHARS = 200;
const MAX_PATH_CHARS = 500;

const to = v.pipe(
  v.string(must('campaign-to')),
  v.check(
    (given) => readCampaignEnd(given) !== undefined,
    ({ input }) => explainEnd(input),
  ),
);
/** A path that stays on the line: no query, no fragment, and no second host. */
const path = v.pipe(
  v.string(must('campaign-path')),
  v.maxLength(MAX_PATH_CHARS, must('characters', { most: MAX_PATH_CHARS })),
  v.regex(/^\/(?!\/)[^\s?#\\\p{Cc}]*$/u, must('campaign-path')),
  v.check((given) => !/(?:^|\/)\.{1,2}(?:\/|$)/.test(given), must('campaign-path')),
);
const queryText = v.pipe(
  oneLine,
  v.maxLength(MAX_QUERY_CHARS, must('characters', { most: MAX_QUERY_CHARS })),
);
const query = v.pipe(
  v.record(queryText, queryText),
  v.maxEntries(MAX_QUERY_KEYS, must('items', { most: MAX_QUERY_KEYS })),
);

const rule = v.strictObject({
  device: v.optional(listOf(choice(PLATFORMS), { example: '["ios"]', of: 'device' })),
  country: v.optional(listOf(region, { example: '["SG"]', of: 'country' })),
  to: v.optional(to),
  path: v.optional(path),
  query: v.optional(query),
});

/** `campaigns` of `site.json`: links for the people who bring the visitors, by their code. */
export function createCampaignsSchema(languages: Languages) {
  const campaign = v.pipe(
    v.strictObject({
      /** For the people of the console. */
      name: oneLine,
      to: v.optional(to, 'line'),
      /** On the line, if the link ends at one. */
      path: v.optional(path),
      query: v.optional(query),
      ...timeWindow,
      /** The first rule that fits a visitor replaces what it names. */
      by: v.optional(
        v.pipe(
          v.array(rule, must('list', { example: '[{ "device": ["ios"], "to": "link:ub" }]' })),
          v.maxLength(MAX_RULES, must('items', { most: MAX_RULES })),
        ),
        [],
      ),
      /** What other programs show of the link. Without these, they show the site's own. */
      title: v.optional(byLocale(oneLine, languages)),
      description: v.optional(byLocale(text, languages)),
      image: v.optional(byLocale(imagePath, languages)),
    }),
    v.rawCheck((context) => refuseBackwards(context)),
    v.rawCheck(refuseIdleRules),
    v.rawCheck(refuseStrayPaths),
  );
  return v.pipe(
    v.record(v.pipe(v.string(), v.regex(CAMPAIGN_CODE, must('campaign-code'))), campaign),
    v.maxEntries(MAX_CAMPAIGNS, must('items', { most: MAX_CAMPAIGNS })),
  );
}

export type Campaign = v.InferOutput<ReturnType<typeof createCampaignsSchema>>[string];
export type CampaignRule = v.InferOutput<typeof rule>;

function explainEnd(given: string): string {
  const [, link] = /^link:(.*)$/s.exec(given) ?? [];
  if (link === undefined) return must('campaign-to');
  return must('link-name', { known: LINK_NAMES, meant: closestName(link, LINK_NAMES) });
}

function listOf<const Item extends v.GenericSchema<string, string>>(
  item: Item,
  { example, of }: { readonly example: string; readonly of: 'device' | 'country' },
) {
  return v.pipe(
    v.array(item, must('list', { example })),
    v.minLength(1, must('at-least-one', { of })),
    v.checkItems((name, index, names) => names.indexOf(name) === index, must('twice')),
  );
}

/** What is checked of a campaign as a whole. */
type Ruled = {
  readonly to: string;
  readonly path?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly by: readonly CampaignRule[];
};

/** Refuses rules that fit everybody, and those that never get their turn because earlier ones fit all of their visitors. */
function refuseIdleRules<T extends Ruled>({ dataset, addIssue }: v.RawCheckContext<T>): void {
  if (!dataset.typed) return;
  const { by } = dataset.value;
  for (const [key, value] of by.entries()) {
    const earlier = by.slice(0, key);
    const isForAll = !value.device && !value.country;
    // The first rule always gets its turn: that one with an empty list has a fault of its own.
    if (!isForAll && (key === 0 || !isCovered(value, earlier))) continue;
    addIssue({
      message: isForAll ? must('campaign-condition') : must('campaign-never'),
      input: value,
      path: createPath(['by', key], dataset.value),
    });
  }
}

/** Whether each device in each country of a rule fits an earlier one. */
function isCovered({ device, country }: CampaignRule, earlier: readonly CampaignRule[]): boolean {
  // A country that no rule names stands for all others.
  const countries = country ?? [''];
  return (device ?? PLATFORMS).every((platform) =>
    countries.every((name) => earlier.some((other) => fitsRule(other, platform, name))),
  );
}

/** Whether a visitor with this device, from this country, fits a rule. An empty country is unknown. */
export function fitsRule({ device, country }: CampaignRule, platform: Platform, from: string): boolean {
  return (!device || device.includes(platform)) && (!country || country.includes(from));
}

/** Refuses a path or a query where the link does not end at a line: nothing would use it. */
function refuseStrayPaths<T extends Ruled>({ dataset, addIssue }: v.RawCheckContext<T>): void {
  if (!dataset.typed) return;
  const campaign = dataset.value;
  const { by } = campaign;
  const isNeeded = [campaign, ...by].some(({ to: end }) => end === 'line');
  for (const key of ['path', 'query'] as const) {
    const input = campaign[key];
    if (input !== undefined && !isNeeded) {
      addIssue({ message: must('campaign-needs-line'), input, path: createPath([key], campaign) });
    }
    for (const [index, each] of by.entries()) {
      if (each[key] === undefined || (each.to ?? campaign.to) === 'line') continue;
      addIssue({
        message: must('campaign-needs-line'),
        input: each[key],
        path: createPath(['by', index, key], campaign),
      });
    }
  }
}
