import { setTimeout as wait } from 'node:timers/promises';
import { prepareVersion } from '../publish-version.ts';

const EVERY_MS = 60_000;

export type Publishing = { versions: number; readonly errors: string[] };

/** Publishes a version each minute, on each portal in turn, until it is told to stop. */
export async function keepPublishing(opsUrls: readonly string[], signal: AbortSignal): Promise<Publishing> {
  const publishing: Publishing = { versions: 0, errors: [] };
  while (!signal.aborted) {
    const opsUrl = opsUrls[publishing.versions % opsUrls.length] ?? '';
    try {
      const publish = await prepareVersion(opsUrl, `Brand ${publishing.versions + 1}`);
      await publish();
      publishing.versions += 1;
    } catch (error) {
      publishing.errors.push(String(error));
    }
    await wait(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return publishing;
}
