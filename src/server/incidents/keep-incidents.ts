import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { describeDetail } from '../../contract/describe-detail.ts';
import type { ConsoleChannel, Incident } from '../../contract/incidents.ts';
import type { AlertSettings } from '../../contract/site/alert-settings.ts';
import type { StoreState } from '../learning/keep-measurements.ts';
import { type Choice, chooseMessages } from '../messages/choose-messages.ts';
import { type Delivered, type SendMessage, createDelivery } from '../messages/deliver.ts';
import type { KeptIncident, Message, Outgoing } from '../messages/message.ts';
import { takeTurns } from '../process/take-turns.ts';
import { withDeadline } from '../process/with-deadline.ts';
import { EMPTY_MEMORY, type Sighting, followConditions } from './follow-conditions.ts';
import {
  EMPTY_BOOK,
  type IncidentBook,
  type Take,
  boundOutbox,
  forgetOld,
  noteOutcome,
  noteTake,
} from './incident-book.ts';
import type { IncidentStore } from './incident-store.ts';

export type IncidentKeeperDeps = {
  readonly store: IncidentStore;
  /** What is wrong now, as far as this portal sees. */
  readonly observe: () => readonly Sighting[];
  /** Undefined where nobody is to be told. */
  readonly settings: () => Pick<AlertSettings, 'channels' | 'rules'> | undefined;
  readonly calmMs: () => number;
  /** True during the maintenance of the line that an incident is about, or of the site. */
  readonly isSilenced: (incident: Incident) => boolean;
  readonly describe: (incident: Incident, choice: Choice, id: string) => Message;
  readonly send: SendMessage;
  /** Told of the open incidents of whoever kept them before: this process was started again, or takes over. */
  readonly onAdopt: (open: readonly Incident[]) => void;
  /** Told the kinds of the incidents that are open. */
  readonly onOpen: (open: readonly Pick<Incident, 'kind' | 'severity'>[]) => void;
  readonly onMessage: (channel: string, verdict: Delivered['kind']) => void;
  readonly log: Logger;
  readonly now: () => number;
};

export type IncidentKeeper = {
  /** Looks once, and starts to send what is due. Call it about once a second; it never rejects, and waits for no channel. */
  readonly follow: () => Promise<void>;
  /** Those that last first, then the newest. */
  readonly list: () => readonly Incident[];
  readonly countOpen: () => number;
  /** Grows when anything about the incidents has changed. */
  readonly version: () => number;
  /** Somebody takes an incident. Returns false if there is no such open incident. */
  readonly take: (take: Take) => Promise<boolean>;
  readonly channels: () => readonly ConsoleChannel[];
  /** Sends a test. Rejects, with a reason for a person, if the channel did not take it. */
  readonly test: (channel: string) => Promise<void>;
  /** Whether the incidents can be kept. */
  readonly storeState: () => StoreState;
  /** Resolves when nothing is being sent or written. */
  readonly settle: () => Promise<void>;
  /** Waits for what is being sent, and keeps the rest for the next start. */
  readonly close: () => Promise<void>;
};

/** A channel that has failed so often in a row is itself an incident. */
const FAILURES_THAT_COUNT = 3;
/** How often the growing number of visitors is written. */
const SAVE_EVERY_MS = 30_000;
const SAVE_LIMIT_MS = 5_000;

/** Keeps the incidents: opens and closes them, has them told, and remembers them for 90 days. */
export function createIncidentKeeper(deps: IncidentKeeperDeps): IncidentKeeper {
  const { store, observe, settings, log, now } = deps;
  const delivery = createDelivery({ send: deps.send, now });
  let book: IncidentBook = EMPTY_BOOK;
  let memory = EMPTY_MEMORY;
  let isLeading = false;
  let lastShown = book;
  let shownVersion = 0;
  let savedAt = now();
  let savedBook = book;
  /** True if more has happened since the last write than that numbers have grown. */
  let isUrgent = false;
  let storeState: StoreState = { isUp: true, since: now() };
  let saving: Promise<void> = Promise.resolve();
  const inTurn = takeTurns();

  return {
    follow: async () => {
      // In turn with the writing: what the store hands over must be in the book that is written next.
      const hasMore = await inTurn(lead);
      if (!isLeading) {
        memory = EMPTY_MEMORY;
        return tellOpen();
      }
      isUrgent = followOnce() || hasMore || isUrgent;
      tellOpen();
      if (book !== savedBook && (isUrgent || Math.abs(now() - savedAt) >= SAVE_EVERY_MS)) await save();
      // After it was saved: a message that was sent and not noted is sent again, one that was not noted at all is lost.
      if (isLeading) delivery.sendDue(book.outbox, settings()?.channels ?? [], noteDelivered);
    },
    list: () =>
      [...book.incidents].toSorted(compareForList).map((incident) => {
        const { told: _told, messages: _messages, ...shown } = incident;
        return shown;
      }),
    countOpen: () => listOpen().length,
    version: () => {
      if (book !== lastShown) shownVersion += 1;
      lastShown = book;
      return shownVersion;
    },
    take: async (take) => {
      if (!book.incidents.some(({ id, endedAt }) => id === take.id && endedAt === null)) return false;
      book = noteTake(book, take, now());
      if (isLeading) await save();
      else await store.passOn(take);
      return true;
    },
    channels: () =>
      (settings()?.channels ?? []).map(({ name, kind }) => {
        const { sentAt, fault } = delivery.stateOf(name);
        return { name, kind, waiting: countWaiting(name), sentAt, fault };
      }),
    test: async (name) => {
      const channel = settings()?.channels.find((each) => each.name === name);
      if (channel === undefined) throw new RangeError(`there is no channel "${name}"`);
      await deps.send(
        channel,
        deps.describe(createTestIncident(now()), { channel: name, type: 'test' }, createId()),
      );
    },
    storeState: () => storeState,
    settle,
    close: async () => {
      await settle();
      if (isLeading && book !== savedBook) await save();
      await store.close();
    },
  };

  async function settle(): Promise<void> {
    await delivery.settle();
    await saving;
  }

  /** Finds out whether this portal leads. Returns whether the store had more than this portal knew. */
  async function lead(): Promise<boolean> {
    const { adopt, takes, ...found } = await store.lead();
    ({ isLeading } = found);
    if (adopt) {
      book = { ...adopt(book) };
      if (isLeading) deps.onAdopt(listOpen());
    }
    for (const take of takes) book = noteTake(book, take, now());
    return adopt !== undefined || takes.length > 0;
  }

  /** Returns whether something has happened that must not be forgotten. */
  function followOnce(): boolean {
    const before = book;
    const sightings = [...observe(), ...seeChannels()];
    const look = { sightings, now: now(), calmMs: deps.calmMs(), createId };
    const followed = followConditions(book.incidents, memory, look);
    ({ memory } = followed);
    const outbox: Outgoing[] = [];
    const incidents = followed.incidents.map((incident) => tell(keep(incident), outbox));
    const hasTold = incidents.some((incident, index) => incident !== followed.incidents[index]);
    if (followed.hasNews || hasTold) book = { incidents, outbox: bound([...book.outbox, ...outbox]) };
    book = forgetOld(book, now());
    return isNews(before, book);
  }

  function tell(incident: KeptIncident, outbox: Outgoing[]): KeptIncident {
    const alerts = settings();
    if (alerts === undefined) return incident;
    const options = { settings: alerts, isSilenced: deps.isSilenced(incident), now: now() };
    const { incident: told, choices } = chooseMessages(incident, options);
    let { messages } = told;
    for (const choice of choices) {
      messages += 1;
      const message = deps.describe(told, choice, `${told.id}-${messages}`);
      outbox.push({ channel: choice.channel, message, tries: 0, nextAt: now() });
    }
    return messages === told.messages ? told : { ...told, messages };
  }

  function bound(outbox: readonly Outgoing[]): readonly Outgoing[] {
    const names = (settings()?.channels ?? []).map(({ name }) => name);
    const { kept, dropped } = boundOutbox(outbox, names);
    for (const { channel, message } of dropped)
      log.error({ channel, id: message.id }, 'message dropped: its channel is gone, or too many wait for it');
    return kept;
  }

  function noteDelivered(delivered: Delivered): void {
    const { outgoing, kind } = delivered;
    const { channel, message } = outgoing;
    deps.onMessage(channel, kind);
    book = noteOutcome(book, delivered, now());
    if (kind === 'sent') log.info({ channel, message: message.id, type: message.type }, 'message sent');
    else {
      const { fault } = delivery.stateOf(channel);
      const reason = fault === null ? '' : describeDetail(fault, 'en');
      log.warn({ channel, message: message.id, fault: reason, tries: outgoing.tries + 1 }, `message ${kind}`);
    }
    void save();
  }

  function seeChannels(): readonly Sighting[] {
    return (settings()?.channels ?? []).flatMap(({ name }): Sighting[] => {
      const { failures, failingSince, fault } = delivery.stateOf(name);
      if (failures < FAILURES_THAT_COUNT || failingSince === undefined || fault === null) return [];
      return [
        {
          cause: `channel/${name}`,
          kind: 'channel-failing',
          severity: 'medium',
          subject: name,
          affected: [],
          detail: fault,
          since: failingSince,
          visitors: 0,
          isSure: true,
        },
      ];
    });
  }

  function countWaiting(name: string): number {
    return book.outbox.filter(({ channel }) => channel === name).length;
  }

  function tellOpen(): void {
    deps.onOpen(listOpen());
  }

  function listOpen(): readonly KeptIncident[] {
    return book.incidents.filter(({ endedAt }) => endedAt === null);
  }

  /** One after the other. If it fails, everything goes on in memory. */
  function save(): Promise<void> {
    saving = inTurn(async () => {
      const current = book;
      if (current === savedBook) return;
      try {
        const message = 'the incidents were not written in time';
        if (!(await withDeadline(store.save(current), SAVE_LIMIT_MS, message))) {
          isLeading = false;
          return;
        }
        savedBook = current;
        if (!storeState.isUp) log.info('the incidents are kept again');
        noteStore(true);
      } catch (error) {
        if (storeState.isUp) log.error({ err: error }, 'the incidents cannot be kept for now');
        noteStore(false);
      }
      savedAt = now();
      isUrgent = false;
    });
    return saving;
  }

  function noteStore(isUp: boolean): void {
    if (isUp !== storeState.isUp) storeState = { isUp, since: now() };
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

function keep(incident: KeptIncident | Incident): KeptIncident {
  return 'told' in incident ? incident : { ...incident, told: {}, messages: 0 };
}

function compareForList(one: Incident, other: Incident): number {
  return Number(one.endedAt !== null) - Number(other.endedAt !== null) || other.startedAt - one.startedAt;
}

function createId(): string {
  return randomBytes(9).toString('base64url');
}

/** What a test message is about. */
export function createTestIncident(now: number): Incident {
  return {
    id: 'test',
    cause: 'test',
    kind: 'line-down',
    severity: 'low',
    subject: 'line.example',
    affected: [],
    detail: { kind: 'test' },
    visitors: 0,
    startedAt: now,
    endedAt: null,
    takenBy: null,
    timeline: [],
  };
}
