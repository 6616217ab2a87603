import type { ChannelAnswer, ConsoleChannel } from '../../contract/incidents.ts';
import type { AlertChannel } from '../../contract/site/alert-settings.ts';
import { HOUR_MS, MINUTE_MS } from '../../contract/time-units.ts';
import { DeadlineError, withDeadline } from '../process/with-deadline.ts';
import type { Message, Outgoing } from './message.ts';
import { MessageError, readChannelFault } from './reach-safely.ts';

/** Sends a message by a channel. Rejects, with a reason for a person, if the channel did not take it. The answer has words only for a test. */
export type SendMessage = (channel: AlertChannel, message: Message) => Promise<ChannelAnswer>;

export type DeliveryDeps = {
  readonly send: SendMessage;
  readonly now: () => number;
  /** A try that takes longer is given up. */
  readonly deadlineMs?: number;
};

/** What became of a message. */
export type Delivered =
  | { readonly kind: 'sent'; readonly outgoing: Outgoing }
  /** It is tried again. */
  | { readonly kind: 'postponed'; readonly outgoing: Outgoing; readonly next: Outgoing }
  /** It was tried for an hour. */
  | { readonly kind: 'given-up'; readonly outgoing: Outgoing };

export type Handling = {
  /** Asked right before a message is sent. False if it is not to be sent now. Never rejects. */
  readonly claim: (outgoing: Outgoing) => Promise<boolean>;
  readonly onDelivered: (delivered: Delivered) => void;
};

export type ChannelState = Pick<ConsoleChannel, 'sentAt' | 'fault'> & {
  /** Failures since the last success. */
  readonly failures: number;
  /** Since when it fails. */
  readonly failingSince: number | undefined;
};

export type Delivery = {
  /** Starts to send what is due: one message at a time for each channel, in their order. Never waits for a channel. */
  readonly sendDue: (
    outbox: readonly Outgoing[],
    channels: readonly AlertChannel[],
    handling: Handling,
  ) => void;
  /** Sends a message at once, apart from those that wait. Rejects if the channel did not take it in time. */
  readonly sendNow: SendMessage;
  readonly stateOf: (channel: string) => ChannelState;
  /** Forgets the states of all channels: another portal sends now. */
  readonly forgetStates: () => void;
  /** Resolves when nothing is under way. */
  readonly settle: () => Promise<void>;
};

const DEADLINE_MS = 15_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
const GIVE_UP_AFTER_MS = HOUR_MS;
const FRESH: ChannelState = { sentAt: null, fault: null, failures: 0, failingSince: undefined };

export function createDelivery({ send, now, deadlineMs = DEADLINE_MS }: DeliveryDeps): Delivery {
  const states = new Map<string, ChannelState>();
  const busy = new Map<string, Promise<void>>();

  return {
    sendDue: (outbox, channels, handling) => {
      for (const channel of channels) {
        if (busy.has(channel.name)) continue;
        // The first one waits for its time, and those after it wait for the first one.
        const first = outbox.find((outgoing) => outgoing.channel === channel.name);
        if (first === undefined || isEarly(first)) continue;
        busy.set(channel.name, attempt(channel, first, handling));
      }
    },
    sendNow,
    stateOf: (channel) => states.get(channel) ?? FRESH,
    forgetStates: () => states.clear(),
    settle: async () => void (await Promise.all(busy.values())),
  };

  function isEarly({ nextAt }: Outgoing): boolean {
    const waitMs = nextAt - now();
    // If the clock was set back, the wait would be longer than any pause.
    return waitMs > 0 && waitMs <= LONGEST_PAUSE_MS;
  }

  async function attempt(
    channel: AlertChannel,
    outgoing: Outgoing,
    { claim, onDelivered }: Handling,
  ): Promise<void> {
    const { name } = channel;
    if (!(await claim(outgoing))) {
      busy.delete(name);
      return;
    }
    const fault = await sendNow(channel, outgoing.message).then(() => undefined, readChannelFault);
    busy.delete(name);
    if (fault === undefined) {
      states.set(name, { ...FRESH, sentAt: now() });
      return onDelivered({ kind: 'sent', outgoing });
    }
    const { sentAt, failures, failingSince = now() } = states.get(name) ?? FRESH;
    states.set(name, { sentAt, fault, failures: failures + 1, failingSince });
    onDelivered(postpone(outgoing));
  }

  async function sendNow(channel: AlertChannel, message: Message): Promise<ChannelAnswer> {
    try {
      return await withDeadline(send(channel, message), deadlineMs, `the channel ${channel.name} is late`);
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error;
      throw new MessageError({ kind: 'channel-late', seconds: deadlineMs / 1_000 }, { cause: error });
    }
  }

  function postpone(outgoing: Outgoing): Delivered {
    const tries = outgoing.tries + 1;
    const nextAt = now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
    const isOver = nextAt - outgoing.message.at > GIVE_UP_AFTER_MS;
    return isOver
      ? { kind: 'given-up', outgoing }
      : { kind: 'postponed', outgoing, next: { ...outgoing, tries, nextAt } };
  }
}
