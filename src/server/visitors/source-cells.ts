import {
  OTHER,
  SOURCE_KINDS,
  SOURCE_STEPS,
  type SourceKind,
  type SourceStep,
  UTM_KINDS,
} from '../../contract/visitors.ts';
import type { PageView, VisitEvents } from '../../contract/visit-events.ts';
import { type Cells, KEPT_DAYS, type Numbers } from './cells.ts';

/** What the server adds to a batch, and what it believes of it. */
export type SourceFacts = {
  /** Two letters. Empty if unknown. */
  readonly country: string;
  readonly languages: readonly string[];
  readonly isCampaign: (code: string) => boolean;
};

/** What brought a visitor: a campaign by its code, or a parameter of the address by its value. */
export type Source = { readonly kind: SourceKind; readonly name: string };

export type SourceGroup = 'device' | 'country' | 'language';

/** The names of all cells about sources. The name of the source stands at the end, because it has no fixed form. */
export const SOURCE_CELLS = {
  step: (step: SourceStep, { kind, name }: Source) => `all/${kind}/${step}/${name}`,
  /** Fetched without a visitor: by a program that shows links, or ahead, by a browser. */
  fetch: (by: 'preview' | 'prefetch', code: string) => `all/campaign/${by}/${code}`,
  group: (group: SourceGroup, value: string, step: SourceStep, { kind, name }: Source) =>
    `${group}/${kind}/${step}/${value}/${name}`,
};

/** Where these cells are kept. Visitors can make parameters up, so at most 300 values of a day count by name. */
export const SOURCE_NUMBERS: Numbers = {
  table: 'campaign',
  keptDays: KEPT_DAYS,
  findMadeUp,
  // Each name has such a cell.
  madeUpLike: 'all/utm%',
  mostMadeUp: 300,
  asOther: (cell) => {
    const parts = cell.split('/');
    return [...parts.slice(0, cell.startsWith('all/') ? 3 : 4), OTHER].join('/');
  },
};

/**
 * The database keeps all of these as U+FFFD. Two names that differ in nothing else would be one row of it, and PostgreSQL writes no row
 * twice in a statement: the batch would be refused again and again, and all numbers after it would wait.
 */
const HALF_CHARACTER = /\p{Surrogate}/gu;

/** Turns the sources of a batch into cells. Empty if nothing is known of what brought the visitor. */
export function countSources(
  { from = {}, steps = [], device, language }: VisitEvents | PageView,
  { country, languages, isCampaign }: SourceFacts,
): Cells {
  const counted = new Map<string, number>();
  const groups = {
    device: device ?? OTHER,
    country,
    language: language !== undefined && languages.includes(language) ? language : OTHER,
  };
  for (const kind of SOURCE_KINDS) {
    const name = from[kind]?.replaceAll(HALF_CHARACTER, '\uFFFD');
    if (name === undefined || (kind === 'campaign' && !isCampaign(name))) continue;
    for (const step of SOURCE_STEPS) {
      if (!steps.includes(step)) continue;
      counted.set(SOURCE_CELLS.step(step, { kind, name }), 1);
      for (const [group, value] of Object.entries(groups)) {
        // The keys are those of the object above.
        counted.set(SOURCE_CELLS.group(group as SourceGroup, value, step, { kind, name }), 1);
      }
    }
  }
  return counted;
}

/** Counts a program or a browser that fetched a link without a visitor. */
export function countFetch(code: string, by: 'preview' | 'prefetch'): Cells {
  return new Map([[SOURCE_CELLS.fetch(by, code), 1]]);
}

/** The part of a cell that a visitor can make up. Undefined for other cells. */
function findMadeUp(cell: string): string | undefined {
  const [, kind = '', , ...rest] = cell.split('/');
  if (!UTM_KINDS.some((known) => known === kind)) return undefined;
  const name = cell.startsWith('all/') ? rest : rest.slice(1);
  return `${kind}/${name.join('/')}`;
}
