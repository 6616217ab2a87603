import type { ConsoleChannel, Incident } from '../../contract/incidents.ts';
import type { KeptIncident, Outgoing } from '../messages/message.ts';
import { EMPTY_MEMORY, type Sighting, followConditions } from './follow-conditions.ts';
import {
  EMPTY_BOOK,
  type IncidentBook,
  type Take,
  createId,
  forgetOld,
  noteOutcome,
  noteTake,
} from './incident-book.ts';
import type { IncidentStore } from './incident-store.ts';
import { createBookSaver } from './save-book.ts';
import { type TellerDeps, createTeller } from './tell-incidents.ts';

export type IncidentKeeperDeps = TellerDeps & {
  readonly store: IncidentStore;
  /** What is wrong now, as far as this portal sees. */
  readonly observe: () => readonly Sighting[];
  readonly calmMs: () => number;
  /** Told of the open incidents of whoever kept them before: this process was started again, or takes over. */
  readonly onAdopt: (open: readonly Incident[]) => void;
  /** Told the kinds of the incidents that are open. */
  readonly onOpen: (open: readonly Pick<Incident, 'kind' | 'severity'>[]) => void;
};

export type IncidentKeeper = {
  /** Looks once, and starts to send what is due. Call it about once a second; it never rejects, and waits for no channel. */
  readonly follow: () => Promise<void>;
  /** Those that last first, then the newest. */
  readonly list: () => readonly Incident[];
  readonly listOpen: () => readonly Incident[];
  /** Grows when anything about the incidents has changed. */
  readonly version: () => number;
  /** Somebody takes an incident. Returns false if there is no such open incident. */
  readonly take: (take: Take) => Promise<boolean>;
  readonly channels: () => readonly ConsoleChannel[];
  /** Sends a test. Rejects, with a reason for a person, if the channel did not take it. */
  readonly test: (channel: string) => Promise<void>;
  /** Resolves when nothing is being sent or written. */
  readonly settle: () => Promise<void>;
  /** Waits for what is being sent, and keeps the rest for the next start. */
  readonly close: () => Promise<void>;
};

/** Keeps the incidents: opens and closes them, has them told, and remembers them for 90 days. */
export function createIncidentKeeper(deps: IncidentKeeperDeps): IncidentKeeper {
  const { store, observe, calmMs, onAdopt, onOpen, log, now } = deps;
  let book: IncidentBook = EMPTY_BOOK;
  let memory = EMPTY_MEMORY;
  let isLeading = false;
  let lastShown = book;
  let shownVersion = 0;
  const teller = createTeller(deps);
  const saver = createBookSaver({
    store,
    read: () => book,
    onDeposed: () => {
      isLeading = false;
    },
    log,
    now,
  });

  return {
    follow: async () => {
      // In turn with the writing: what the store hands over must be in the book that is written next.
      const hasMore = await saver.inTurn(askStore);
      if (!isLeading) {
        memory = EMPTY_MEMORY;
        return onOpen(listOpen());
      }
      const hasNews = followOnce();
      onOpen(listOpen());
      await saver.saveIfDue(hasNews || hasMore);
      // After it was saved: a message that was sent and not noted is sent again, one that was not noted at all is lost.
      if (isLeading) sendDue();
    },
    list: () =>
      [...book.incidents].toSorted(compareForList).map((incident) => {
        const { told: _told, messages: _messages, ...shown } = incident;
        return shown;
      }),
    listOpen,
    version: () => {
      if (book !== lastShown) shownVersion += 1;
      lastShown = book;
      return shownVersion;
    },
    take: async (take) => {
      if (!listOpen().some(({ id }) => id === take.id)) return false;
      book = noteTake(book, take, now());
      if (isLeading) await saver.save();
      else await store.passOn(take);
      return true;
    },
    channels: () => teller.listChannels(book.outbox),
    test: teller.test,
    settle,
    close: async () => {
      await settle();
      if (isLeading) await saver.save();
      await store.close();
    },
  };

  async function settle(): Promise<void> {
    await teller.settle();
    await saver.settle();
  }

  /** Finds out whether this portal leads. Returns whether the store had more than this portal knew. */
  async function askStore(): Promise<boolean> {
    const lead = await store.lead();
    isLeading = lead.isLeading;
    if (lead.adopt) {
      // A new object, so that it is saved even if it is the same book.
      book = { ...lead.adopt(book) };
      if (isLeading) onAdopt(listOpen());
    }
    for (const take of lead.takes) book = noteTake(book, take, now());
    return lead.adopt !== undefined || lead.takes.length > 0;
  }

  /** Returns whether something has happened that must not be forgotten. */
  function followOnce(): boolean {
    const before = book;
    const sightings = [...observe(), ...teller.observe()];
    const look = { sightings, now: now(), calmMs: calmMs(), createId };
    const followed = followConditions(book.incidents, memory, look);
    ({ memory } = followed);
    const outbox: Outgoing[] = [...book.outbox];
    const incidents = followed.incidents.map((each) => {
      const { incident, messages } = teller.tell(asKept(each));
      outbox.push(...messages);
      return incident;
    });
    const hasTold = incidents.some((incident, index) => incident !== followed.incidents[index]);
    if (followed.hasNews || hasTold) book = { incidents, outbox: teller.bound(outbox) };
    book = forgetOld(book, now());
    return isNews(before, book);
  }

  function sendDue(): void {
    teller.sendDue(book.outbox, (delivered) => {
      book = noteOutcome(book, delivered, now());
      void saver.save();
    });
  }

  function listOpen(): readonly KeptIncident[] {
    return book.incidents.filter(({ endedAt }) => endedAt === null);
  }
}

/** Whether more has happened than that numbers have grown. */
function isNews(before: IncidentBook, after: IncidentBook): boolean {
  if (before.outbox.length !== after.outbox.length || before.incidents.length !== after.incidents.length)
    return true;
  return after.incidents.some((incident, index) => {
    const last = before.incidents[index];
    return incident.timeline !== last?.timeline || incident.told !== last.told;
  });
}

/** An incident that was just opened has told nobody. */
function asKept(incident: KeptIncident | Incident): KeptIncident {
  return 'told' in incident ? incident : { ...incident, told: {}, messages: 0 };
}

function compareForList(one: Incident, other: Incident): number {
  return Number(one.endedAt !== null) - Number(other.endedAt !== null) || other.startedAt - one.startedAt;
}
