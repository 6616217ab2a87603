import * as v from 'valibot';
import { OFFLINE_DAYS, OFFLINE_MAX_DAYS } from '../limits.ts';
import { choice, wholeNumber } from './site-values.ts';

/** The most days for a site that restricts regions, because a visitor may travel to one with the lines in the browser. */
const RESTRICTED_DAYS = 1;

export const offlineSettings = v.strictObject({
  /** `auto` keeps lines unless the site restricts regions. */
  mode: v.optional(choice(['auto', 'on', 'off']), 'auto'),
  days: v.optional(wholeNumber(1, OFFLINE_MAX_DAYS)),
});

type OfflineConfig = {
  readonly offline: v.InferOutput<typeof offlineSettings>;
  readonly compliance: { readonly restrictedRegions: readonly string[] };
};

/** For how many days a visitor's browser keeps its lines. Undefined if it keeps nothing. */
export function findKeepDays({ offline, compliance }: OfflineConfig): number | undefined {
  const isRestricting = compliance.restrictedRegions.length > 0;
  if (offline.mode === 'off' || (offline.mode === 'auto' && isRestricting)) return undefined;
  const days = offline.days ?? OFFLINE_DAYS;
  return isRestricting ? Math.min(days, RESTRICTED_DAYS) : days;
}

/** The most days that the site may keep lines, if it says more. Undefined if its days are right. */
export function findTooManyDays({ offline, compliance }: OfflineConfig): number | undefined {
  const isTooLong = offline.days !== undefined && offline.days > RESTRICTED_DAYS;
  return isTooLong && compliance.restrictedRegions.length > 0 ? RESTRICTED_DAYS : undefined;
}
