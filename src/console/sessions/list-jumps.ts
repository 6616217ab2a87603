import type { ViewSummary } from '../../contract/recordings.ts';
import type { RecordedEvent } from '../player/messages.ts';
import { type HappeningKind, listHappenings } from './happenings.ts';

/** A place in a replay that is worth jumping to. */
export type Jump = {
  readonly kind: HappeningKind;
  /** From when the page was opened. */
  readonly atMs: number;
};

/** Of rrweb: a change, by the mouse or a finger, that was a click. */
const CHANGE_TYPE = 3;
const MOUSE_SOURCE = 2;
const CLICK = 2;
/** A page with more clicks than this has a script that clicks. */
const MAX_CLICKS = 200;

/** Lists the clicks of a replay, and what else is known of its view, in order. */
export function listJumps(events: readonly RecordedEvent[], view: ViewSummary): readonly Jump[] {
  const clicks = events.filter(isClick).slice(0, MAX_CLICKS);
  return [
    ...clicks.map(({ timestamp }) => ({ kind: 'click', at: timestamp }) as const),
    // The page was opened before anything was recorded.
    ...listHappenings(view).filter(({ kind }) => kind !== 'opened'),
  ]
    .map(({ kind, at }) => ({ kind, atMs: Math.max(0, at - view.openedAt) }))
    .toSorted((a, b) => a.atMs - b.atMs);
}

function isClick({ type, data }: RecordedEvent): boolean {
  // What a recording holds is known only when it is read.
  const change = data as { readonly source?: unknown; readonly type?: unknown } | undefined;
  return type === CHANGE_TYPE && change?.source === MOUSE_SOURCE && change.type === CLICK;
}
