import type { Answer } from '../../live/call-server.ts';
import { type Change, type EditChange, fileOf, makeEdits } from './changes.ts';
import type { DeskApi } from './create-desk-api.ts';
import type { Saving } from './create-unsaved-fields.ts';
import type { DraftState } from './draft-snapshot.ts';

/** How often the edits of a change are made anew if another window goes on changing the same file. */
const EDIT_TRIES = 3;

/** Sends a change of a draft that was made when the draft was as `made` says. */
export type SendChange = (change: Change, made: Saving['made']) => Promise<Answer<unknown>>;

/** Creates a function that sends a change. `load` loads the draft again, for when another window has changed it. */
export function createSendChange(
  api: DeskApi,
  { getSnapshot, update }: DraftState,
  load: () => Promise<void>,
): SendChange {
  return async (change, made) => {
    switch (change.kind) {
      case 'edit':
      case 'value':
        return edit(change, made);
      case 'put':
        return upload(change);
      case 'remove':
        return api.removeFile(change.path);
    }
  };

  /**
   * Another window may have changed the file. Then the places in its lists are others, and the edits are made again. If the item
   * that they are about is not found any more, they are sent for the file as it was, and the server refuses them.
   */
  async function edit(
    change: EditChange,
    made: Saving['made'],
    tries = EDIT_TRIES,
  ): Promise<Answer<unknown>> {
    const now = getSnapshot();
    const file = fileOf(change);
    const newest = makeEdits(change, { made: made.json, now: now.json });
    const edits = newest ?? makeEdits(change, { made: made.json, now: made.json }) ?? [];
    if (edits.length === 0) return { kind: 'done', data: undefined };
    const { draft } = newest === undefined ? made : now;
    const seen = draft?.files.find(({ path }) => path === file)?.hash;
    const answer = await api.edit({ file, edits, seen });
    if (!isOfOtherDraft(answer) || newest === undefined || tries === 1) return answer;
    await load();
    return edit(change, made, tries - 1);
  }

  async function upload({ path, content, seen }: Extract<Change, { kind: 'put' }>): Promise<Answer<unknown>> {
    const answer = await api.putFile(path, content, seen);
    if (answer.kind === 'done' && answer.data.isKeptAsIs) update({ outcome: { kind: 'kept-as-is', path } });
    if (isOfOtherDraft(answer)) await load();
    return answer;
  }
}

/** Whether a change was made for a draft that is not this one any more. */
function isOfOtherDraft(answer: Answer<unknown>): boolean {
  return answer.kind === 'refused' && answer.code === 'draft-changed';
}
