import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { IntakeMessage, Segment } from '../../src/contract/intake-message.ts';
import { encodeFrame } from '../../src/server/recordings/frames.ts';
import { createFileStore } from '../../src/server/recordings/recording-store.ts';
import { makeSession } from './make-messages.ts';

const DAY_MS = 86_400_000;
const ORIGIN = { country: 'SG', network: 'SG/AS64500', browser: 'Chrome 131' };

/** Fills a data folder with sessions of the last ten days, of about this many bytes each. */
export async function fillStore(
  dataDir: string,
  { sessions, bytes, segments }: { sessions: number; bytes: number; segments: readonly Segment['events'][] },
): Promise<void> {
  const store = createFileStore({ dir: join(dataDir, 'recordings') });
  const now = Date.now();
  for (let session = 0; session < sessions; session += 1) {
    const at = now - (session % 10) * DAY_MS - session;
    const day = new Date(at).toISOString().slice(0, 10);
    const messages = await makeSession(segments, at);
    const frames: Buffer[] = [];
    // The same messages over and over, as further segments, until the file is as large as it should be.
    for (let size = 0, round = 0; size < bytes; round += 1) {
      for (const { body } of messages) {
        const frame = makeFrame(body, at, round * segments.length);
        frames.push(frame);
        size += frame.length;
      }
    }
    await store.append({ day, session: messages[0]?.session ?? '' }, Buffer.concat(frames));
  }
}

function makeFrame(body: Buffer, at: number, offset: number): Buffer {
  const isPacked = body[0] === 0x1f;
  const message = JSON.parse(String(isPacked ? gunzipSync(body) : body)) as IntakeMessage; // We made it.
  const { view } = message;
  const label =
    message.kind === 'segment'
      ? { view, at, number: message.number + offset }
      : { view, at, revision: message.revision + offset, origin: ORIGIN };
  return encodeFrame({ label, packed: isPacked ? body : gzipSync(body) });
}
