import { type Database, DeposedError, type Engine, type Hold, type Transaction } from './database.ts';
import { shareRun } from '../process/share-run.ts';

export type LeadDeps = {
  readonly hold: Engine['hold'];
  readonly brand: string;
  readonly transaction: Database['transaction'];
};

/**
 * Lets one of several portals lead: the one that holds a lock, which is free again as soon as its connection is lost. A portal
 * that was frozen may believe that it still leads, so each lead has a number, its term, which every write checks.
 */
export function createLead({ hold, brand, transaction }: LeadDeps): Database['lead'] {
  let held: Hold | undefined;
  let term: number | undefined;
  // Calls at the same time share one answer: each would begin a new term and end the other's.
  return shareRun(ask);

  async function ask(): Promise<number | undefined> {
    if (held?.isHeld() !== true) {
      term = undefined;
      held = await hold(`lead ${brand}`);
    }
    if (held === undefined) return undefined;
    term ??= await transaction(beginTerm);
    return held.isHeld() ? term : undefined;
  }
}

async function beginTerm({ change, query }: Transaction): Promise<number> {
  await change(
    'insert into terms (brand, term) values ($brand, 1) on conflict (brand) do update set term = terms.term + 1',
  );
  const [row] = await query<{ term: number }>('select term from terms where brand = $brand');
  return row?.term ?? 0;
}

/** Throws if another portal leads by now. */
export async function requireTerm({ query }: Pick<Transaction, 'query'>, term: number): Promise<void> {
  const [row] = await query<{ term: number }>('select term from terms where brand = $brand');
  if (row?.term !== term) throw new DeposedError('another portal leads by now');
}
