import type { Hono } from 'hono';
import type { ConsoleLanguage } from '../../../contract/console-language.ts';
import {
  DEFAULT_COLOURS,
  MIN_CONTRAST,
  contrast,
  defaultTextOn,
  makeReadable,
} from '../../../contract/site/colours.ts';
import { pickLocale } from '../../../contract/site/by-locale.ts';
import { nameBrand } from '../../../contract/site/site-config.ts';
import { answerPrepared } from '../../http/answer.ts';
import { refuseAllButGet, refuseUnknownPath } from '../../http/errors.ts';
import { DATA_HEADERS } from '../../http/security-headers.ts';
import { chooseLogo } from '../../site/choose-logo.ts';
import { SITE_IMAGE_PREFIX } from '../../site/prepare-images.ts';
import type { PublishedSite } from '../../site/publish-site.ts';
import type { OperatorEnv } from '../access/operator-request.ts';

/** What the pages before the console show of the site that is live. */
export type SignInBrand = { readonly name: string; readonly logoUrl: string };

type LiveSite = Pick<PublishedSite, 'config' | 'images'>;

const LOGO_PATH = '/brand/logo';
export const BRAND_STYLE_PATH = '/brand/colours.css';

/** The name of the brand and its logo, for readers of a language. */
export function describeBrand({ config }: Pick<LiveSite, 'config'>, language: ConsoleLanguage): SignInBrand {
  return { name: nameBrand(config, language), logoUrl: `${LOGO_PATH}?lang=${language}` };
}

/** The logo and the colours of the site that is live. Visitors see both, so nobody need sign in for them. */
export function addBrandRoutes(app: Hono<OperatorEnv>, site: () => LiveSite): void {
  app
    .get(LOGO_PATH, (c) => {
      const { config, images } = site();
      const path = pickLocale(chooseLogo(config), c.req.query('lang') ?? config.defaultLocale);
      const image = images.answers.get(`${SITE_IMAGE_PREFIX}${path}`);
      return answerPrepared(c, image ?? refuseUnknownPath());
    })
    .all(refuseAllButGet);
  app
    .get(BRAND_STYLE_PATH, () => {
      const headers = {
        ...DATA_HEADERS,
        'Content-Type': 'text/css; charset=utf-8',
        'Cache-Control': 'no-cache',
      };
      return new Response(writeColours(site().config), { headers });
    })
    .all(refuseAllButGet);
}

/** The brand's colours as variables, corrected so that texts can be read on them. */
export function writeColours({ theme }: Pick<LiveSite['config'], 'theme'>): string {
  const { accent = DEFAULT_COLOURS.accent, background = DEFAULT_COLOURS.background } = theme;
  const text = theme.text ?? defaultTextOn(background);
  const onAccent = [text, background, '#ffffff', '#000000'].find(
    (colour) => contrast(colour, accent) >= MIN_CONTRAST.text,
  );
  const variables = {
    'brand-ground': background,
    'brand-text': makeReadable(text, background, MIN_CONTRAST.text),
    'brand-accent': accent,
    'brand-on-accent': onAccent ?? '#000000',
  };
  const rows = Object.entries(variables).map(([name, colour]) => `  --${name}: ${colour};\n`);
  return `:root {\n${rows.join('')}}\n`;
}
