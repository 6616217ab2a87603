import type { CutOffJudge } from '../../contract/console.ts';
import type { Steering } from '../learning/create-steering.ts';
import type { SteeringMetrics } from '../metrics/create-steering-metrics.ts';
import type { PublishedSite } from '../site/publish-site.ts';
import { type SharedLineView, agreeOnLine } from './agree-on-line.ts';
import {
  type LineCondition,
  type Confirmation,
  type LineState,
  type WatchedLine,
  countCheck,
  describeChange,
  findCondition,
  isNothingReached,
  listWatchedLines,
} from './line-state.ts';

export type LineStateKeeperDeps = {
  readonly site: () => Pick<PublishedSite, 'lines'>;
  readonly steering: Pick<Steering, 'setDown'>;
  readonly metrics: Pick<SteeringMetrics, 'setLineState' | 'forgetLine'>;
  readonly now: () => number;
  readonly confirmation: () => Confirmation;
};

export type LineStateKeeper = {
  /** Notes what a check has found. What it has not asked stays as it was. */
  readonly note: (watched: WatchedLine, found: Partial<Findings>) => void;
  /** Takes over what the other replicas see. Call it about once a second. */
  readonly setOthers: (views: readonly SharedLineView[]) => void;
  /** Whether another replica sees a line down, and this one does not, or the other way round. */
  readonly isDisputed: (id: string) => boolean;
  /** What this server sees, for the other replicas. Undefined until it has asked every line. */
  readonly view: () => SharedLineView | undefined;
  /** Who is believed about the lines if this server reaches none of them. Undefined if it reaches some. */
  readonly cutOff: () => CutOffJudge | undefined;
  /** Forgets the lines that the site does not have any more. Returns their ids. */
  readonly forgetRemoved: () => readonly string[];
  /** What was seen of each line, by its id. */
  readonly states: () => ReadonlyMap<string, LineState>;
};

/** What a check finds out: by the speed check, or by asking the application. */
type Findings = Pick<LineState, 'addresses' | 'health'>;

type LineSighting = Pick<LineState, 'addresses' | 'health' | 'seen'>;

/** Keeps the state of each line, as this server and the other replicas see it, and tells steering which are down. */
export function createLineStateKeeper(deps: LineStateKeeperDeps): LineStateKeeper {
  const { site, metrics, now } = deps;
  const tellSteering = createSteeringTeller(deps.steering);
  const states = new Map<string, LineState>();
  /** What this server itself has seen of each line. */
  const sightings = new Map<string, LineSighting>();
  let others: readonly SharedLineView[] = [];
  // Kept, because the console asks for it once for each line.
  let cutOff: CutOffJudge | undefined;

  return {
    note,
    setOthers: (given) => {
      others = given;
      const views = readViews();
      for (const [id, state] of states) reconsider(id, state, views);
      cutOff = findCutOff(states, views);
      tellSteering(states, views);
    },
    isDisputed: (id) => {
      const isDown = states.get(id)?.seen === 'down';
      return others.some(({ down, isCutOff }) => !isCutOff && down.includes(id) !== isDown);
    },
    view: () => (listWatched().every(({ line }) => states.has(line.id)) ? readViews().own : undefined),
    cutOff: () => cutOff,
    forgetRemoved: () => {
      const roles = new Map(listWatched().map(({ line, role }) => [line.id, role]));
      const removed = [...states].filter(([id, { role }]) => roles.get(id) !== role);
      for (const [id, { host, role }] of removed) {
        states.delete(id);
        sightings.delete(id);
        metrics.forgetLine(host, role);
      }
      cutOff = findCutOff(states, readViews());
      return removed.map(([id]) => id);
    },
    states: () => states,
  };

  function listWatched(): readonly WatchedLine[] {
    return listWatchedLines(site().lines);
  }

  function note({ line: { id, host }, role }: WatchedLine, found: Partial<Findings>): void {
    const last = states.get(id);
    const { addresses = [], health } = { ...last, ...found };
    const seen = findCondition(addresses, health);
    sightings.set(id, { addresses, health, seen });
    const views = readViews();
    const condition = agreeOnCondition(id, seen, views);
    const at = now();
    states.set(id, {
      ...countCheck(last, condition, { at, confirmation: deps.confirmation() }),
      host,
      role,
      seen,
      checkedAt: at,
      addresses,
      health,
    });
    cutOff = findCutOff(states, views);
    metrics.setLineState(host, role, {
      isUp: seen !== 'down',
      hasPage: addresses.every(({ pageFault }) => pageFault === undefined),
    });
    if (role === 'line' && isNews(last, condition, health)) tellSteering(states, views);
  }

  /** The condition of a line may change without a check: the other replicas may see something new. */
  function reconsider(id: string, state: LineState, views: Views): void {
    const condition = agreeOnCondition(id, state.seen, views);
    if (condition === state.condition) return;
    states.set(id, { ...state, ...describeChange(state, condition, now()), streak: 1 });
  }

  function readViews(): Views {
    return { own: describeView(sightings, listWatched().length), others };
  }
}

type Views = { readonly own: SharedLineView; readonly others: readonly SharedLineView[] };

/** Tells steering which lines are down and which are dead, if that is not what it was told last. */
function createSteeringTeller(steering: LineStateKeeperDeps['steering']) {
  let lastTold = '';
  return (states: ReadonlyMap<string, LineState>, { own, others }: Views): void => {
    const down = [...states].filter(([, { role, condition }]) => role === 'line' && condition === 'down');
    const dead = down.filter(([id]) => agreeOnLine(id, own, others)?.isDead ?? own.dead.includes(id));
    const [downIds, deadIds] = [down, dead].map((found) => found.map(([id]) => id));
    const told = JSON.stringify([states.size, downIds, deadIds]);
    if (told === lastTold) return;
    lastTold = told;
    steering.setDown(new Set(downIds), new Set(deadIds));
  };
}

function findCutOff(states: ReadonlyMap<string, LineState>, { own, others }: Views): CutOffJudge | undefined {
  if (others.some(({ isCutOff }) => !isCutOff)) return own.isCutOff ? 'replicas' : undefined;
  return isNothingReached([...states.values()]) ? 'visitors' : undefined;
}

function agreeOnCondition(id: string, seen: LineCondition, { own, others }: Views): LineCondition {
  const agreement = agreeOnLine(id, own, others);
  if (agreement === undefined) return seen;
  if (agreement.isDown) return 'down';
  if (seen !== 'down') return seen;
  // Only this portal sees it down. If this portal is cut off, its view does not count.
  return own.isCutOff ? 'up' : 'degraded';
}

function describeView(sightings: ReadonlyMap<string, LineSighting>, watchedLines: number): SharedLineView {
  const all = [...sightings];
  const down = all.filter(([, { seen }]) => seen === 'down');
  const dead = down.filter(([, { health }]) => health?.isDead === true);
  const isCutOff =
    sightings.size >= watchedLines &&
    all.every(([, { addresses }]) => addresses.every(({ faults }) => faults.length > 0));
  return { isCutOff, down: down.map(([id]) => id), dead: dead.map(([id]) => id) };
}

/** Whether steering must be told. */
function isNews(last: LineState | undefined, condition: LineCondition, health: LineState['health']): boolean {
  return (
    last === undefined ||
    (last.condition === 'down') !== (condition === 'down') ||
    last.health?.isDead !== health?.isDead
  );
}
