import { MOMENT_EVERY_MS } from '../../../contract/moments.ts';
import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts';
import type { MomentKeeper } from '../../moments/keep-moments.ts';
import type { KeptLine, Moment } from '../../moments/moment.ts';
import type { LineStates } from '../lines/keep-line-states.ts';

export type LineStateRecallDeps = {
  readonly moments: Pick<MomentKeeper, 'findLast'> & {
    readonly read: (at: number) => Promise<RecalledMoment | undefined>;
  };
  readonly states: Pick<LineStates, 'recall'>;
  readonly now: () => number;
};

type RecalledMoment = {
  readonly overview: Pick<Moment['overview'], 'at'>;
  readonly lines: readonly Pick<KeptLine, 'id' | 'states'>[];
};

/**
 * Recalls, once, how the lines were in the day before this portal was started: a moment shows its last hour, and they overlap. Call it
 * again if the database did not answer.
 */
export function createLineStateRecall({ moments, states, now }: LineStateRecallDeps): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    const earliest = now() - DAY_MS;
    let at = await moments.findLast(now());
    while (at !== undefined && at > earliest) {
      const moment = await moments.read(at);
      if (moment !== undefined) for (const line of moment.lines) states.recall(line, moment.overview.at);
      at = await moments.findLast(at - HOUR_MS + MOMENT_EVERY_MS + 1);
    }
    isDone = true;
  };
}
