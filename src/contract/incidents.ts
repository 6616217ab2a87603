import type { InConsoleLanguages } from './console-language.ts';
import type { ToldFault } from './faults/site-fault.ts';
import type { LineFault } from './line/line-fault.ts';

/**
 * Incidents: what the server found wrong, one for each cause, with its beginning and its end. Times are ms since 1970.
 */

/** What may be wrong. */
export const INCIDENT_KINDS = [
  /** A line is down for everyone. */
  'line-down',
  /** A line works for some, or at some of its ports, or without its page. */
  'line-degraded',
  /** The visitors of a network or a country do not reach a line. */
  'line-lost',
  /** A line takes three times as long as it did. */
  'line-slow',
  /** Too many visitors enter no line at all. Critical if hardly anybody gets in. */
  'visitors-lost',
  /** Far fewer visitors come than at this hour of other weeks. */
  'visitors-missing',
  /** A certificate of a line ends within 14 days. */
  'certificate',
  /** The site folder has a change that cannot be served. */
  'site-refused',
  /** Nothing can be kept: the database or the data folder is unusable. */
  'store-down',
  /** Somebody sends many reports that are refused. */
  'reports-refused',
  /** On a site with restricted regions: many callers whose region is unknown. */
  'unknown-regions',
  /** This portal reaches no line at all, and so doubts itself. */
  'portal-cut-off',
  /** A channel does not take its messages. */
  'channel-failing',
] as const;

export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** The line of a cause such as `line/ID`, `slow/ID` or `certificate/ID`. Undefined if the incident is about no line. */
export function findLineId(cause: string): string | undefined {
  return /^(?:line|slow|certificate)\/(.+)$/.exec(cause)?.[1];
}

/** Whether a cause is about the state of a line, such as `line/ID`, and not about its speed or its certificate. */
export function isLineState(cause: string): boolean {
  return cause.startsWith('line/');
}

/** From the least to the most urgent. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** Whether an incident is at least as urgent as a rule demands. */
export function isUrgentEnough(severity: Severity, needed: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(needed);
}

/** What the server saw of something that is wrong, as data: `describeDetail` has the words for it, in every language. */
export type IncidentDetail =
  /** A line does not answer as it must. Each fault is here once, also if several ports have it. */
  | { readonly kind: 'line-faults'; readonly faults: readonly LineFault[] }
  /** Visitors do not reach a line: all of some places, some of several networks, or both. */
  | {
      readonly kind: 'not-reached';
      readonly by: 'visitors' | 'some-visitors' | 'visitors-and-some-elsewhere';
    }
  /** How many times as long as before a line takes, rounded to one decimal. */
  | { readonly kind: 'slow'; readonly times: number }
  | { readonly kind: 'cut-off' }
  | { readonly kind: 'certificate-ends'; readonly at: number; readonly hasEnded?: boolean }
  | {
      readonly kind: 'visitors-stranded';
      /** Of the visitors of the last minutes, rounded to one decimal. */
      readonly percent: number;
      readonly allowedPercent: number;
      readonly minutes: number;
    }
  /** Of the visitors who could be expected in these minutes, rounded to one decimal. */
  | { readonly kind: 'visitors-missing'; readonly percent: number; readonly minutes: number }
  | { readonly kind: 'site-fault'; readonly fault: ToldFault }
  | { readonly kind: 'store'; readonly store: 'database' | 'folder' }
  | { readonly kind: 'reports-refused'; readonly reports: number; readonly minutes: number }
  /** The percent are rounded to one decimal. */
  | { readonly kind: 'regions-unknown'; readonly percent: number; readonly minutes: number }
  | ChannelFault
  | { readonly kind: 'test' }
  /** A text that has no other form: an older version or another program wrote it. May be empty. */
  | { readonly kind: 'text'; readonly text: string };

/** Why a channel did not take a message. It never holds a secret. */
export type ChannelFault =
  /** Without a host, the whole try took too long. */
  | { readonly kind: 'channel-late'; readonly host?: string; readonly seconds: number }
  /** The code is Node's, or that of the mail library, if there is one. */
  | { readonly kind: 'channel-unreachable'; readonly host: string; readonly code?: string }
  | { readonly kind: 'channel-status'; readonly host: string; readonly status: number }
  /** The host is an address of this machine or of a private network. */
  | { readonly kind: 'channel-private'; readonly host: string }
  /** The secret is not where it should be: in a variable, or in a file of `secrets/`. */
  | { readonly kind: 'channel-secret-missing'; readonly place: 'variable' | 'file'; readonly name: string }
  | { readonly kind: 'channel-secret-wrong' }
  /** The address in its variable or file is not one of a webhook. */
  | { readonly kind: 'channel-url-wrong' }
  /** The other side says why. Without a host, it is Telegram. */
  | { readonly kind: 'channel-refused'; readonly host?: string; readonly reason: string };

/** Something that is wrong now, as far as the server sees. */
export type Condition = {
  /** The same for as long as it has the same cause, such as `line/ab12cd34`: there is one incident for each cause. */
  readonly cause: string;
  readonly kind: IncidentKind;
  readonly severity: Severity;
  /** What it is about: the host of a line, the name of a channel or of a portal. Empty for the site as a whole. */
  readonly subject: string;
  /** Where it is: countries and networks, or ports. Empty if everywhere. */
  readonly affected: readonly string[];
  readonly detail: IncidentDetail;
  /** When it began, as far as the server knows. */
  readonly since: number;
  /** How many visitors it has affected since then. */
  readonly visitors: number;
  /** True for a fallback host. */
  readonly isBackup?: boolean;
};

/** One of several things that are wrong together, such as one line of many. */
export type IncidentPart = Omit<Condition, 'visitors'> & {
  /** When it was last noticed that it began, came back or was over. */
  readonly changedAt: number;
  /** When it was over. Null while it lasts. */
  readonly endedAt: number | null;
  readonly hasReturned: boolean;
};

export type IncidentEvent = {
  readonly at: number;
  readonly kind: IncidentEventKind;
  /** Who took it; the channel that was told, or could not be; the line that joined or is up again. */
  readonly by?: string;
  /** What it was then. */
  readonly condition?: Pick<Condition, 'kind' | 'severity' | 'detail'>;
};

export type IncidentEventKind =
  | 'opened'
  /** It is another kind now, or more urgent. */
  | 'changed'
  /** Less is wrong than before, but not all is well. */
  | 'eased'
  /** One more line is part of it, or one less. */
  | 'grew'
  | 'shrank'
  /** It turned out to be part of another incident, and goes on there. */
  | 'joined'
  /** It had ended, and came back. */
  | 'returned'
  | 'closed'
  | 'taken'
  | 'told'
  /** A channel did not take the message for an hour. */
  | 'not-told';

export type Incident = Omit<Condition, 'since'> & {
  readonly id: string;
  /** When it began. The first event says when it was noticed. */
  readonly startedAt: number;
  /** Null while it lasts. */
  readonly endedAt: number | null;
  /** Who looks after it. */
  readonly takenBy: string | null;
  /** Oldest first. */
  readonly timeline: readonly IncidentEvent[];
  /** All that is wrong together, the first first. If it is left out, the incident is about one thing. */
  readonly parts?: readonly IncidentPart[];
  /** How many lines the site had when several of them were part of it. */
  readonly lineCount?: number;
  /** What all its lines have in common, such as `port/8443` or `range/203.0.113.0/24`. */
  readonly shared?: string | undefined;
};

/** All that an incident is about, also if that is one thing. */
export function partsOf(incident: Incident): readonly IncidentPart[] {
  if (incident.parts !== undefined) return incident.parts;
  const { cause, kind, severity, subject, affected, detail, startedAt, endedAt, isBackup } = incident;
  const changedAt = incident.timeline[0]?.at ?? startedAt;
  const times = { since: startedAt, changedAt, endedAt, hasReturned: false };
  return [
    {
      cause,
      kind,
      severity,
      subject,
      affected,
      detail,
      ...times,
      ...(isBackup && { isBackup }),
    },
  ];
}

/** What of an incident is still wrong. */
export function listLasting(incident: Incident): readonly IncidentPart[] {
  return partsOf(incident).filter(({ endedAt }) => endedAt === null);
}

export type ConsoleIncident = Incident & {
  /** Nobody is told of it now, because its line or the whole site is in maintenance. */
  readonly isSilenced: boolean;
  /** The state of its line now, if that is better than the incident was at its worst. */
  readonly easedTo: 'up' | 'degraded' | null;
  /** What its lines have in common, and what to do next. Either may be empty. */
  readonly words: { readonly shared: InConsoleLanguages; readonly next: InConsoleLanguages };
};

/** `GET /api/console/incidents`: those that last first, then the newest. */
export type ConsoleIncidents = {
  readonly at: number;
  readonly incidents: readonly ConsoleIncident[];
  readonly channels: readonly ConsoleChannel[];
  /** The names of the people who are on call now. */
  readonly onCall: readonly string[];
};

/** The form of a channel's name. */
export const CHANNEL_NAME = /^[\w-]{1,32}$/;
/** Stands in a rule for the people who are on call. */
export const ON_CALL = 'on-call';

export const CHAT_KINDS = ['slack', 'discord', 'teams', 'feishu', 'dingtalk', 'wecom'] as const;

export type ChannelKind = 'webhook' | 'telegram' | 'mail' | 'pagerduty' | (typeof CHAT_KINDS)[number];

/** What the other side answered to a message. */
export type ChannelAnswer = {
  /** Of HTTP, or of the mail server's reply. */
  readonly status: number;
  /** How the answer begins; foreign text. */
  readonly words: string;
};

/** The answer of `POST …/desk/draft/test-channel`, if the channel took the test. */
export type ChannelTest = { readonly answer: ChannelAnswer };

export type ConsoleChannel = {
  readonly name: string;
  readonly kind: ChannelKind;
  /** Messages that still have to be sent. */
  readonly waiting: number;
  /** When it last took a message. Null if it never did since the start. */
  readonly sentAt: number | null;
  /** Why it did not take the last one. Null if it did. */
  readonly fault: IncidentDetail | null;
};
