import type { Effects } from '../../../engine/effects/effects.ts';
import type { Session, SessionKeeper } from './create-session-keeper.ts';
import type { SessionMonitor } from './monitor-session.ts';

/** Monitoring over the sessions that a page sees: more than one, if it stays open for long. */
export type SessionFollower = {
  /** The visitor does something. */
  readonly noteActivity: () => void;
  /** The page may go away. */
  readonly flush: () => void;
  /** Ends monitoring, and forgets what was not sent. */
  readonly discard: () => void;
};

export type FollowerSettings = Pick<Effects, 'now' | 'setTimer'> & {
  readonly keeper: SessionKeeper;
  /** Called for sampled sessions only. */
  readonly monitor: (session: Session) => SessionMonitor;
};

/** Activity is noted at most this often: it is written to the browser's storage. */
const ACTIVITY_STEP_MS = 5_000;

type Followed = { readonly session: Session; readonly monitor: SessionMonitor | undefined };

/** Starts with the session that is under way, or a new one; when that has ended, the next activity starts another. */
export function followSessions({ keeper, monitor, now, setTimer }: FollowerSettings): SessionFollower {
  let followed: Followed | undefined;
  let isOver = false;
  let notedAt = 0;
  let cancelCheck: (() => void) | undefined;

  function begin(): void {
    const session = keeper.join();
    notedAt = now();
    followed = { session, monitor: session.isSampled ? monitor(session) : undefined };
    checkLater(session.id);
  }

  /** The end comes by itself, so that nothing is recorded of a page that was left lying open. */
  function checkLater(id: string): void {
    cancelCheck = setTimer(() => {
      if (keeper.remainingMs(id) > 0) checkLater(id);
      else end();
    }, keeper.remainingMs(id));
  }

  function end(): void {
    cancelCheck?.();
    followed?.monitor?.end();
    followed = undefined;
  }

  begin();

  return {
    noteActivity() {
      if (isOver || (followed && now() - notedAt < ACTIVITY_STEP_MS)) return;
      notedAt = now();
      if (followed && keeper.extend(followed.session.id)) return;
      end();
      begin();
    },
    flush: () => followed?.monitor?.flush(),
    discard() {
      isOver = true;
      cancelCheck?.();
      followed?.monitor?.discard();
      followed = undefined;
      keeper.forget();
    },
  };
}
