import type { Condition, Incident } from '../../contract/incidents.ts';

/** Why a message is sent. */
export type MessageType =
  | 'opened'
  | 'changed'
  | 'eased'
  | 'returned'
  | 'reminder'
  | 'escalated'
  | 'resolved'
  | 'test'
  /** How often visitors got in. Only mails. */
  | 'report';

/** What a channel sends. It is made once: a message that is sent again is the same, with the same id. */
export type Message = Pick<Condition, 'kind' | 'severity' | 'subject' | 'affected' | 'visitors'> & {
  /** Of this message. A second message with the same id may be ignored. */
  readonly id: string;
  readonly type: MessageType;
  readonly at: number;
  /** The brand's name. */
  readonly site: string;
  /** One line for a person. */
  readonly title: string;
  /** Some lines for a person. */
  readonly text: string;
  /** What the server saw, in English. The title and the text are in the language of the site's operator. */
  readonly detail: string;
  /** The lines that are wrong now, if it is about lines. */
  readonly lines: readonly string[];
  /** Where the console shows the incident. Empty if `console.url` is not set. */
  readonly url: string;
  /** The id of the incident. */
  readonly incident: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
};

/** A message that waits for its channel. */
export type Outgoing = {
  readonly channel: string;
  readonly message: Message;
  readonly tries: number;
  /** When it is tried next. */
  readonly nextAt: number;
};

/** What a channel was last told of an incident. */
export type Told = {
  /** What the incident was then, see `stageOf`. */
  readonly stage: string;
  readonly at: number;
  /** When it was first told. */
  readonly since?: number;
  /** True once the end was told, or need not be. */
  readonly isOver: boolean;
};

/** An incident, and who was told of it. */
export type KeptIncident = Incident & {
  /** By the name of the channel. */
  readonly told: Readonly<Record<string, Told>>;
  /** How many messages were made of it: the next one gets the next number. */
  readonly messages: number;
};

/** Cuts a text after whole characters. What is left has at most this many bytes, and a sign of three bytes follows it. */
export function cutText(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return read < text.length ? `${text.slice(0, read)}…` : text;
}

/** Cuts a text to at most this number of UTF-16 units, by which others count. Half a character would be refused, so none is left. */
export function cutUnits(text: string, maxUnits: number): string {
  return text.slice(0, maxUnits).replaceAll(/\p{Surrogate}/gu, '');
}
