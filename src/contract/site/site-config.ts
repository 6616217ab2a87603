import * as v from 'valibot';
import {
  MAX_LOCALES,
  RECORDINGS_KEEP_BYTES,
  RECORDINGS_KEEP_DAYS,
  REPLAY_SAMPLE_PERCENT,
  SESSION_SAMPLE_PERCENT,
} from '../limits.ts';
import { must } from '../faults/site-fault.ts';
import { alertSettings } from './alert-settings.ts';
import { type Localized, byLocale, localeKey, pickLocale } from './by-locale.ts';
import { createCampaignsSchema } from './campaign-settings.ts';
import { closestName, explainFirst } from './closest-name.ts';
import { DOWNLOAD_IDS } from './downloads.ts';
import { lineSettings } from './line-settings.ts';
import { offlineSettings } from './offline-settings.ts';
import { BUILT_IN_LOCALES, FALLBACK_KEY, type Languages } from './locales.ts';
import { limits, network, services } from './network-settings.ts';
import {
  choice,
  colour,
  count,
  createPath,
  hostname,
  imagePath,
  isWebUrl,
  localeTag,
  mailAddress,
  maintenanceWith,
  oneLine,
  optionalWebUrl,
  percent,
  refuseBackwards,
  region,
  text,
  timeWindow,
  webUrl,
  wholeNumber,
} from './site-values.ts';
import { EMPTIABLE_TEXT_KEYS, TEXT_KEYS } from './text-keys.ts';

/** As `monitoring.intakeUrl`: the portal is its own intake. */
export const OWN_INTAKE = 'self';

const INTAKE_HINT = must('intake-url');
const intakeUrl = v.pipe(v.string(INTAKE_HINT), v.check(isWebUrl, INTAKE_HINT));

/** Which entries there are, in their order. The first is selected by default. */
const downloads = v.pipe(
  v.array(
    v.picklist(DOWNLOAD_IDS, ({ input }) =>
      must('download', { known: DOWNLOAD_IDS, meant: closestName(String(input), DOWNLOAD_IDS) }),
    ),
    must('list', { example: '["ub", "wallet"]' }),
  ),
  v.checkItems((id, index, ids) => ids.indexOf(id) === index, must('twice')),
);

function createTextOverrides() {
  const explain = explainFirst((typed) => must('text-key', { meant: closestName(typed, TEXT_KEYS) }));
  return v.pipe(
    v.record(
      v.picklist(TEXT_KEYS, ({ input }) => explain(String(input))),
      v.pipe(v.string(must('text')), v.trim()),
    ),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const [key, value] of Object.entries(dataset.value)) {
        const isEmptiable = EMPTIABLE_TEXT_KEYS.some((emptiable) => emptiable === key);
        if (value !== '' || isEmptiable) continue;
        addIssue({ message: must('not-empty'), input: value, path: createPath([key], dataset.value) });
      }
    }),
  );
}

const announcement = v.pipe(
  v.strictObject({ text, url: v.optional(webUrl), ...timeWindow }),
  v.rawCheck((context) => refuseBackwards(context)),
);

const localeList = v.pipe(
  v.array(localeTag, must('list', { example: '["en", "vi"]' })),
  v.minLength(1, must('at-least-one', { of: 'language' })),
  v.maxLength(MAX_LOCALES, must('at-most', { most: MAX_LOCALES, of: 'language' })),
  v.checkItems(
    // Those beyond the most are a fault already, and are not compared with all before them.
    (tag, index, tags) => index >= MAX_LOCALES || tags.indexOf(tag) === index,
    must('twice'),
  ),
);

/** All other colours are derived from these. */
const theme = v.optional(
  v.strictObject({
    accent: v.optional(colour),
    background: v.optional(colour),
    text: v.optional(colour),
    /** Beams of light from the banner to the rows, which show the race. */
    beams: v.optional(v.boolean(must('boolean')), false),
  }),
  {},
);

const analytics = v.optional(
  v.strictObject({
    measurementId: v.optional(v.string(must('text')), ''),
    tagUrl: optionalWebUrl,
    /** Whether the portal itself counts what visitors do, without telling one from another. */
    counts: v.optional(choice(['self', 'off']), 'off'),
    /** Counts also those who have not agreed, where `consent` is "required". */
    countsWithoutConsent: v.optional(v.boolean(must('boolean')), false),
  }),
  {},
);

const monitoring = v.optional(
  v.strictObject({
    /** "self" means that the portal keeps the recordings. Empty means no monitoring. */
    intakeUrl: v.optional(v.union([v.literal(''), v.literal(OWN_INTAKE), intakeUrl], INTAKE_HINT), ''),
    /** Masks all text in a replay. What visitors type is always masked. */
    maskText: v.optional(v.boolean(must('boolean')), false),
    /** Of the recordings that the portal keeps. */
    keepDays: v.optional(wholeNumber(1, 400), RECORDINGS_KEEP_DAYS),
    keepBytes: v.optional(count, RECORDINGS_KEEP_BYTES),
    sessionPercent: v.optional(percent, SESSION_SAMPLE_PERCENT),
    /** In percent of the sampled sessions. */
    replayPercent: v.optional(percent, REPLAY_SAMPLE_PERCENT),
  }),
  {},
);

/**
 * `site.json`: everything about a brand that is not a link, an image or a target's address. What a visitor reads or sees
 * may differ by language, in the languages of the site (see `readLanguages`).
 */
export function createSiteConfigSchema(languages: Languages) {
  const localText = byLocale(text, languages);
  const localLine = byLocale(oneLine, languages);
  const localUrl = byLocale(webUrl, languages);
  return v.strictObject({
    /** Where an editor finds the JSON Schema of this file, see `site/site.schema.json`. */
    $schema: v.optional(v.string(must('json-schema'))),
    brand: v.strictObject({
      name: localLine,
      mainBrowser: localLine,
      androidBrowser: localLine,
      email: byLocale(mailAddress, languages),
      copyright: localLine,
    }),
    /** The entries of the download area, in their order. */
    downloads: v.optional(downloads, [...DOWNLOAD_IDS]),
    locales: v.optional(localeList, [...BUILT_IN_LOCALES]),
    /** For visitors whose browser asks for none of the languages. */
    defaultLocale: v.optional(localeKey(languages), languages.defaultLocale),
    /** The public URL of the site. Other sites need it to find the share image. */
    publicUrl: optionalWebUrl,
    console: v.optional(
      v.strictObject({
        /** Where people open the console: messages link to it. */
        url: optionalWebUrl,
      }),
      { url: '' },
    ),
    /** Texts that replace the built-in ones, by locale and key. */
    texts: v.optional(v.record(localeKey(languages), createTextOverrides()), {}),
    announcement: v.optional(v.record(localeKey(languages, [FALLBACK_KEY]), announcement), {}),
    /** Of the whole site: visitors read a notice, and nobody is sent a message meanwhile. */
    maintenance: v.optional(
      maintenanceWith({
        /** Visitors read it. */
        reason: v.optional(localText),
        /** Visitors get the notice instead of lines and redirects. */
        closes: v.optional(v.boolean(must('boolean')), false),
      }),
      [],
    ),
    theme,
    images: createImagesSchema(languages),
    lines: lineSettings,
    typeRedirect: v.strictObject({
      allowedHosts: v.pipe(
        v.array(hostname, must('list', { example: '["go.example"]' })),
        v.minLength(1, must('at-least-one', { of: 'host' })),
      ),
    }),
    /** How a page gets its first answers: by the calls of the specification, or with its document. */
    start: v.optional(choice(['calls', 'inline']), 'calls'),
    /** What a browser keeps for a time in which the portal cannot be reached. */
    offline: v.optional(offlineSettings, {}),
    redirect: v.optional(v.strictObject({ keepQuery: v.optional(v.boolean(must('boolean')), false) }), {}),
    services,
    analytics,
    monitoring,
    consent: v.optional(choice(['required', 'not-required']), 'not-required'),
    network,
    limits,
    /** Links of the form `/c/CODE`, by their code. */
    campaigns: v.optional(createCampaignsSchema(languages), {}),
    /** Who is told when something is wrong. */
    alerts: v.optional(alertSettings),
    compliance: v.strictObject({
      operator: localLine,
      licence: v.strictObject({ statement: localText, url: localUrl }),
      minimumAge: count,
      responsiblePlayUrl: localUrl,
      restrictedRegions: v.optional(v.array(region, must('list', { example: '["GB"]' })), []),
    }),
  });
}

/** If there is an `.avif` or `.webp` file of the same name, browsers that can show it get it. */
function createImagesSchema(languages: Languages) {
  const localImage = byLocale(imagePath, languages);
  return v.strictObject({
    logo: localImage,
    /** Instead of `logo`, where the background is light. */
    logoLight: v.optional(localImage),
    promo: localImage,
    bannerMobile: localImage,
    bannerDesktop: localImage,
    /** Without these two, the page draws the code of the link. */
    walletQr: v.optional(localImage),
    telegramQr: v.optional(localImage),
    favicon: v.optional(localImage),
    share: v.optional(localImage),
  });
}

/** A time in which the whole site is in maintenance. */
export type SiteMaintenance = SiteConfig['maintenance'][number];

/** A time in which a line is in maintenance. */
export type LineMaintenance = NonNullable<SiteConfig['lines']['hosts'][number]['maintenance']>[number];

export type SiteConfig = v.InferOutput<ReturnType<typeof createSiteConfigSchema>>;

/** `site.json` as it is for one language. */
export type LocalizedConfig = Localized<SiteConfig>;

/** Texts that replace built-in ones, by key. */
export type TextOverrides = NonNullable<SiteConfig['texts'][string]>;

/** The brand's name, in the default language unless another one is named. */
export function nameBrand(
  { brand, defaultLocale }: Pick<SiteConfig, 'brand' | 'defaultLocale'>,
  locale = defaultLocale,
): string {
  return pickLocale(brand.name, locale);
}

/** The origin of the portal's pages. Undefined if `site.json` has no `publicUrl`. */
export function publicOriginOf({ publicUrl }: Pick<SiteConfig, 'publicUrl'>): string | undefined {
  return publicUrl === '' ? undefined : new URL(publicUrl).origin;
}
