import type { Logger } from 'pino';
import { followState } from '../process/follow-state.ts';
import { repeat } from '../process/repeat.ts';
import type { Database, News, Query, Row } from './database.ts';

export type FollowTopicsDeps = {
  /** Asks on the connection that hears of changes. */
  readonly ask: Query;
  readonly generation: string;
  readonly log: Pick<Logger, 'warn' | 'info' | 'error'>;
  readonly now?: () => number;
  readonly random?: () => number;
};

export type TopicFollower = Pick<Database, 'watch' | 'state'> & {
  /** Looks at once: something was announced. */
  readonly look: () => void;
  readonly close: () => void;
};

type TopicRow = Row & {
  readonly topic: string;
  readonly number: number;
  readonly tag: string;
  readonly generation: string;
};

/** A change that somebody has followed. */
type Mark = Pick<TopicRow, 'number' | 'tag'>;

type Watcher = {
  readonly topic: string;
  readonly follow: (news: News) => Promise<void>;
  /** What was followed last. Undefined before the first time. */
  mark: Mark | undefined;
  isRewound: boolean;
  isBusy: boolean;
};

const UNCHANGED: Mark = { number: 0, tag: '' };
/** A change counts within a second, even if nobody hears of it. */
const LOOK_EVERY_MS = 800;
/** Portals that start together must not ask together for ever. */
const JITTER_MS = 200;

/**
 * Follows what is announced. The database keeps a number and a tag for each topic; they are read once a second, and at once after a
 * notice. So a notice that is lost costs a second, and nothing else.
 */
export function followTopics(deps: FollowTopicsDeps): TopicFollower {
  const { ask, generation, log, now = Date.now, random = Math.random } = deps;
  const watchers = new Set<Watcher>();
  const reaching = followState({
    now,
    onFail: (error) => log.warn({ err: error }, 'the database is away: serving goes on from memory'),
    onPass: () => log.info('the database is back'),
  });
  let rewoundAt: number | undefined;
  let lastGeneration: string | undefined;
  let stop: (() => void) | undefined;
  let isClosed = false;
  const lookOnce = runOneByOne(look);

  return {
    watch: (topic, follow) => {
      const watcher: Watcher = { topic, follow, mark: undefined, isRewound: false, isBusy: false };
      watchers.add(watcher);
      stop ??= repeat(lookOnce, () => LOOK_EVERY_MS + random() * JITTER_MS, {
        name: 'database: look for changes',
        log,
        firstPauseMs: 0,
      });
      return () => void watchers.delete(watcher);
    },
    state: () => ({ ...reaching.state(), rewoundAt }),
    look: () => {
      if (stop !== undefined) void lookOnce();
    },
    close: () => {
      isClosed = true;
      stop?.();
    },
  };

  async function look(): Promise<void> {
    if (isClosed) return;
    let rows: readonly TopicRow[];
    try {
      rows = await ask<TopicRow>(
        `select topic, number, tag, ${generation} as generation from topics where brand = $brand`,
      );
    } catch (error) {
      if (isClosed) return;
      return reaching.fail(error);
    }
    reaching.pass();
    noteGeneration(rows[0]?.generation);
    const marks = new Map(rows.map((row) => [row.topic, row]));
    if ([...watchers].some((watcher) => isBefore(marks.get(watcher.topic) ?? UNCHANGED, watcher.mark)))
      noteRewound();
    for (const watcher of watchers) void tell(watcher, marks.get(watcher.topic) ?? UNCHANGED, log);
  }

  function noteGeneration(found: string | undefined): void {
    if (found === undefined || found === lastGeneration) return;
    if (lastGeneration !== undefined) noteRewound();
    lastGeneration = found;
  }

  function noteRewound(): void {
    log.warn('the history of the database went back: everything is read anew');
    rewoundAt = now();
    for (const watcher of watchers) {
      watcher.isRewound = true;
      // The number that was followed before says nothing any more.
      watcher.mark = undefined;
    }
  }
}

async function tell(watcher: Watcher, mark: Mark, log: FollowTopicsDeps['log']): Promise<void> {
  if (watcher.isBusy || (watcher.mark?.tag === mark.tag && !watcher.isRewound)) return;
  const { isRewound } = watcher;
  watcher.isBusy = true;
  watcher.isRewound = false;
  try {
    await watcher.follow({ isRewound });
    watcher.mark = mark;
  } catch (error) {
    watcher.isRewound ||= isRewound;
    log.warn({ err: error, topic: watcher.topic }, 'a change could not be followed: it is tried again');
  } finally {
    watcher.isBusy = false;
  }
}

/** Runs a job, at most once at a time. A call during a run makes it run once more, because that run may miss what is new. */
function runOneByOne(job: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  return run;

  function run(): Promise<void> {
    if (running !== undefined) {
      isAskedAgain = true;
      return running;
    }
    running = job().finally(() => {
      running = undefined;
      if (!isAskedAgain) return;
      isAskedAgain = false;
      void run();
    });
    return running;
  }
}

function isBefore(mark: Mark, followed: Mark | undefined): boolean {
  if (followed === undefined) return false;
  return mark.number < followed.number || (mark.number === followed.number && mark.tag !== followed.tag);
}
