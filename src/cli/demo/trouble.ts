/** How visitors of a network reach a line. */
export type Passage = { readonly isBlocked: boolean; readonly extraMs: number };

const MINUTE_MS = 60_000;
/** Troubles last this long. Each pair of network and line has its own. */
const SPELL_MINUTES = 4;
const BLOCKED_PART = 0.07;
const SLOW_PART = 0.1;
const SLOW_MS = 700;
const FARTHEST_MS = 160;
/** Once in this many minutes, one line is down for everybody for one minute. */
const OUTAGE_EVERY_MINUTES = 6;

/**
 * Decides whether a network's way to a line is blocked or slow. It depends on the time alone, so all visitors of a
 * network see the same.
 */
export function findPassage(network: string, host: string, now: number): Passage {
  const spell = Math.floor(now / MINUTE_MS / SPELL_MINUTES);
  const luck = drawFrom(`${network} ${host} ${spell}`);
  const distanceMs = Math.round(drawFrom(network) * FARTHEST_MS);
  return {
    isBlocked: luck < BLOCKED_PART,
    extraMs: distanceMs + (luck > 1 - SLOW_PART ? SLOW_MS : 0),
  };
}

/** Finds the line that is down for everybody now, if any. */
export function findOutage(hosts: readonly string[], now: number): string | undefined {
  const minute = Math.floor(now / MINUTE_MS);
  if (minute % OUTAGE_EVERY_MINUTES !== OUTAGE_EVERY_MINUTES - 1) return undefined;
  return hosts[Math.floor(minute / OUTAGE_EVERY_MINUTES) % hosts.length];
}

/** Hashes a text to a number from 0 to 1 (FNV-1a with a final mix). */
function drawFrom(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
