import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { type IntakeMessage, intakeMessageSchema, segmentSchema } from '../../contract/intake-message.ts';
import {
  INTAKE_MAX_RATIO,
  INTAKE_MESSAGE_BYTES,
  INTAKE_RECORD_BYTES,
  REPLAY_SEGMENT_BYTES,
} from '../../contract/limits.ts';
import { writeWithoutQueries } from '../../contract/without-queries.ts';
import { readCode } from '../../contract/read-code.ts';

/** A message that keeps the contract, and its bytes, compressed. Neither holds the query or the fragment of an address. */
export type ReadMessage = { readonly message: IntakeMessage; readonly packed: Buffer };

/** Why a message is refused. */
export type MessageFault = 'message-too-large' | 'message-invalid';

/** The most bytes of a segment with several events: the events, and the few words around them. */
const MAX_DIVIDED_BYTES = REPLAY_SEGMENT_BYTES + 1_024;
/** zlib allows no smaller chunk. */
const MIN_CHUNK_BYTES = 64;
/** RFC 1952. */
const GZIP_START = Buffer.from([0x1f, 0x8b]);

/**
 * Reads what a page has posted: JSON, plain or gzipped. The body has at most `INTAKE_MESSAGE_BYTES`. At once, and not in Node's
 * threads: there are four of them, and a disk that hangs may hold them all.
 */
export function readMessage(body: Buffer): ReadMessage | MessageFault {
  const isPacked = body.subarray(0, 2).equals(GZIP_START);
  const bytes = isPacked ? unpackMessage(body) : body;
  if (typeof bytes === 'string') return bytes;
  const parsed = parseMessage(bytes.toString());
  if (typeof parsed === 'string') return parsed;
  const { message, isAsSent, json } = parsed;
  // Segments come compressed. A page that is being left sends what is open as it is.
  return { message, packed: isPacked && isAsSent ? body : gzipSync(json) };
}

/** Unpacks piece by piece, and stops at the bound: nobody makes the server unpack more than it would keep. */
function unpackMessage(packed: Buffer): Buffer | MessageFault {
  const maxOutputLength = Math.min(INTAKE_MESSAGE_BYTES, INTAKE_MAX_RATIO * packed.length);
  try {
    return gunzipSync(packed, { maxOutputLength, chunkSize: findChunkSize(packed, maxOutputLength) });
  } catch (error) {
    return readCode(error) === 'ERR_BUFFER_TOO_LARGE' ? 'message-too-large' : 'message-invalid';
  }
}

/** One chunk for the whole message, if it is as long as its last four bytes say (RFC 1952). That is one allocation instead of four. */
function findChunkSize(packed: Buffer, most: number): number {
  const told = packed.length < 4 ? 0 : packed.readUInt32LE(packed.length - 4);
  return Math.min(Math.max(told + 1, MIN_CHUNK_BYTES), most + 1);
}

type ParsedMessage = {
  readonly message: IntakeMessage;
  /** As it is kept. */
  readonly json: string;
  readonly isAsSent: boolean;
};

function parseMessage(sent: string): ParsedMessage | MessageFault {
  try {
    const given: unknown = JSON.parse(sent);
    // Before the schema, which would look at each of a hundred thousand items.
    if (isTooLarge(given, Buffer.byteLength(sent))) return 'message-too-large';
    const json = writeWithoutQueries(given);
    const isAsSent = json === sent;
    const kept: unknown = isAsSent ? given : JSON.parse(json);
    const { success, output } = v.safeParse(intakeMessageSchema, kept, { abortEarly: true });
    if (!success) return 'message-invalid';
    return hasTooLargeEvents(output, json) ? 'message-too-large' : { message: output, json, isAsSent };
  } catch {
    return 'message-invalid'; // Not JSON, or nested so deeply that it cannot be written again.
  }
}

function isTooLarge(given: unknown, bytes: number): boolean {
  const { kind, events } = Object(given) as { readonly kind?: unknown; readonly events?: unknown };
  if (kind === 'session') return bytes > INTAKE_RECORD_BYTES;
  return bytes > MAX_DIVIDED_BYTES && Array.isArray(events) && events.length > 1;
}

/** A segment with a single event may be larger than others: the page could not divide it. */
function hasTooLargeEvents(message: IntakeMessage, json: string): boolean {
  if (message.kind === 'session' || message.events.length === 1) return false;
  // The events are a part of it.
  if (Buffer.byteLength(json) <= REPLAY_SEGMENT_BYTES) return false;
  return Buffer.byteLength(JSON.stringify(message.events)) > REPLAY_SEGMENT_BYTES;
}

/** The events of a segment that was kept, as the inside of a JSON array. Empty if it has another form. */
export function unpackEvents(packed: Uint8Array): string {
  try {
    const json = gunzipSync(packed, { maxOutputLength: INTAKE_MESSAGE_BYTES }).toString();
    const { success, output } = v.safeParse(segmentSchema, JSON.parse(json));
    return success ? JSON.stringify(output.events).slice(1, -1) : '';
  } catch {
    return '';
  }
}
