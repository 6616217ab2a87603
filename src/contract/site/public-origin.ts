import type { SiteConfig } from './site-config.ts';

/** The origin of the portal's pages, where `site.json` says it (`publicUrl`). */
export function publicOriginOf({ publicUrl }: Pick<SiteConfig, 'publicUrl'>): string | undefined {
  return publicUrl === '' ? undefined : new URL(publicUrl).origin;
}
