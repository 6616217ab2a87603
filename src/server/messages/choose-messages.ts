import { type Incident, findLineId, isUrgentEnough } from '../../contract/incidents.ts';
import { MINUTE_MS } from '../../contract/time-units.ts';
import type { AlertRule, AlertSettings } from '../../contract/site/alert-settings.ts';
import { nameWithoutScheme } from '../../contract/site/parse-host.ts';
import type { KeptIncident, MessageType, Told } from './message.ts';

export type Choice = { readonly channel: string; readonly type: MessageType };

export type ChooseOptions = {
  readonly settings: Pick<AlertSettings, 'channels' | 'rules'>;
  /** True during maintenance: nobody is told, until it is over. */
  readonly isSilenced: boolean;
  readonly now: number;
};

/** Chooses who must be told what of an incident now, and notes it in the incident. */
export function chooseMessages(
  incident: KeptIncident,
  { settings, isSilenced, now }: ChooseOptions,
): { readonly incident: KeptIncident; readonly choices: readonly Choice[] } {
  const choices: Choice[] = [];
  const told = new Map(Object.entries(incident.told));
  const stage = stageOf(incident);
  if (incident.endedAt !== null) tellEnd();
  else if (!isSilenced)
    for (const rule of listRules(incident, settings)) if (isTheTime(rule.hours, now)) tellNow(rule);
  const isSame =
    choices.length === 0 && [...told].every(([channel, each]) => incident.told[channel] === each);
  return { incident: isSame ? incident : { ...incident, told: Object.fromEntries(told) }, choices };

  function tellNow({ to, remindMinutes }: Pick<AlertRule, 'to' | 'remindMinutes'>): void {
    for (const channel of to) {
      const last = told.get(channel);
      const type = findType(last, remindMinutes);
      if (type === undefined) continue;
      choices.push({ channel, type });
      told.set(channel, { stage, at: now, isOver: false });
    }
  }

  function findType(last: Told | undefined, remindMinutes: number | undefined): MessageType | undefined {
    if (last === undefined) return 'opened';
    if (last.isOver) return 'returned';
    if (last.stage !== stage) return 'changed';
    const isLate = remindMinutes !== undefined && Math.abs(now - last.at) >= remindMinutes * MINUTE_MS;
    return isLate && incident.takenBy === null ? 'reminder' : undefined;
  }

  function tellEnd(): void {
    // Ends are told at any hour: people who were told of the beginning wait for the end.
    const wanted = new Set(listRules(incident, settings).flatMap(({ resolved, to }) => (resolved ? to : [])));
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

/** The rules that are about an incident. */
function listRules(
  incident: Incident,
  { channels, rules }: ChooseOptions['settings'],
): readonly Pick<AlertRule, 'to' | 'remindMinutes' | 'hours' | 'resolved'>[] {
  const { kind, severity, subject, cause } = incident;
  if (kind === 'channel-failing') {
    // No rule is needed: people who rely on a channel must learn by the other channels that it is silent.
    const to = channels.map(({ name }) => name).filter((name) => name !== subject);
    return [{ to, remindMinutes: undefined, hours: undefined, resolved: true }];
  }
  const isAboutLine = findLineId(cause) !== undefined;
  return rules.filter(
    ({ when, severity: needed, lines }) =>
      (when === undefined || when.includes(kind)) &&
      isUrgentEnough(severity, needed) &&
      (!isAboutLine || lines.some((pattern) => matches(pattern, subject))),
  );
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
  return from <= until ? from <= time && time < until : time >= from || time < until;
}
