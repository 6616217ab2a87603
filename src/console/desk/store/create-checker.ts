import type { CheckEvent } from '../../../contract/desk/desk.ts';
import type { DeskApi } from './create-desk-api.ts';
import type { Checked, DraftChoice, DraftState } from './draft-snapshot.ts';

export type Checker = {
  /** Checks the draft; with its lines, if they are wanted. A new check ends the one before. */
  readonly check: (options: { readonly lines: boolean }) => Promise<void>;
  /** Stops the check under way, because the draft has changed. */
  readonly stop: () => void;
};

/** Creates the check of one draft. It shows each finding as it comes. */
export function createChecker(
  api: DeskApi,
  { getSnapshot, update }: DraftState,
  draft: DraftChoice = 'own',
): Checker {
  const key = draft === 'own' ? 'checked' : 'checkedFolder';
  let checking = new AbortController();

  return { check, stop: () => checking.abort() };

  async function check({ lines }: { readonly lines: boolean }): Promise<void> {
    checking.abort();
    const mine = new AbortController();
    checking = mine;
    // The faults of the files stay until there are new ones: a field must not lose its fault for a moment.
    let found: Checked = {
      isRunning: true,
      hasFailed: false,
      hasLines: lines,
      files: getSnapshot()[key]?.files,
      areFilesNew: false,
      lines: [],
    };
    let isComplete = false;
    update({ [key]: found });
    const answer = await api.check({ draft, lines }, onEvent, mine.signal);
    if (mine.signal.aborted) return;
    if (answer.kind === 'signed-out') update({ isSignedOut: true });
    if (answer.kind === 'refused') update({ outcome: { ...answer, faults: [] } });
    if (answer.kind === 'lost') update({ outcome: { kind: 'lost' } });
    update({ [key]: { ...found, isRunning: false, hasFailed: answer.kind !== 'done' || !isComplete } });

    function onEvent(event: CheckEvent): void {
      if (mine.signal.aborted) return;
      if (event.kind === 'files') {
        found = { ...found, files: event, areFilesNew: true };
        // A draft with faults cannot be published, whatever its lines answer.
        isComplete = event.faults.length > 0;
      }
      if (event.kind === 'line') found = { ...found, lines: [...found.lines, event] };
      // A check that breaks on the server is done, too, but not good.
      if (event.kind === 'done') isComplete ||= event.isGood;
      update({ [key]: found });
    }
  }
}
