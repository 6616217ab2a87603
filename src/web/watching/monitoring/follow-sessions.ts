import type { Effects } from '../../../engine/effects/effects.ts';
import type { Session, SessionKeeper } from './create-session-keeper.ts';
import type { SessionMonitor } from './monitor-session.ts';

/** Monitors the sessions of one page. A page that stays open for long has more than one. */
export type SessionFollower = {
  /** Call it when the visitor does something. */
  readonly noteActivity: () => void;
  /** Call it when the page may close. */
  readonly flush: () => void;
  /** Call it when the page is seen again. */
  readonly resume: () => void;
  /** Ends monitoring. What was not sent is dropped. */
  readonly discard: () => void;
};

export type FollowerSettings = Pick<Effects, 'now' | 'setTimer'> & {
  readonly keeper: SessionKeeper;
  /** Called for sampled sessions only. */
  readonly monitor: (session: Session) => SessionMonitor;
};

/** Activity is noted at most this often, because each note is written to the browser's storage. */
const ACTIVITY_STEP_MS = 5_000;

type Followed = { readonly session: Session; readonly monitor: SessionMonitor | undefined };

/** Starts with the current session, or a new one. After its end, the next activity starts another. */
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

  /** Ends the session by a timer, so that nothing is recorded of a page that was left open. */
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
    resume: () => followed?.monitor?.resume(),
    discard() {
      isOver = true;
      cancelCheck?.();
      followed?.monitor?.discard();
      followed = undefined;
      keeper.forget();
    },
  };
}
