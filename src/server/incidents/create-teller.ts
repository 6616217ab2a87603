import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { describeDetail } from '../../contract/describe-detail.ts';
import {
  type ChannelAnswer,
  type ConsoleChannel,
  type Incident,
  listLasting,
} from '../../contract/incidents.ts';
import type { AlertChannel, AlertSettings } from '../../contract/site/alert-settings.ts';
import { type Choice, chooseMessages } from '../messages/choose-messages.ts';
import { createTestIncident } from '../messages/describe-message.ts';
import {
  type Delivered,
  type Handling,
  type SendMessage,
  createDelivery,
} from '../messages/create-delivery.ts';
import type { KeptIncident, Message, Outgoing } from '../messages/message.ts';
import type { Sighting } from './follow-conditions.ts';
import { boundOutbox } from './incident-book.ts';

export type TellerDeps = {
  /** Undefined where nobody is to be told. */
  readonly settings: () => Pick<AlertSettings, 'channels' | 'rules' | 'onCall'> | undefined;
  /** True during the maintenance of all lines that these causes are about, or of the site. */
  readonly isSilenced: (causes: readonly string[]) => boolean;
  readonly describe: (incident: Incident, choice: Choice, id: string) => Message;
  readonly send: SendMessage;
  readonly onMessage: (channel: string, verdict: Delivered['kind']) => void;
  readonly log: Logger;
  readonly now: () => number;
};

export type Teller = {
  /** Writes the messages that are due now about an incident, and notes in it who is told. */
  readonly tell: (
    incident: KeptIncident,
    isUnsettled: boolean,
  ) => {
    readonly incident: KeptIncident;
    readonly messages: readonly Outgoing[];
  };
  /** Drops the messages that need not wait any longer: their channel is gone, or too many wait for it. */
  readonly bound: (outbox: readonly Outgoing[]) => readonly Outgoing[];
  /** Starts to send what is due, and waits for no channel. */
  readonly sendDue: (outbox: readonly Outgoing[], handling: Handling) => void;
  /** Channels that fail are incidents, too. */
  readonly observe: () => readonly Sighting[];
  /** Forgets which channels fail: another portal sends now. */
  readonly forgetChannels: () => void;
  readonly listChannels: (outbox: readonly Outgoing[]) => readonly ConsoleChannel[];
  /** Sends a test by a channel of the site. Rejects, with a reason for a person, if it did not take it. */
  readonly test: (channel: string) => Promise<ChannelAnswer>;
  /** Sends a test by a channel that need not be part of the site. */
  readonly testBy: (channel: AlertChannel) => Promise<ChannelAnswer>;
  /** Resolves when nothing is being sent. */
  readonly settle: () => Promise<void>;
};

/** A channel that has failed three times in a row is itself an incident. */
const FAILURES_THAT_COUNT = 3;

/** Tells of incidents, by the channels and the rules of the site. What waits to be sent is kept elsewhere. */
export function createTeller(deps: TellerDeps): Teller {
  const { settings, describe, isSilenced, send, onMessage, log, now } = deps;
  const delivery = createDelivery({ send, now });
  const channels = () => settings()?.channels ?? [];

  return {
    tell: (incident, isUnsettled) => {
      const alerts = settings();
      if (alerts === undefined) return { incident, messages: [] };
      const isQuiet = isSilenced(listLasting(incident).map(({ cause }) => cause));
      const options = { settings: alerts, isSilenced: isQuiet, isUnsettled, now: now() };
      const { incident: told, choices } = chooseMessages(incident, options);
      if (choices.length === 0) return { incident: told, messages: [] };
      const messages = choices.map((choice, index): Outgoing => {
        // Portals that tell alone make the same id of the same message.
        const id = `${told.id}-${told.messages + index + 1}-${choice.type}`;
        return { channel: choice.channel, message: describe(told, choice, id), tries: 0, nextAt: now() };
      });
      return { incident: { ...told, messages: told.messages + messages.length }, messages };
    },
    bound: (outbox) => {
      const names = channels().map(({ name }) => name);
      const { kept, dropped } = boundOutbox(outbox, names);
      for (const { channel, message } of dropped)
        log.error(
          { channel, id: message.id },
          'message dropped: its channel was removed, or over 200 messages wait for it',
        );
      return kept;
    },
    sendDue: (outbox, { claim, onDelivered }) =>
      delivery.sendDue(outbox, channels(), {
        claim,
        onDelivered: (delivered) => {
          onMessage(delivered.outgoing.channel, delivered.kind);
          logDelivered(delivered);
          onDelivered(delivered);
        },
      }),
    observe: () =>
      channels().flatMap(({ name }): Sighting[] => {
        const { sentAt, failures, failingSince = now(), fault } = delivery.stateOf(name);
        const isSure = failures >= FAILURES_THAT_COUNT;
        // A channel that failed before a restart still fails, as far as anybody knows, until it takes a message.
        if (!isSure && sentAt !== null) return [];
        return [{ ...seeFailingChannel(name, failingSince, fault ?? { kind: 'text', text: '' }), isSure }];
      }),
    forgetChannels: delivery.forgetStates,
    listChannels: (outbox) =>
      channels().map(({ name, kind }) => {
        const { sentAt, fault } = delivery.stateOf(name);
        const waiting = outbox.filter(({ channel }) => channel === name).length;
        return { name, kind, waiting, sentAt, fault };
      }),
    test: async (name) => {
      const channel = channels().find((each) => each.name === name);
      if (channel === undefined) throw new RangeError(`there is no channel "${name}"`);
      return testBy(channel);
    },
    testBy,
    settle: delivery.settle,
  };

  async function testBy(channel: AlertChannel): Promise<ChannelAnswer> {
    const choice = { channel: channel.name, type: 'test' } as const;
    return delivery.sendNow(channel, describe(createTestIncident(now()), choice, randomUUID()));
  }

  function logDelivered({ outgoing, kind }: Delivered): void {
    const { channel, message, tries } = outgoing;
    if (kind === 'sent')
      return log.info({ channel, message: message.id, type: message.type }, 'message sent');
    const { fault } = delivery.stateOf(channel);
    const reason = fault === null ? '' : describeDetail(fault, 'en');
    log.warn(
      { channel, message: message.id, fault: reason, tries: tries + 1 },
      `message ${kind === 'given-up' ? 'given up after an hour' : kind}`,
    );
  }
}

function seeFailingChannel(
  name: string,
  since: number,
  detail: Sighting['detail'],
): Omit<Sighting, 'isSure'> {
  return {
    cause: `channel/${name}`,
    kind: 'channel-failing',
    severity: 'medium',
    subject: name,
    affected: [],
    detail,
    since,
    visitors: 0,
  };
}
