import type { Closing } from '../../contract/api/closing.ts';
import { STAY_HEADER, TICKET_HEADER } from '../../contract/api/headers.ts';
import type { HostEntry } from '../../contract/api/host-entry.ts';
import { SECOND_BATCH_AFTER_MS, SPEED_CHECK_TIMEOUT_MS, STAY_PATIENCE_MS } from '../../contract/limits.ts';
import { type StayRules, readStayRules } from '../../contract/line/stay-rules.ts';
import type { Effects } from '../effects/effects.ts';
import { abortAfter, linkAbort } from '../effects/link-abort.ts';
import { wait } from '../effects/wait.ts';
import { type Line, buildLine } from '../line/build-line.ts';
import type { Report } from '../portal/create-report.ts';
import { fetchHostnames } from '../portal/fetch-hostnames.ts';
import { uniqueLines } from '../probe/create-prober.ts';
import { type Probe, probeLine } from '../probe/probe-line.ts';
import { startRace } from '../probe/start-race.ts';

/** The other lines for a visitor of this one, and how to know them. */
export type Siblings = { readonly hosts: readonly HostEntry[]; readonly rules: StayRules };

export type FoundSibling =
  /** The visitor's own line is lost, and this one has proven to be of the brand. */
  | { readonly kind: 'found'; readonly line: Line }
  /** The own line answers validly, or nobody does: the visitor stays. */
  | { readonly kind: 'none' | Closing };

export type FindSiblingSettings = Pick<Effects, 'fetch' | 'now' | 'random' | 'setTimer'> & {
  /** Scheme, host and port of the line that the visitor is in. */
  readonly own: string;
  /** The siblings that the browser keeps, if it keeps some. */
  readonly kept: Siblings | undefined;
  /** Sends a request to the portal. */
  readonly fetchPortal: Effects['fetch'];
  readonly report: Report;
  /** Days since 1970-01-01 UTC. */
  readonly today: number;
  readonly signal: AbortSignal;
};

/**
 * Looks for another line for a visitor whose own one seems lost: asks the own line for a speed check, races the siblings by the
 * rules of `/r`, and asks the portal for fresh ones, all at the same time.
 */
export async function findSibling(settings: FindSiblingSettings): Promise<FoundSibling> {
  const { kept, setTimer } = settings;
  const search = linkAbort(settings.signal);
  const asked = askForSiblings(settings.fetchPortal, setTimer, search.signal);
  try {
    const known = kept ?? (await asked);
    if (!known || typeof known === 'string') return { kind: known ?? 'none' };
    return await raceSiblings(known, asked, { ...settings, signal: search.signal });
  } finally {
    // The portal may still refuse this visitor, so its call goes on for a little longer.
    void Promise.race([asked, wait(STAY_PATIENCE_MS, search.signal, setTimer)]).then(() => search.abort());
  }
}

async function raceSiblings(
  known: Siblings,
  asked: ReturnType<typeof askForSiblings>,
  settings: FindSiblingSettings,
): Promise<FoundSibling> {
  const { own, report, setTimer } = settings;
  const all = linkAbort(settings.signal);
  const ownLine: Line = { host: own, address: own };
  // Not part of the race: it goes on when a sibling has won.
  const isOwnValid = probe(ownLine, all.signal).verdict.then((verdict) => typeof verdict === 'number');
  const race = startRace({ probe, cache: { get: () => undefined } }, all.signal);
  const pause = (delayMs: number) => wait(delayMs, race.signal, setTimer);

  function probe(line: Line, signal: AbortSignal): Probe {
    const sent = probeLine(line, { ...settings, ...known.rules, watchTiming: noTiming }, signal);
    report.note(line.host, sent.result);
    return sent;
  }

  async function raceFresh(): Promise<void> {
    const fresh = await asked;
    if (!fresh || typeof fresh === 'string') return;
    const lines = buildLines(fresh, settings);
    const backups = buildBackups(fresh, settings);
    report.open(fresh.ticket, [...lines, ...backups, ownLine]);
    await race.add(uniqueLines(lines));
    await race.add(uniqueLines(backups));
  }

  async function raceAll(): Promise<void> {
    const listed = race.add(uniqueLines(buildLines(known, settings)));
    const fresh = raceFresh();
    // If the kept ones have all failed, there is nothing to wait for.
    await Promise.race([listed, pause(SECOND_BATCH_AFTER_MS)]);
    await race.add(uniqueLines(buildBackups(known, settings)));
    await Promise.all([listed, fresh]);
  }

  try {
    const isOwn = isOwnValid.then((isValid) => isValid || never());
    // A race that is won ends the pause, although the portal may be silent.
    await Promise.race([raceAll(), pause(2 * SPEED_CHECK_TIMEOUT_MS), isOwn]);
    const line = race.winner();
    if (!line) return { kind: 'none' };
    const patience = wait(STAY_PATIENCE_MS, all.signal, setTimer);
    const [isThere, answer] = await Promise.all([
      Promise.race([isOwnValid, patience]),
      Promise.race([asked, isOwn, patience]),
    ]);
    if (isThere) return { kind: 'none' };
    return typeof answer === 'string' ? { kind: answer } : { kind: 'found', line };
  } finally {
    all.abort();
  }
}

/** Asks the portal for siblings. A reason if the site is closed for this visitor, undefined if there is no answer. */
export async function askForSiblings(
  fetchPortal: Effects['fetch'],
  setTimer: Effects['setTimer'],
  signal: AbortSignal,
): Promise<(Siblings & { readonly ticket: string | null | undefined }) | Closing | undefined> {
  const limit = abortAfter(SPEED_CHECK_TIMEOUT_MS, signal, setTimer);
  const answer = await fetchHostnames(undefined, limit.signal, { fetch: fetchPortal, setTimer });
  limit.abort();
  if (answer.kind !== 'listed') return answer.kind;
  const { hosts, headers } = answer;
  const rules = readStayRules(headers?.get(STAY_HEADER));
  return rules && { hosts, rules, ticket: headers?.get(TICKET_HEADER) };
}

function buildLines(
  { hosts, rules }: Siblings,
  { own, random, today }: FindSiblingSettings,
): readonly (Line | undefined)[] {
  return hosts.map((entry) => {
    const line = buildLine(entry, { ports: rules.ports, random, today });
    // Nobody is moved from https to http.
    return 'address' in line && (line.address.startsWith('https:') || own.startsWith('http:'))
      ? line
      : undefined;
  });
}

function buildBackups({ rules }: Siblings, settings: FindSiblingSettings): readonly (Line | undefined)[] {
  return buildLines({ rules, hosts: rules.fallback.map((host) => ({ host })) }, settings);
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** A worker measures no time that anybody sees. */
export const noTiming = () => ({ read: () => Promise.resolve(undefined), stop: () => undefined });
