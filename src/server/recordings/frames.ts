import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { INTAKE_MESSAGE_BYTES } from '../../contract/limits.ts';

/**
 * How messages lie in a file, one after the other:
 *
 *     4 bytes   how long the rest is, after the checksum
 *     4 bytes   CRC-32 of the rest
 *     2 bytes   how long the label is
 *     …         the label, as JSON
 *     …         the message, gzipped
 *
 * A process that is killed while it writes leaves a frame that is too short, or whose checksum is wrong. All before it
 * is whole.
 */
export type Frame = { readonly label: FrameLabel; readonly packed: Buffer };

/** What must be known of a message without unpacking it. */
export type FrameLabel = SegmentLabel | RecordLabel;

type CommonLabel = {
  readonly view: string;
  /** When it arrived, in ms since 1970. */
  readonly at: number;
};
export type SegmentLabel = CommonLabel & { readonly number: number };
export type RecordLabel = CommonLabel & { readonly revision: number; readonly origin: Origin };

/** What only the server knows of a visitor. Empty where it does not. Never an address. */
export type Origin = {
  /** Two letters. */
  readonly country: string;
  /** An area, such as "GB/AS2856" or "/198.51". */
  readonly network: string;
  /** Such as "Chrome 131". */
  readonly browser: string;
};

/** A frame, and where in its file it starts and ends. */
export type PlacedFrame = Frame & { readonly start: number; readonly end: number };

const HEAD_BYTES = 8;
const LABEL_LENGTH_BYTES = 2;
const MAX_LABEL_BYTES = 1_024;
const MAX_REST_BYTES = LABEL_LENGTH_BYTES + MAX_LABEL_BYTES + 2 * INTAKE_MESSAGE_BYTES;

export function encodeFrame({ label, packed }: Frame): Buffer {
  const labelBytes = Buffer.from(JSON.stringify(label));
  const head = Buffer.alloc(HEAD_BYTES + LABEL_LENGTH_BYTES);
  head.writeUInt16LE(labelBytes.length, HEAD_BYTES);
  const frame = Buffer.concat([head, labelBytes, packed]);
  const rest = frame.subarray(HEAD_BYTES);
  frame.writeUInt32LE(rest.length, 0);
  frame.writeUInt32LE(crc32(rest), 4);
  return frame;
}

/** Reads the whole frames from the start of a file. It ends at the first one that is not whole. */
export async function* readFrames(file: FileHandle): AsyncGenerator<PlacedFrame> {
  const head = Buffer.alloc(HEAD_BYTES);
  for (let start = 0; ;) {
    if (!(await fill(file, head, start))) return;
    const length = head.readUInt32LE(0);
    if (length < LABEL_LENGTH_BYTES || length > MAX_REST_BYTES) return;
    const rest = Buffer.alloc(length);
    if (!(await fill(file, rest, start + HEAD_BYTES)) || crc32(rest) !== head.readUInt32LE(4)) return;
    const packedFrom = LABEL_LENGTH_BYTES + rest.readUInt16LE(0);
    const label = JSON.parse(rest.toString('utf8', LABEL_LENGTH_BYTES, packedFrom)) as FrameLabel; // We wrote it.
    const end = start + HEAD_BYTES + length;
    yield { label, packed: rest.subarray(packedFrom), start, end };
    start = end;
  }
}

/** False if the file ends before the buffer is full. */
async function fill(file: FileHandle, buffer: Buffer, position: number): Promise<boolean> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) return false;
    filled += bytesRead;
  }
  return true;
}
