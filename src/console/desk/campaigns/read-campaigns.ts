import { LINK_NAMES } from '../../../contract/site/links-config.ts';
import { UTM_KINDS } from '../../../contract/visitors.ts';
import { type EditChange, updateValue } from '../store/changes.ts';
import { type DraftJson, type Place, SITE_FILE, listTargets, readValue } from '../store/draft-files.ts';
import type { CampaignFormTexts } from './texts.ts';

/** A campaign as the draft has it: any part may be missing or wrong. */
export type DraftCampaign = {
  readonly name?: unknown;
  readonly to?: unknown;
  readonly query?: unknown;
  readonly by?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly image?: unknown;
};

export type DraftRule = {
  readonly device?: unknown;
  readonly country?: unknown;
  readonly to?: unknown;
};

const MAX_CODE_CHARS = 40;

/** The place of a campaign, or of a part of it. */
export function placeOf(code: string, ...path: readonly (string | number)[]): Place {
  return { file: SITE_FILE, path: ['campaigns', code, ...path] };
}

/** The campaigns of a draft, by their code. */
export function readCampaigns(json: DraftJson): Readonly<Record<string, DraftCampaign>> {
  const found = readValue(json, { file: SITE_FILE, path: ['campaigns'] });
  const entries = Object.entries(Object(found) as Record<string, unknown>);
  return Object.fromEntries(entries.map(([code, campaign]) => [code, Object(campaign) as DraftCampaign]));
}

/** The change that adds a campaign. One that another window has added with this code stays as it is. */
export function addCampaign(code: string, name: string): EditChange {
  return updateValue(placeOf(code), (present) => present ?? { name });
}

/** The rules of a campaign. What is no rule is an empty one: the check names it. */
export function readRules({ by }: DraftCampaign): readonly DraftRule[] {
  return Array.isArray(by) ? by.map((rule: unknown) => Object(rule) as DraftRule) : [];
}

/** What other campaigns have for a parameter, so that it is spelled the same again. */
export function listUsed(
  campaigns: Readonly<Record<string, DraftCampaign>>,
  code: string,
  key: string,
): readonly string[] {
  const used = Object.entries(campaigns)
    .filter(([other]) => other !== code)
    .map(([, { query }]) => (Object(query) as Record<string, unknown>)[key]);
  return [...new Set(used.filter((value) => typeof value === 'string'))].toSorted();
}

/** The parameters of a campaign that have no field of their own. */
export function listOtherKeys({ query }: DraftCampaign): readonly string[] {
  const known: readonly string[] = UTM_KINDS;
  return Object.keys(Object(query) as Record<string, unknown>).filter((key) => !known.includes(key));
}

/** Every end that a link of this draft can have, with its name. */
export function nameEnds(
  files: Readonly<Record<string, unknown>>,
  texts: CampaignFormTexts,
): Readonly<Record<string, string>> {
  return {
    ...texts.ends,
    ...Object.fromEntries(LINK_NAMES.map((name) => [`link:${name}`, texts.links[name]])),
    ...Object.fromEntries(listTargets(files).map((name) => [`target:${name}`, texts.target(name)])),
  };
}

/** A text of the draft. What is none counts as missing: the check names it. */
export function readText(value: unknown, missing: string): string {
  return typeof value === 'string' ? value : missing;
}

/** Suggests a code for a campaign from its name: one that no other campaign has. */
export function suggestCode(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z\d]+/g, '-');
  const code = trimDashes(plain.slice(0, MAX_CODE_CHARS)) || 'campaign';
  if (!taken.includes(code)) return code;
  for (let number = 2; ; number += 1) {
    const ending = `-${number}`;
    const next = trimDashes(code.slice(0, MAX_CODE_CHARS - ending.length)) + ending;
    if (!taken.includes(next)) return next;
  }
}

function trimDashes(text: string): string {
  return text.replace(/^-/, '').replace(/-$/, '');
}
