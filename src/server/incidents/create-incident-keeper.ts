import type { ConsoleChannel, Incident } from '../../contract/incidents.ts';
import { nameOnCall } from '../messages/choose-messages.ts';
import type { Delivered } from '../messages/create-delivery.ts';
import type { KeptIncident, Outgoing } from '../messages/message.ts';
import { followState } from '../process/follow-state.ts';
import { createLimit } from '../../contract/create-limit.ts';
import { DeposedError, type News, StoreAwayError } from '../store/database.ts';
import type { LineGroups } from './join-incidents.ts';
import { EMPTY_MEMORY, type Memory, type Sighting, followConditions } from './follow-conditions.ts';
import { createBookKeeper } from './create-book-keeper.ts';
import { type IncidentBook, type Take, forgetOld, joinTold } from './incident-book.ts';
import type { IncidentStore } from './create-incident-store.ts';
import { type Teller, type TellerDeps, createTeller } from './create-teller.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';

export type IncidentKeeperDeps = TellerDeps & {
  readonly store: IncidentStore;
  /** What is wrong now, as far as this portal sees. */
  readonly observe: () => readonly Sighting[];
  /** Which lines have something in common. */
  readonly groupLines: () => LineGroups;
  readonly calmMs: () => number;
  /** Makes an id of a text: the same on every portal of the site, and on no other. */
  readonly sign: (text: string) => string;
  /** Told the kinds of the incidents that are open. */
  readonly onOpen: (open: readonly Pick<Incident, 'kind' | 'severity'>[]) => void;
};

export type IncidentKeeper = {
  /** Looks once, and starts to send what is due. Call it about once a second; it never rejects, and waits for no channel. */
  readonly follow: () => Promise<void>;
  /** Takes over what other portals write. The returned function stops that. */
  readonly watch: () => () => void;
  /** Those that last first, then the newest. */
  readonly list: () => readonly Incident[];
  readonly listOpen: () => readonly Incident[];
  /** Grows when anything about the incidents has changed. */
  readonly version: () => number;
  /** Somebody takes an incident. Returns false if there is no such open incident. Rejects while the database is away, or has not got the incident yet. */
  readonly take: (take: Take) => Promise<boolean>;
  readonly channels: () => readonly ConsoleChannel[];
  /** The names of the people who are on call now. */
  readonly onCall: () => readonly string[];
  readonly test: Teller['test'];
  readonly testBy: Teller['testBy'];
  /** Resolves when nothing is being sent or written. */
  readonly settle: () => Promise<void>;
  /** Waits for what is being sent, and keeps the rest for the next start. */
  readonly close: () => Promise<void>;
};

/** Of several portals one leads: it follows the conditions and tells of them. While the database is away, each does so alone. */
type PortalRole =
  | { readonly kind: 'following' }
  | { readonly kind: 'leading'; readonly term: number }
  | { readonly kind: 'alone' };

const FOLLOWING: PortalRole = { kind: 'following' };
/** A portal without its database tells by itself after ten seconds. Until then another portal may lead. */
const ALONE_AFTER_MS = 10_000;
/** Portals notice the same trouble some seconds apart, so its beginning is rounded to this. */
const BEGINNING_MS = 10 * MINUTE_MS;

/** Keeps the incidents: opens and closes them, has them told, and remembers them for 90 days. */
export function createIncidentKeeper(deps: IncidentKeeperDeps): IncidentKeeper {
  const { store, settings, onOpen, log, now } = deps;
  const inTurn = createLimit(1);
  const teller = createTeller(deps);
  const books = createBookKeeper(deps);
  let role: PortalRole = FOLLOWING;
  const keeping = followState({
    now,
    onFail: (error) => log.error({ err: error }, 'the incidents cannot be kept for now'),
    onPass: () => log.info('the incidents are kept again'),
  });
  let memory = EMPTY_MEMORY;
  let lastShown = books.book();
  let shownVersion = 0;

  return {
    follow: () => inTurn(followInTurn),
    watch: () => store.watch((news) => inTurn(() => followOthers(news))),
    list: () =>
      [...forgetOld(books.book(), now()).incidents].toSorted(compareForList).map((incident) => {
        const { told: _told, messages: _messages, ...shown } = incident;
        return shown;
      }),
    listOpen,
    version: () => {
      if (books.book() !== lastShown) shownVersion += 1;
      lastShown = books.book();
      return shownVersion;
    },
    take: async (take) => {
      const isTaken = await store.take(take, now());
      if (!isTaken && listOpen().some(({ id }) => id === take.id))
        throw new StoreAwayError('the incident is not in the database yet');
      // Shown at once. If it fails, it is shown as soon as this portal hears of it.
      if (isTaken) await inTurn(() => followOthers({ isRewound: false })).catch(() => undefined);
      return isTaken;
    },
    channels: () => teller.listChannels(books.book().outbox),
    onCall: () => nameOnCall(settings() ?? {}, now()),
    test: teller.test,
    testBy: teller.testBy,
    settle,
    close: async () => {
      await settle();
      await inTurn(saveOutcomes);
    },
  };

  async function settle(): Promise<void> {
    await teller.settle();
    await inTurn(async () => undefined);
  }

  async function followInTurn(): Promise<void> {
    try {
      await followTogether();
      keeping.pass();
    } catch (error) {
      if (error instanceof DeposedError) return stepDown();
      keeping.fail(error);
      if (Math.abs(now() - keeping.state().since) >= ALONE_AFTER_MS) followAlone();
    }
    onOpen(listOpen());
  }

  /** Rejects if the database is away, or if another portal leads by now. */
  async function followTogether(): Promise<void> {
    if (!store.state().isUp) throw new StoreAwayError('the database is away');
    const term = await store.lead();
    // What was done alone is handed over.
    if (role.kind === 'alone') await books.save(undefined);
    else if (!books.isLoaded()) await books.load();
    if (term === undefined) return followLeader();
    role = { kind: 'leading', term };
    followOnce();
    if (books.isDue()) await books.save(term);
    // Messages are saved before they are sent. One that was sent but not noted as sent is sent again. One that was never
    // saved would be lost in a crash.
    sendDue();
  }

  function followAlone(): void {
    role = { kind: 'alone' };
    followOnce();
    sendDue();
  }

  /** Another portal leads, and follows what this one has not written. */
  function stepDown(): void {
    followLeader();
    books.unload();
  }

  /** What this portal has seen may be over when it leads again. */
  function followLeader(): void {
    role = FOLLOWING;
    memory = EMPTY_MEMORY;
    teller.forgetChannels();
  }

  /** A portal that acts alone ignores what others write, until it has written its own changes. */
  async function followOthers({ isRewound }: News): Promise<void> {
    if (isRewound) books.unload();
    if (role.kind !== 'alone') await books.load();
  }

  async function saveOutcomes(): Promise<void> {
    if (role.kind !== 'leading' || !books.hasUnsavedNotes()) return;
    await books.save(role.term).catch((error: unknown) => {
      if (error instanceof DeposedError) stepDown();
      // Otherwise the next look tries again.
    });
  }

  function followOnce(): void {
    const followed = followSightings({ book: books.book(), memory }, deps, teller);
    ({ memory } = followed);
    books.change(followed.book);
  }

  function sendDue(): void {
    teller.sendDue(books.book().outbox, { claim, onDelivered });
  }

  async function claim({ message }: Outgoing): Promise<boolean> {
    if (role.kind !== 'leading') return role.kind === 'alone';
    // If it fails, the next look tries again, and finds out why.
    return store.claim(message.id, role.term).catch(() => false);
  }

  function onDelivered(delivered: Delivered): void {
    books.note(delivered);
    void inTurn(saveOutcomes);
  }

  function listOpen(): readonly KeptIncident[] {
    return books.book().incidents.filter(({ endedAt }) => endedAt === null);
  }
}

type Followed = { readonly book: IncidentBook; readonly memory: Memory };

/** Opens, changes and closes incidents by what is seen now, and writes the messages that are due. */
function followSightings(
  { book, memory: before }: Followed,
  { observe, groupLines, isSilenced, calmMs, sign, now }: IncidentKeeperDeps,
  teller: Pick<Teller, 'observe' | 'tell' | 'bound'>,
): Followed {
  const sightings = [...observe(), ...teller.observe()];
  const { memory, hasNews, ...followed } = followConditions(book.incidents, before, {
    sightings,
    now: now(),
    calmMs: calmMs(),
    createId: (beginning) => createId(beginning, book, sign),
    groups: groupLines(),
    isAlone: (cause) => isSilenced([cause]),
    onJoin: (stays, goes) => joinTold(asKept(stays), asKept(goes)),
  });
  const outbox: Outgoing[] = [...book.outbox];
  // Other lines may be down, too: a message that waits for them can name all of them.
  const isUnsettled = sightings.some(({ kind, isSure }) => kind === 'line-down' && !isSure);
  const incidents = followed.incidents.map((each) => {
    const { incident, messages } = teller.tell(asKept(each), isUnsettled);
    outbox.push(...messages);
    return incident;
  });
  const hasTold = incidents.some((incident, index) => incident !== followed.incidents[index]);
  return { memory, book: hasNews || hasTold ? { incidents, outbox: teller.bound(outbox) } : book };
}

/** All portals make the same id, so that messages of several portals can be recognized as one incident. */
function createId(
  { cause, since }: Pick<Sighting, 'cause' | 'since'>,
  { incidents }: IncidentBook,
  sign: IncidentKeeperDeps['sign'],
): string {
  const beginning = `${cause} ${Math.floor(since / BEGINNING_MS)}`;
  let id = sign(beginning);
  for (let number = 2; incidents.some((incident) => incident.id === id); number += 1)
    id = sign(`${beginning} ${number}`);
  return id;
}

/** An incident that was just opened has told nobody. */
function asKept(incident: KeptIncident | Incident): KeptIncident {
  return 'told' in incident ? incident : { ...incident, told: {}, messages: 0 };
}

function compareForList(one: Incident, other: Incident): number {
  return Number(one.endedAt !== null) - Number(other.endedAt !== null) || other.startedAt - one.startedAt;
}
