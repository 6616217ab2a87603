import {
  type Incident,
  SEVERITIES,
  type Severity,
  findLineId,
  isUrgentEnough,
  partsOf,
  ON_CALL,
} from '../../contract/incidents.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import type { AlertRule, AlertSettings } from '../../contract/site/alert-settings.ts';
import { nameWithoutScheme } from '../../contract/site/parse-host.ts';
import { isDuring } from '../site/time-windows.ts';
import type { KeptIncident, MessageType, Told } from './message.ts';

export type Choice = { readonly channel: string; readonly type: Exclude<MessageType, 'report'> };

export type ChooseOptions = {
  readonly settings: Pick<AlertSettings, 'channels' | 'rules' | 'onCall'>;
  /** True during maintenance: nobody is told, until it is over. */
  readonly isSilenced: boolean;
  /** True while more lines may turn out to be down: a first message that waits for them can name all of them. */
  readonly isUnsettled?: boolean;
  readonly now: number;
};

/** A first message waits this long for other lines. */
const GATHER_MS = 15_000;
/** Lines that join an incident are told in one message, when none has joined for a minute. */
const GROWN_MS = MINUTE_MS;
/** That some lines are up again is told after two minutes, because all of them may be up by then. */
const EASED_MS = 2 * MINUTE_MS;

/** Chooses who must be told what of an incident now, and notes it in the incident. */
export function chooseMessages(
  incident: KeptIncident,
  { settings, isSilenced, isUnsettled = false, now }: ChooseOptions,
): { readonly incident: KeptIncident; readonly choices: readonly Choice[] } {
  const choices: Choice[] = [];
  const told = new Map(Object.entries(incident.told));
  const stage = stageOf(incident);
  const noticedAt = incident.timeline[0]?.at ?? now;
  const isGathering = isUnsettled && incident.kind === 'line-down' && Math.abs(now - noticedAt) < GATHER_MS;
  if (incident.endedAt !== null) tellEnd();
  else if (!isSilenced)
    for (const rule of listRules(incident, settings)) {
      if (!isTheTime(rule.hours, now)) continue;
      const to = resolve(rule.to, settings, now);
      tellNow(to, rule);
      for (const step of rule.escalate ?? []) escalate(step, to, rule);
    }
  const isSame =
    choices.length === 0 && [...told].every(([channel, each]) => incident.told[channel] === each);
  return { incident: isSame ? incident : { ...incident, told: Object.fromEntries(told) }, choices };

  function tellNow(to: readonly string[], { remindMinutes }: Pick<AlertRule, 'remindMinutes'>): void {
    for (const channel of to) tell(channel, findType(told.get(channel), remindMinutes));
  }

  function tell(channel: string, type: Choice['type'] | undefined): void {
    if (type === undefined) return;
    const last = told.get(channel);
    choices.push({ channel, type });
    const since = last === undefined || last.isOver ? now : (last.since ?? last.at);
    told.set(channel, { stage, at: now, since, isOver: false });
  }

  /** Others are told if nobody has taken it, and from then on like everybody else. */
  function escalate(
    step: Escalation,
    first: readonly string[],
    rule: Pick<AlertRule, 'remindMinutes'>,
  ): void {
    const since = Math.min(...first.map((channel) => sinceOf(told.get(channel))));
    const isDue = incident.takenBy === null && now - since >= step.afterMinutes * MINUTE_MS;
    for (const channel of resolve(step.to, settings, now)) {
      const last = told.get(channel);
      if (last !== undefined && !last.isOver) tellNow([channel], rule);
      else if (isDue) tell(channel, 'escalated');
    }
  }

  function findType(last: Told | undefined, remindMinutes: number | undefined): Choice['type'] | undefined {
    if (last === undefined) return isGathering ? undefined : 'opened';
    if (last.isOver) return 'returned';
    const change = findChange(incident, last, now);
    if (change !== undefined) return change;
    const isLate = remindMinutes !== undefined && Math.abs(now - last.at) >= remindMinutes * MINUTE_MS;
    return isLate && incident.takenBy === null ? 'reminder' : undefined;
  }

  function tellEnd(): void {
    // Ends are told at any hour: people who were told of the beginning wait for the end.
    // No rule is about an incident that goes on as another one: it has no parts, and has not ended.
    const wanted = new Set(listRules(incident, settings).flatMap((rule) => listToldEnds(rule, settings)));
    for (const [channel, last] of told) {
      if (last.isOver) continue;
      if (wanted.has(channel)) choices.push({ channel, type: 'resolved' });
      told.set(channel, { ...last, isOver: true });
    }
  }
}

/** A channel is told again when this text changes. */
function stageOf({ kind, severity }: Incident): string {
  return `${kind} ${severity}`;
}

/** Whether an incident is worse or better than a channel was told. */
function findChange(incident: Incident, last: Told, now: number): 'changed' | 'eased' | undefined {
  const parts = incident.parts ?? [];
  const changed = parts.filter(({ changedAt }) => changedAt > last.at);
  const calmMs = Math.min(...changed.map(({ changedAt }) => Math.abs(now - changedAt)));
  const before = SEVERITIES.indexOf(last.stage.split(' ')[1] as Severity); // As `stageOf` wrote it.
  const after = SEVERITIES.indexOf(incident.severity);
  const isOther = last.stage !== stageOf(incident);
  // Of two kinds that are equally urgent one is worse, and the timeline says which way it went.
  const turn = incident.timeline.findLast(({ kind }) => kind === 'changed' || kind === 'eased')?.kind;
  const isBetter = after < before || (isOther && after === before && turn === 'eased');
  if (isOther && !isBetter) return 'changed';
  const isFewer = changed.some(({ endedAt }) => endedAt !== null);
  if ((isBetter || isFewer) && calmMs >= EASED_MS) return 'eased';
  // Nobody needs to know which lines are down if hardly anybody gets in.
  const isMore = changed.some(({ endedAt }) => endedAt === null) && incident.severity !== 'critical';
  if (isMore && !isFewer && calmMs >= GROWN_MS) return 'changed';
  // An incident without parts grows by places.
  const grewAt = incident.parts ? undefined : incident.timeline.findLast(({ kind }) => kind === 'grew')?.at;
  const hasGrown = grewAt !== undefined && grewAt > last.at && Math.abs(now - grewAt) >= GROWN_MS;
  return hasGrown ? 'changed' : undefined;
}

/** The rules that are about an incident. */
function listRules(
  incident: Incident,
  { channels, rules }: ChooseOptions['settings'],
): readonly Pick<AlertRule, 'to' | 'escalate' | 'remindMinutes' | 'hours' | 'resolved'>[] {
  const { kind, subject } = incident;
  if (kind === 'channel-failing') {
    // No rule is needed: people who rely on a channel must learn by the other channels that it is silent.
    const to = channels.map(({ name }) => name).filter((name) => name !== subject);
    return [{ to, escalate: undefined, remindMinutes: undefined, hours: undefined, resolved: true }];
  }
  // People who were told of a line are told of its end, too, even if the incident has become another kind since.
  return rules.filter(({ when, severity: needed, lines }) =>
    partsOf(incident).some(
      ({ kind: partKind, severity, cause, subject: host }) =>
        (when === undefined || when.includes(partKind)) &&
        isUrgentEnough(severity, needed) &&
        (findLineId(cause) === undefined || lines.some((pattern) => matches(pattern, host))),
    ),
  );
}

type Escalation = NonNullable<AlertRule['escalate']>[number];

/** Since when a channel has known of an incident. It never did if it was not told, or told of its end. */
function sinceOf(told: Told | undefined): number {
  return told === undefined || told.isOver ? Infinity : (told.since ?? told.at);
}

/** The channels that receivers of a rule stand for. If nobody is on call, everybody who may be is told. */
function resolve(
  to: readonly string[],
  { onCall = [] }: ChooseOptions['settings'],
  now: number,
): readonly string[] {
  const current = onCall.filter((shift) => isDuring(shift, now));
  const shifts = current.length > 0 ? current : onCall;
  return [
    ...new Set(to.flatMap((name) => (name === ON_CALL ? shifts.flatMap((shift) => shift.to) : [name]))),
  ];
}

/** The channels that may be told of the end: those of all shifts, because the shift that was told of the beginning may be over. */
function listToldEnds(
  { resolved, to, escalate = [] }: Pick<AlertRule, 'resolved' | 'to' | 'escalate'>,
  { onCall = [] }: ChooseOptions['settings'],
): readonly string[] {
  if (!resolved) return [];
  return [...to, ...escalate.flatMap((step) => step.to)].flatMap((name) =>
    name === ON_CALL ? onCall.flatMap((shift) => shift.to) : [name],
  );
}

/** Names the people who are on call. */
export function nameOnCall({ onCall = [] }: Pick<AlertSettings, 'onCall'>, now: number): readonly string[] {
  return onCall.filter((shift) => isDuring(shift, now)).map(({ name }) => name);
}

/** Whether a pattern names a host, which has no scheme. The port may be left out. */
function matches(pattern: string, host: string): boolean {
  const wanted = nameWithoutScheme(pattern).replace(/^https?:\/\//, '');
  return [host, host.replace(/:\d{1,5}$/, '')].some((name) => fits(wanted.split('*'), name));
}

/** Whether a text has these parts, in their order. `*` stands between them, for any text. */
function fits([first = '', ...others]: readonly string[], text: string): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let from = first.length;
  for (const part of others) {
    const found = text.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return from <= text.length - last.length;
}

/** Whether it is between two times of the day in a time zone, such as "22:00-08:00 Asia/Singapore". */
export function isTheTime(hours: string | undefined, now: number): boolean {
  if (hours === undefined) return true;
  const [, from = '', until = '', timeZone = ''] = /^(\d\d:\d\d)-(\d\d:\d\d) (\S+)$/.exec(hours) ?? [];
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  const time = format.format(now);
  // From midnight to midnight, or from any time until the same one, is the whole day.
  return from < until ? from <= time && time < until : time >= from || time < until;
}
