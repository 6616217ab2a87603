import type { InConsoleLanguages } from './console-language.ts';
import type { ToldFault } from './faults/site-fault.ts';
import type { LineFault } from './line/line-fault.ts';
import type { Incident } from './incidents.ts';

/**
 * What the server tells the operator's console, as JSON. Times are ms since 1970 unless a name says otherwise. An
 * unknown number is null, never zero: "nobody tried the line" is not "nobody reached it".
 */

/** The states of a line, in the order in which the console lists them. */
export const LINE_STATUSES = ['up', 'degraded', 'down', 'unknown', 'maintenance'] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

/** A maintenance of a line that goes on now. */
export type ConsoleMaintenance = {
  readonly reason: string;
  /** Null if it goes on until somebody ends it. */
  readonly until: number | null;
};

/** Why not every new visitor may be handed a line: it is drained, or only for some countries or networks. */
export const LINE_RULES = ['drain', 'countries', 'networks'] as const;

export type LineRule = (typeof LINE_RULES)[number];

/** A maintenance of the whole site that goes on now. */
export type ConsoleSiteMaintenance = {
  /** In each language of the console. Null if none is given. */
  readonly reasons: InConsoleLanguages | null;
  /** Null if it goes on until somebody ends it. */
  readonly until: number | null;
  /** Visitors get a notice instead of lines and redirects. */
  readonly closes: boolean;
};

/** The last hour, minute by minute: the first value is that of `firstMinute`, in minutes since 1970. */
export type MinuteValues = readonly (number | null)[];

/** Minutes in a row in which a line had one state. A minute has the worst state that the line had in it. */
export type StateRun = { readonly status: LineStatus; readonly minutes: number };

export type ConsoleOverview = {
  readonly at: number;
  /** Grows when anything that the console shows has changed. */
  readonly version: number;
  /** The name of the brand in each language of the console. */
  readonly siteNames: InConsoleLanguages;
  readonly hour: {
    /** Hostname calls. */
    readonly visitors: number | null;
    /** Visitors whose page reported what it measured. */
    readonly reports: number | null;
    /** The visitors of `reports` who entered a line. */
    readonly entered: number | null;
    /** How long the entered line took to answer, in ms. */
    readonly p50: number | null;
    readonly p95: number | null;
    /** API requests that this server refused because their address had sent too many. */
    readonly limited: number;
  };
  readonly minutes: {
    readonly firstMinute: number;
    readonly visitors: MinuteValues;
    /** In percent of those who reported. */
    readonly entered: MinuteValues;
    readonly p50: MinuteValues;
  };
  /** Lines may have their own. */
  readonly maintenance: ConsoleSiteMaintenance | null;
  readonly lines: Readonly<Record<LineStatus, number>>;
  /** The fallback hosts, which pages have built in. */
  readonly backups: Readonly<Record<LineStatus, number>>;
  /** False if this server does not probe the lines. */
  readonly isWatching: boolean;
  /** Null unless this portal reaches none of the lines. */
  readonly cutOff: CutOffJudge | null;
  /** False if no rule sends messages about incidents to any channel. */
  readonly isAnybodyTold: boolean;
  /** How many incidents are open. */
  readonly openIncidents: number;
  /** The most urgent open incident that no other field shows. */
  readonly otherIncident:
    | (Pick<Incident, 'severity' | 'startedAt'> & {
        readonly names: InConsoleLanguages;
      })
    | null;
  readonly store: {
    /** In the data folder of this portal, or a server that several portals share. */
    readonly kind: 'sqlite' | 'postgres';
    readonly isUp: boolean;
    /** Since when it answers, or does not. */
    readonly since: number;
    /** When its history went back in the last 24 hours: it was restored, or a standby took over. */
    readonly rewoundAt: number | null;
  };
  readonly replicas: readonly ConsoleReplica[];
  readonly site: {
    readonly version: number;
    /** A hash of the site folder's content. The same files give the same hash on every machine. */
    readonly hash: string;
    readonly publishedAt: number;
    readonly refusal: ConsoleRefusal | null;
  };
};

export type ConsoleReplica = {
  readonly name: string;
  readonly startedAt: number;
  readonly siteHash: string;
  /** It reaches none of the lines, so what it sees of them does not count. */
  readonly isCutOff: boolean;
  /** True for the replica that sent this. */
  readonly isThis: boolean;
  /** Null while the replica is running. Later, the time of its last sign of life; it is listed for one hour. */
  readonly goneSince: number | null;
};

/** The last change of the site folder that was refused. */
export type ConsoleRefusal = {
  readonly at: number;
  readonly faults: readonly ToldFault[];
  /** Null while the folder is still refused. */
  readonly correctedAt: number | null;
};

export type LineJudge = 'probe' | 'replicas' | 'visitors';

/**
 * Who is believed while a portal reaches none of the lines, so that its own probe does not count: the replicas that do
 * reach some, or, if there are none, the visitors.
 */
export type CutOffJudge = Exclude<LineJudge, 'probe'>;

export type ConsoleLine = {
  readonly id: string;
  readonly host: string;
  /** A backup is never handed out: pages have it built in. */
  readonly role: 'line' | 'backup';
  readonly status: LineStatus;
  /** Who decided the status: the server's own probe, most of the replicas, or the visitors. */
  readonly judgedBy: LineJudge | null;
  /** Its status is unknown because this portal reaches none of the lines. */
  readonly isDoubted: boolean;
  readonly since: number | null;
  readonly maintenance: ConsoleMaintenance | null;
  readonly rules: readonly LineRule[];
  /** The faults that the server's own probe found. */
  readonly faults: readonly ConsoleFault[];
  readonly handedOut: number | null;
  /** Visitors' probes of the last hour that have ended. */
  readonly tried: number | null;
  /** Visitors who lost it while they were in it, and were moved to another. */
  readonly moved: number | null;
  readonly reached: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  /** The number of networks in which the line fails. Null for a backup, and where nobody has tried it lately. */
  readonly failingNetworks: number | null;
  /** In percent of those who tried. */
  readonly reachedByMinute: MinuteValues;
  /** The states of the last hour, the oldest first. The last one is `status`. */
  readonly states: readonly StateRun[];
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
  /** Visitors who were handed any lines. */
  readonly visitors: readonly number[];
  readonly tried: readonly number[];
  readonly reached: readonly number[];
  readonly p50: MinuteValues;
  readonly p95: MinuteValues;
};

/** A fault that the server's own probe found. */
export type ConsoleFault = {
  readonly fault: LineFault;
  /** The ports with this fault. Empty if all ports have it. */
  readonly ports: readonly number[];
};

/** The server's own probe of a line. */
export type ConsoleProbe = {
  readonly checkedAt: number;
  readonly since: number;
  /**
   * What this server sees. The views of the other replicas do not count. `down`: a page would refuse the line at every port. `degraded`: at
   * some ports, or the line's page has a fault.
   */
  readonly condition: 'up' | 'degraded' | 'down';
  readonly faults: readonly ConsoleFault[];
  /** The number of ports that are probed. */
  readonly ports: number;
  /** The number of ports at which a page would take the line. */
  readonly goodPorts: number;
  readonly hasAnswered: boolean;
  /** The time of the best answer. */
  readonly timeMs: number | null;
  /** The certificate that expires first. Null over plain http, or if there was no answer. */
  readonly certificate: {
    readonly validTo: number;
    readonly daysLeft: number;
    readonly faultCode: string | null;
  } | null;
  /** The files that keep visitors in. Null if the line was not asked for them yet. */
  readonly stay: {
    /** Null if the line has none. */
    readonly version: string | null;
    readonly faults: readonly ConsoleFault[];
  } | null;
};

/** How a line did in one network. Old tries fade, so the counts are not whole numbers. */
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
  /** The states of the last 24 hours at most, the oldest first. Unknown before the server's last start. */
  readonly states: readonly StateRun[];
  /** Worst first, at most ten. */
  readonly networks: readonly ConsoleCell[];
  readonly probe: ConsoleProbe | null;
};

export type ConsoleNetworks = {
  readonly at: number;
  /** The number of known networks. The worst 50 are listed. */
  readonly known: number;
  readonly lines: readonly Pick<ConsoleLine, 'id' | 'host' | 'status' | 'rules'>[];
  /** Worst first. */
  readonly networks: readonly ConsoleNetwork[];
};

/** One network. Each list has one number for each line, in the order of `lines`. */
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
  /** It is in maintenance. */
  | 'maintenance'
  /** Its rules exclude visitors of this country, or of this network. */
  | 'countries'
  | 'networks'
  /** Its rules name ranges of addresses. Some visitors of this network may be in them. */
  | 'by-address'
  /** Drained: only visitors who entered it last get it. */
  | 'drain'
  /** The server's own probe sees it down. */
  | 'down'
  /** The server's own probe sees it down, but visitors reached it in the last two minutes. */
  | 'reached-though-down'
  /** All lines are down, and nobody reaches any: each is handed out, because none would be left. */
  | 'all-down'
  /** Steering is off: lines are drawn by weight. */
  | 'uniform'
  /** The site has four lines or fewer, so everybody gets all of them. */
  | 'all'
  /** It has one of the three smallest scores. */
  | 'best'
  /** About as good as the best. They take turns. */
  | 'turns'
  /** Its time, its reach or its load is worse. It is handed out now and then to measure it again. */
  | 'slower'
  | 'less-reached'
  | 'loaded';

export type WhyLine = {
  readonly id: string;
  readonly host: string;
  readonly isUp: boolean;
  /** The estimated part of the visitors who reach it, from 0 to 1. */
  readonly reach: number;
  readonly timeMs: number;
  /**
   * The score in ms is `timeMs` × `reachFactor` × `loadFactor`. The lines with the three smallest scores are handed
   * out.
   */
  readonly reachFactor: number;
  readonly loadFactor: number;
  readonly scoreMs: number;
  /** The chance that it is among the next four if no line is in doubt, from 0 to 1. */
  readonly chance: number;
  /** True if a visitor who entered it last is handed it again. */
  readonly isKept: boolean;
  /** True if nobody in this network has tried it yet: its numbers are those of the country, or of everyone. */
  readonly isGuess: boolean;
  readonly reason: WhyReason;
};

export type ConsoleWhy = {
  readonly at: number;
  /** Null if no network is known yet. The view then shows what a visitor from an unknown network is handed. */
  readonly network: string | null;
  /** The networks to choose from, the most recently seen first. */
  readonly networks: readonly string[];
  readonly mode: 'measured' | 'uniform';
  /** By score, the best first. Lines that nobody gets come last. */
  readonly lines: readonly WhyLine[];
};

/** The name of the server-sent event that carries a `ConsoleOverview`. */
export const OVERVIEW_EVENT = 'overview';
/** The name of the event that only shows that the connection is alive. */
export const BEAT_EVENT = 'beat';
export const BEAT_EVERY_MS = 10_000;
