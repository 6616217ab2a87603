import { TARGET_PATTERN } from '../paths.ts';
import { LINK_NAMES, type LinkName } from './links-config.ts';

// Apart from the schema, because the console needs these without valibot.

/** The form of CODE in `/c/CODE`. */
export const CAMPAIGN_CODE = /^[a-z\d-]{1,40}$/;
/** What a rule can ask for: the systems that apps are made for. */
export const PLATFORMS = ['ios', 'android', 'desktop'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Where a link ends. */
export type CampaignEnd =
  | { readonly kind: 'line' }
  | { readonly kind: 'landing' }
  | { readonly kind: 'target'; readonly target: string }
  | { readonly kind: 'link'; readonly link: LinkName };

/** Reads `to`. Undefined if it is no such text. */
export function readCampaignEnd(given: string): CampaignEnd | undefined {
  if (given === 'line' || given === 'landing') return { kind: given };
  const [, kind, name = ''] = /^(target|link):(.*)$/s.exec(given) ?? [];
  if (kind === 'target' && TARGET_PATTERN.test(name)) return { kind, target: name };
  const link = LINK_NAMES.find((known) => known === name);
  return kind === 'link' && link ? { kind, link } : undefined;
}
