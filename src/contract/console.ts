import type { LineFault } from './line/line-fault.ts';

/**
 * What the operator's console is told, as JSON. Times are ms since 1970 unless a name says otherwise. What is not known is
 * null, never zero: that nobody tried a line and that nobody reached it are two things.
 */

export type LineStatus = 'up' | 'degraded' | 'down' | 'unknown';

/** The last hour, minute by minute: the first value is that of `firstMinute`, in minutes since 1970. */
export type MinuteValues = readonly (number | null)[];

export type ConsoleOverview = {
  readonly at: number;
  /** Grows whenever something that the console shows has changed. */
  readonly version: number;
  readonly siteName: string;
  /** Whether the console was opened with the token, and can be left again. */
  readonly access: 'loopback' | 'token';
  readonly hour: {
    /** Hostname calls. */
    readonly visitors: number | null;
    /** Visitors whose page reported what it measured. */
    readonly reports: number | null;
    /** Those of them who entered a line. */
    readonly entered: number | null;
    /** How long the line that they entered took to answer, in ms. */
    readonly p50: number | null;
    readonly p95: number | null;
    /** Requests to the API that this server refused, because their address had sent too many. */
    readonly limited: number;
  };
  readonly minutes: {
    readonly firstMinute: number;
    readonly visitors: MinuteValues;
    /** In percent of those who reported. */
    readonly entered: MinuteValues;
    readonly p50: MinuteValues;
  };
  readonly lines: Readonly<Record<LineStatus, number>>;
  /** The fallback hosts, which pages have built in. */
  readonly backups: Readonly<Record<LineStatus, number>>;
  /** False where this server does not look at the lines itself. */
  readonly isWatching: boolean;
  readonly store: { readonly kind: 'memory' | 'redis'; readonly isUp: boolean; readonly since: number };
  readonly replicas: readonly ConsoleReplica[];
  readonly site: {
    readonly version: number;
    /** Of the content of the site folder: the same on every machine that has the same files. */
    readonly hash: string;
    readonly publishedAt: number;
    readonly refusal: ConsoleRefusal | null;
  };
};

export type ConsoleReplica = {
  readonly name: string;
  readonly startedAt: number;
  readonly siteHash: string;
  readonly isStoreUp: boolean;
  /** The one that answered. */
  readonly isThis: boolean;
  /** Null while it is there; since when nothing was heard of it otherwise. It is shown for an hour. */
  readonly goneSince: number | null;
};

/** The last change of the site folder that was refused. */
export type ConsoleRefusal = {
  readonly at: number;
  readonly faults: readonly string[];
  /** Null while the folder is still refused. */
  readonly mendedAt: number | null;
};

export type ConsoleLine = {
  readonly id: string;
  readonly host: string;
  /** A backup is never handed out: pages have it built in. */
  readonly role: 'line' | 'backup';
  readonly status: LineStatus;
  /** Whether the server's own probe or the visitors led to that status. */
  readonly judgedBy: 'probe' | 'visitors' | null;
  readonly since: number | null;
  /** What the server's own probe holds against it. */
  readonly faults: readonly ConsoleFault[];
  readonly handedOut: number | null;
  /** Probes of visitors that came to an end, in the last hour. */
  readonly tried: number | null;
  readonly reached: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  /** In how many networks it fails; null for a backup. */
  readonly failingNetworks: number | null;
  /** In percent of those who tried. */
  readonly reachedByMinute: MinuteValues;
};

export type ConsoleLines = {
  readonly at: number;
  readonly firstMinute: number;
  readonly lines: readonly ConsoleLine[];
};

/** The minutes of the last 24 hours in which something was counted, oldest first, one list for each number. */
export type ConsoleHistory = {
  /** In minutes since 1970. */
  readonly minute: readonly number[];
  readonly handedOut: readonly number[];
  /** Those who were handed any lines. */
  readonly visitors: readonly number[];
  readonly tried: readonly number[];
  readonly reached: readonly number[];
  readonly p50: MinuteValues;
  readonly p95: MinuteValues;
};

/** Something that the server's own probe holds against a line. */
export type ConsoleFault = {
  readonly kind: LineFault['kind'];
  /** Completes the sentence "it …". */
  readonly problem: string;
  /** What the operator does about it, as a sentence. */
  readonly advice: string;
  /** The ports that have it; empty where all have. */
  readonly ports: readonly number[];
};

/** What the server's own probe of a line has found. */
export type ConsoleProbe = {
  readonly checkedAt: number;
  readonly since: number;
  /** Down where a page would take it at no port; degraded where it would not at some, or where its page has a fault. */
  readonly condition: 'up' | 'degraded' | 'down';
  readonly faults: readonly ConsoleFault[];
  /** How many ports it is asked at, and at how many a page would take it. */
  readonly ports: number;
  readonly goodPorts: number;
  readonly hasAnswered: boolean;
  /** Of the best answer. */
  readonly timeMs: number | null;
  /** The one that ends first. Null over plain http, or where there was no answer. */
  readonly certificate: {
    readonly validTo: number;
    readonly daysLeft: number;
    readonly faultCode: string | null;
  } | null;
};

/** What the visitors of one network have seen of a line. Old tries fade, so that counts are not whole. */
export type ConsoleCell = {
  readonly network: string;
  readonly reached: number;
  readonly lost: number;
  readonly timeMs: number | null;
  readonly failingSince: number | null;
};

export type ConsoleLineDetail = {
  readonly at: number;
  readonly line: ConsoleLine;
  readonly history: ConsoleHistory;
  /** Worst first, at most ten. */
  readonly networks: readonly ConsoleCell[];
  readonly probe: ConsoleProbe | null;
};

export type ConsoleNetworks = {
  readonly at: number;
  /** How many networks are known; the worst 50 are listed. */
  readonly known: number;
  readonly lines: readonly { readonly id: string; readonly host: string; readonly status: LineStatus }[];
  /** Worst first. */
  readonly networks: readonly ConsoleNetwork[];
};

/** One network; each list has one number for each line, in their order. */
export type ConsoleNetwork = {
  readonly name: string;
  readonly seenAt: number;
  readonly failing: number;
  readonly reached: readonly number[];
  readonly lost: readonly number[];
  readonly timeMs: readonly (number | null)[];
  readonly failingSince: readonly (number | null)[];
};

/** Why a line is, or is not, handed out. */
export type WhyReason =
  /** The server's own probe sees it down. */
  | 'down'
  /** It is down, but visitors reached it in the last two minutes, or no line would be left. */
  | 'kept-though-down'
  /** Lines are drawn by weight, whatever was measured. */
  | 'uniform'
  /** There are four lines or fewer, and everybody gets them all. */
  | 'all'
  | 'best'
  /** About as good as the best: they take turns. */
  | 'turns'
  /** Worse than the best by its time, by those who do not reach it, or by its load: handed out only to look again. */
  | 'slower'
  | 'less-reached'
  | 'loaded';

export type WhyLine = {
  readonly id: string;
  readonly host: string;
  readonly isUp: boolean;
  /** The part of the visitors who are believed to reach it. */
  readonly reach: number;
  readonly timeMs: number;
  /** The score in ms is `timeMs` × `reachFactor` × `loadFactor`: the three smallest are handed out. */
  readonly reachFactor: number;
  readonly loadFactor: number;
  readonly scoreMs: number;
  /** How likely it is to be among the next four. */
  readonly chance: number;
  readonly reason: WhyReason;
};

export type ConsoleWhy = {
  readonly at: number;
  /** Null where no network is known yet: what a stranger is handed. */
  readonly network: string | null;
  /** Those to choose from, the most recently seen first. */
  readonly networks: readonly string[];
  readonly mode: 'measured' | 'uniform';
  /** Best score first. */
  readonly lines: readonly WhyLine[];
};

/** The name of the server-sent event that carries a `ConsoleOverview`. */
export const OVERVIEW_EVENT = 'overview';
/** The name of the event that says no more than that the connection is alive. */
export const BEAT_EVENT = 'beat';
export const BEAT_EVERY_MS = 10_000;
