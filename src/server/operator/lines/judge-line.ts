import type { LineJudge, LineStatus } from '../../../contract/console.ts';
import { MINUTE_MS } from '../../../contract/time-units.ts';
import type { LineLoss, Losses } from '../../learning/losses/judge-losses.ts';
import type { LineState } from '../../lines/line-state.ts';

/** What is known of a line. */
export type LineSigns = {
  /** The server's own probe; undefined where it does not look, or is not believed. */
  readonly probe: Pick<LineState, 'condition' | 'since' | 'recoveredAt'> | undefined;
  /** Whether and how visitors lose it. */
  readonly loss: LineLoss | undefined;
  /** Whether a visitor has reached it lately. */
  readonly isReached: boolean;
};

export type LineVerdict = {
  readonly status: LineStatus;
  readonly judgedBy: LineJudge | null;
};

/** Decides the state of a line by what the server and the visitors see of it: the worse of both. */
export function judgeLine({ probe, loss, isReached }: LineSigns): LineVerdict {
  if (probe?.condition === 'down') return { status: 'down', judgedBy: 'probe' };
  if (loss?.extent === 'everywhere') return { status: 'down', judgedBy: 'visitors' };
  if (probe?.condition === 'degraded') return { status: 'degraded', judgedBy: 'probe' };
  if (loss !== undefined) return { status: 'degraded', judgedBy: 'visitors' };
  if (isReached) return { status: 'up', judgedBy: 'visitors' };
  return probe ? { status: 'up', judgedBy: 'probe' } : { status: 'unknown', judgedBy: null };
}

export type SinceFacts = Pick<LineSigns, 'probe' | 'loss'> & {
  /** When visitors last stopped losing it. */
  readonly ended: ReturnType<Losses['ended']['get']>;
  /** The first minute since 1970 of the last day in which a visitor tried it. */
  readonly firstMinute: number | undefined;
  /** When this server started. */
  readonly startedAt: number;
};

/** Since when a line has had its state, in ms; undefined if nobody knows. */
export function findStatusSince({ status, judgedBy }: LineVerdict, facts: SinceFacts): number | undefined {
  const { probe, loss } = facts;
  switch (status) {
    case 'unknown':
    // A maintenance says itself when it began.
    case 'maintenance':
      return undefined;
    case 'down':
    case 'degraded':
      return judgedBy === 'visitors' ? loss?.since : probe?.since;
    case 'up':
      return findUpSince(facts);
  }
}

/** The end of the last trouble, or, where there was none, since when it is known. */
function findUpSince({ probe, ended, firstMinute, startedAt }: SinceFacts): number | undefined {
  // If the server saw the line come back after its last failure, the loss ended then.
  const lossEnd = ended !== undefined && ended.failedAt >= (probe?.recoveredAt ?? 0) ? ended.at : undefined;
  const known = [lossEnd, probe?.since].filter((time) => time !== undefined);
  if (known.length > 0) return Math.max(...known);
  if (firstMinute === undefined) return undefined;
  // Minutes are whole, but the server may have started in the middle of this one.
  const isFirstOfServer = Math.floor(startedAt / MINUTE_MS) === firstMinute;
  return isFirstOfServer ? startedAt : firstMinute * MINUTE_MS;
}
