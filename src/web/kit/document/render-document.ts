import type { PageRequest, PageSite, RenderedPage } from '../../../contract/page/page-data.ts';
import type { Locale } from '../../../contract/site/locales.ts';
import { escapeHtml } from '../../../contract/escape-html.ts';
import { renderAddress } from './plain-html.ts';
import type { Texts } from '../../../contract/site/text-keys.ts';
import { deriveTheme, renderTheme } from '../theme/derive-theme.ts';

/** Marks the style sheet for browsers without JavaScript. */
export const PLAIN_ATTRIBUTE = 'data-plain';

/** What a page adds to the document that all pages share. */
export type PageParts = {
  readonly body: string;
  /** Style sheets, written into the page. */
  readonly styles: readonly string[];
  /** A style sheet for browsers without JavaScript. */
  readonly noScriptStyle?: string;
  /** Elements of the head that load something. */
  readonly head?: readonly string[];
  /** Inline scripts of the head. They run before anything is painted. */
  readonly headScripts?: readonly string[];
  /** Inline scripts at the end of the body. */
  readonly bodyScripts?: readonly string[];
  /** What the browser may load before a click: https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API */
  readonly speculationRules?: string;
};

/** Renders the document around a page, and lists the inline scripts and styles for the security policy. */
export function renderDocument(request: PageRequest, texts: Texts, parts: PageParts): RenderedPage {
  const { headScripts = [], bodyScripts = [], noScriptStyle, speculationRules } = parts;
  const style = [renderTheme(request.site.theme), ...parts.styles].join('\n');
  const html = [
    '<!doctype html>',
    `<html lang="${request.locale}" dir="${request.direction}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ...(parts.head ?? []),
    ...headScripts.map(inlineScript),
    ...describePage(request, texts),
    `<style>${style}</style>`,
    noScriptStyle === undefined
      ? ''
      : `<noscript><style ${PLAIN_ATTRIBUTE}>${noScriptStyle}</style></noscript>`,
    '</head>',
    '<body>',
    parts.body,
    ...bodyScripts.map(inlineScript),
    speculationRules === undefined ? '' : `<script type="speculationrules">${speculationRules}</script>`,
    '</body>',
    '</html>',
  ];
  return {
    html: html.filter(Boolean).join('\n'),
    inlineScripts: [
      ...headScripts,
      ...bodyScripts,
      ...(speculationRules === undefined ? [] : [speculationRules]),
    ],
    inlineStyles: noScriptStyle === undefined ? [style] : [style, noScriptStyle],
  };
}

/** Renders what search engines, other sites and the browser's tab show of the page. */
function describePage({ kind, locale, site, isCampaign }: PageRequest, texts: Texts): readonly string[] {
  const { favicon, share } = site.images;
  const { '--background': background = '' } = deriveTheme(site.theme);
  const title = escapeHtml(texts.title);
  const description = escapeHtml(texts.description);
  const common = [
    `<meta name="theme-color" content="${background}">`,
    // Without an icon, browsers ask for /favicon.ico, which does not exist.
    `<link rel="icon" href="${favicon ? escapeHtml(favicon.url) : 'data:,'}">`,
  ];
  const titled = [`<title>${title}</title>`, ...common];
  const hidden = '<meta name="robots" content="noindex">';
  // The page of a campaign has a title of its own.
  if (isCampaign) return [...common, hidden];
  if (kind !== 'landing') return [...titled, hidden];
  return [
    ...titled,
    `<meta name="description" content="${description}">`,
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${description}">`,
    ...(site.publicUrl === '' ? [] : describeLanguages(locale, site)),
    share ? `<meta property="og:image" content="${renderAddress(share.url, site)}">` : '',
    share ? '<meta name="twitter:card" content="summary_large_image">' : '',
  ];
}

/**
 * Tells search engines the address of the page in each language. The root has the default language for requests that
 * name none, as those of search engines.
 */
function describeLanguages(
  current: Locale,
  { languages, defaultLocale, publicUrl }: Pick<PageSite, 'languages' | 'defaultLocale' | 'publicUrl'>,
): readonly string[] {
  const addressIn = (locale: Locale): string =>
    escapeHtml(new URL(locale === defaultLocale ? '/' : `/?lang=${locale}`, publicUrl).href);
  const alternates = languages.map(({ locale }) => ({ language: locale, address: addressIn(locale) }));
  const others =
    alternates.length > 1
      ? [{ language: 'x-default', address: addressIn(defaultLocale) }, ...alternates]
      : [];
  return [
    `<meta property="og:url" content="${addressIn(current)}">`,
    `<link rel="canonical" href="${addressIn(current)}">`,
    ...others.map(
      ({ language, address }) => `<link rel="alternate" hreflang="${language}" href="${address}">`,
    ),
  ];
}

function inlineScript(script: string): string {
  return `<script>${script}</script>`;
}
