import type { AuditEntry } from '../../contract/people.ts';
import { UncertainCommitError } from '../store/database.ts';
import type { PeopleChange, ChangePeople, PeopleStore, UpdateOptions } from './open-people-store.ts';

/** Writes into the audit log what a change did. Called once, with what the change returned. */
export type NoteChange<T> = (result: T, outcome: Pick<AuditEntry, 'isUncertain'>) => void;

/**
 * Changes people, and notes it. A change is also noted if it is unknown whether it was made: it may take effect later,
 * and the audit log must say who asked for it.
 */
export async function changeAndNote<T>(
  store: Pick<PeopleStore, 'update'>,
  change: ChangePeople<T>,
  note: NoteChange<T>,
  options?: UpdateOptions<T>,
): Promise<T> {
  let latest: PeopleChange<T> | undefined;
  try {
    const result = await store.update((people) => (latest = change(people)), options);
    note(result, {});
    return result;
  } catch (error) {
    const isUncertain = error instanceof UncertainCommitError;
    if (isUncertain && latest !== undefined) note(latest.result, { isUncertain });
    throw error;
  }
}
