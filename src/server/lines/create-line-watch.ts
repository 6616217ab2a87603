import type { Logger } from 'pino';
import { shuffle } from '../../engine/effects/shuffle.ts';
import { repeat, stopAll } from '../process/repeat.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import { type LineAskerDeps, createLineAsker } from './create-line-asker.ts';
import {
  type LineStateKeeper,
  type LineStateKeeperDeps,
  createLineStateKeeper,
} from './create-line-state-keeper.ts';
import { type WatchedLine, listWatchedLines } from './line-state.ts';

export type LineWatchDeps = Omit<LineAskerDeps & LineStateKeeperDeps, 'site' | 'metrics'> & {
  readonly site: () => Pick<PublishedSite, 'lines' | 'config'>;
  readonly metrics: LineAskerDeps['metrics'] & LineStateKeeperDeps['metrics'];
  readonly random: () => number;
  readonly log: Pick<Logger, 'error'>;
};

export type LineWatch = Pick<LineStateKeeper, 'setOthers' | 'view' | 'cutOff' | 'states'> & {
  /** Probes every line and every backup once. Call it again and again; it never rejects. */
  readonly probeLines: () => Promise<void>;
  /** Asks the lines again whose new condition is not settled, each when it is due. Call it about once a second; it never rejects. */
  readonly recheckLines: () => Promise<void>;
  /** Asks the applications that are due (`lines.health`). Call it about once a second; it never rejects. */
  readonly probeApplications: () => Promise<void>;
  /** Repeats all of them. The returned function stops that. */
  readonly start: (probeEveryMs?: number) => () => void;
};

const PROBE_EVERY_MS = 30_000;
/** A fifth of the pause is random, so that replicas do not probe at the same moment. */
const PROBE_JITTER = 0.2;
/** A line whose condition is not settled is asked again at most this late. */
const RECHECK_EVERY_MS = 500;

/** Watches the lines as a visitor's page would see them, from the server's own network. */
export function createLineWatch(deps: LineWatchDeps): LineWatch {
  const { site, signal, random, now, log } = deps;
  const asker = createLineAsker(deps);
  const keeper = createLineStateKeeper(deps);
  const states = keeper.states();
  const lineChecks = createSchedule(now);
  const applicationChecks = createSchedule(now);
  let rounds = 0;
  let healthRounds = 0;

  return {
    probeLines,
    recheckLines,
    probeApplications,
    start: (probeEveryMs = PROBE_EVERY_MS) => {
      const drawPauseMs = (): number => probeEveryMs * (1 + (random() - 0.5) * PROBE_JITTER);
      return stopAll(
        repeat(probeLines, drawPauseMs, { name: 'lines: probe', log, firstPauseMs: 0 }),
        repeat(askWhatIsDue, () => RECHECK_EVERY_MS, { name: 'lines: probe again', log }),
      );
    },
    setOthers: keeper.setOthers,
    view: keeper.view,
    cutOff: keeper.cutOff,
    states: keeper.states,
  };

  /** Does not wait for the answers: what is being asked is not asked again. */
  async function askWhatIsDue(): Promise<void> {
    void recheckLines();
    void probeApplications();
  }

  async function probeLines(): Promise<void> {
    for (const id of keeper.forgetRemoved()) {
      lineChecks.forget(id);
      applicationChecks.forget(id);
    }
    rounds += 1;
    // In a new order each time, so that the same two lines are not always asked at the same moment.
    const watched = shuffle(listWatched(), random);
    await Promise.all(watched.map((each) => checkAddresses(each, { asksTwice: true })));
  }

  async function recheckLines(): Promise<void> {
    const { everySeconds } = deps.confirmation();
    const due = listWatched().filter(({ line: { id } }) => {
      const state = states.get(id);
      return (
        state !== undefined &&
        (state.settled !== state.condition || keeper.isDisputed(id)) &&
        lineChecks.isDue(id, everySeconds)
      );
    });
    await Promise.all(due.map(recheck));
  }

  async function probeApplications(): Promise<void> {
    const { health } = site().config.lines;
    if (health === undefined) return;
    const due = listWatched().filter(({ line: { id } }) => {
      return states.has(id) && applicationChecks.isDue(id, health.everySeconds);
    });
    if (due.length > 0) healthRounds += 1;
    await Promise.all(due.map(checkApplication));
  }

  function listWatched(): readonly WatchedLine[] {
    return listWatchedLines(site().lines);
  }

  async function recheck(watched: WatchedLine): Promise<void> {
    await checkAddresses(watched, { asksTwice: false });
    await checkApplication(watched);
  }

  async function checkAddresses(watched: WatchedLine, { asksTwice }: { asksTwice: boolean }): Promise<void> {
    const { id } = watched.line;
    await lineChecks.run(id, async () => {
      const last = states.get(id)?.addresses ?? [];
      const addresses = await asker.askAddresses(watched.line, { round: rounds, asksTwice, last });
      if (signal.aborted) return;
      const isApplicationAsked = site().config.lines.health !== undefined;
      keeper.note(watched, isApplicationAsked ? { addresses } : { addresses, health: undefined });
    });
  }

  async function checkApplication(watched: WatchedLine): Promise<void> {
    const { id } = watched.line;
    const checkHealth = asker.prepareHealthCheck(states.get(id)?.addresses ?? []);
    if (checkHealth === undefined) return;
    await applicationChecks.run(id, async () => {
      const health = await checkHealth(healthRounds);
      if (!signal.aborted) keeper.note(watched, { health });
    });
  }
}

/** Knows when each line was last checked, and lets no second check of it run at the same time. */
function createSchedule(now: () => number) {
  const startedAt = new Map<string, number>();
  const running = new Set<string>();
  return {
    /** Also after the clock was set back: a line must not wait until that time comes again. */
    isDue: (id: string, everySeconds: number): boolean =>
      Math.abs(now() - (startedAt.get(id) ?? -Infinity)) >= everySeconds * 1_000,
    forget: (id: string): void => void startedAt.delete(id),
    run: async (id: string, check: () => Promise<void>): Promise<void> => {
      if (running.has(id)) return;
      running.add(id);
      startedAt.set(id, now());
      await check().finally(() => running.delete(id));
    },
  };
}
