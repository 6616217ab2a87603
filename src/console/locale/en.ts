import type { ConsoleFault, CutOffJudge, LineRule, LineStatus } from '../../contract/console.ts';
import { describeFault } from '../../contract/line/describe-fault.ts';

/** Every text of the console. Times, numbers and names come in as they are shown. */
export const en = {
  status: {
    up: 'Up',
    degraded: 'Degraded',
    down: 'Down',
    unknown: 'No data',
    maintenance: 'Maintenance',
  } satisfies ByStatus,

  console: 'console',
  skip: 'Skip to the content',
  views: 'Views',
  overview: 'Overview',
  where: 'Where',
  why: 'Why these four',
  incidents: 'Incidents',
  history: 'History',
  sessions: 'Sessions',
  desk: 'Site',
  account: 'Account',
  people: 'People',
  audit: 'Audit',
  signedInAs: 'Signed in as',
  /** Names somebody who acts. Some are no person, and have the same name in every language of the server. */
  actor: (name: string): string => name,
  roles: { viewer: 'viewer', editor: 'editor', owner: 'owner' },
  logOut: 'Sign out',
  consoleSettings: 'Settings of the console',
  connecting: 'Connecting …',
  live: 'Live',
  paused: 'Paused',
  lost: (clock: string) => `Connection lost at ${clock}. Trying again …`,
  language: 'Language',
  zone: 'Time zone',
  theme: 'Colours',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  loading: 'Loading …',
  viewFailed: 'This could not be loaded. If the portal did not answer, the console tries again in 5 seconds.',
  viewBroken:
    'This view could not be loaded: the portal does not answer, or was upgraded since the console was opened.',
  reload: 'Reload',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser does not allow this: copy it by hand.',
  lastHour: 'last hour',
  asTable: 'As a table',
  turnOn: 'To turn it on, write this into site.json:',
  openDesk: { settings: 'Open the settings', alerts: 'Set up who is told' },

  title: 'Waypost console',
  titleDown: (count: string) => `${count} down · Waypost console`,
  titleCutOff: 'Reaches no line · Waypost console',
  titleRefused: 'Change refused · Waypost console',
  titleDegraded: (count: string) => `${count} degraded · Waypost console`,
  cutOff: 'This portal reaches no line.',
  cutOffHint: {
    replicas: 'What it sees of them does not count. The states are what the other replicas see.',
    visitors:
      'Either this portal has no network, or all lines are down. What it sees does not count: the states are what visitors report.',
  } satisfies Record<CutOffJudge, string>,
  allWell: 'Every line is up.',
  published: (version: number, clock: string) =>
    `Version ${version} of the site has been live since ${clock}.`,
  noneDown: 'No line is known to be down.',
  linesUnknown: (count: string) => `There is too little data on ${count} of them.`,
  nothingYet: 'No visitor has been counted yet.',
  nothingYetHint: 'Open the landing page once. The numbers appear about 10 seconds later.',
  trouble: {
    line: (facts: TroubleFacts) => describeTrouble(facts, { one: '', noun: { one: 'line', other: 'lines' } }),
    backup: (facts: TroubleFacts) =>
      describeTrouble(facts, { one: 'The backup ', noun: { one: 'backup', other: 'backups' } }),
  },
  siteMaintenance: (clock: string | undefined) =>
    `The site is in maintenance${clock === undefined ? '' : ` until ${clock}`}. Nobody is sent a message.`,
  siteClosed: (clock: string | undefined) =>
    `The site is closed for maintenance${clock === undefined ? '' : ` until ${clock}`}: visitors get a notice and no lines. Nobody is sent a message.`,
  maintenanceNote: (reason: string, clock: string | undefined) =>
    clock === undefined ? reason : `until ${clock}: ${reason}`,
  incidentSince: (name: string, clock: string) => `${name}, since ${clock}.`,
  seeIncidents: 'See the incidents',
  changeRefused: (clock: string) => `The last change of the site folder was refused at ${clock}.`,
  seeSiteFolder: 'The portal still serves the version before. The reasons are under “Site folder”.',

  visitors: 'Visitors',
  campaigns: 'Campaigns',
  visitorsNote: (limited: string) =>
    `visitors who asked for lines. Requests refused by the limit: ${limited}`,
  gotIn: 'Entered a line',
  noReports: 'nobody has reported yet',
  gotInNote: (entered: string, reports: string) =>
    `${entered} of ${reports} visits that sent a report, from any page`,
  timeToEnter: 'Time to enter',
  nobodyEntered: 'nobody has entered yet',
  enteredUntimed:
    'everybody who entered used a measurement of the last 10 seconds again, so there is no new time',
  timeToEnterNote: (p95: string) => `median; 95% within ${p95}`,
  lines: 'Lines',
  lineStates: 'States of the lines',
  backups: (counts: readonly StatusCount[]) =>
    `Backups: ${counts.map(({ status, count }) => `${count} ${en.status[status].toLowerCase()}`).join(', ')}`,
  linesUp: (up: string, all: string) => `${up} of ${all} up`,
  leastAndMost: (least: string, most: string) => `least ${least}, most ${most}`,
  now: 'now',
  pictureLater: 'The curve begins two minutes after the first visitor.',
  notWatching: 'The server does not probe the lines.',
  sparkline: (what: string) => `${what}, minute by minute over the last hour`,

  replicas: 'Replicas',
  thisReplica: 'this one',
  replicaNote: (hash: string, clock: string) => `site ${hash}, started ${clock}`,
  otherSite: 'serves another version of the site than this portal does',
  gone: (clock: string) => `gone since ${clock}`,
  storeUp: {
    sqlite: 'The database is in the data folder of this portal',
    postgres: 'PostgreSQL is reachable',
  },
  storeDown: (clock: string) =>
    `The database has not answered since ${clock}. Visitors are still served. Nothing can be changed, and this page shows only what this portal knows.`,
  storeRewound: (clock: string) =>
    `The history of the database went back at ${clock}: it was restored, or a standby took over. What was changed shortly before may be missing.`,
  replicaCutOff: 'reaches none of the lines: what it sees of them does not count',
  site: 'Site folder',
  siteHash: (hash: string) => `Content ${hash}`,
  liveSince: (version: string, clock: string) => `version ${version} of this server, live since ${clock}`,
  refused: (clock: string) => `The change of ${clock} was refused`,
  refusedNote:
    'The portal still serves the version before. Correct the folder: the portal reads it again by itself.',
  corrected: (refused: string, corrected: string) =>
    `A change was refused at ${refused}. A later one went live at ${corrected}.`,
  neverRefused: 'No change has been refused since the start.',

  filter: 'Filter lines',
  filterHint: 'Host contains …',
  allStates: 'All states',
  inTrouble: 'In trouble',
  noMatch: 'No line matches.',
  clearFilter: 'Show all lines',
  line: 'Line',
  state: 'State',
  since: 'Since',
  handedOut: 'Handed out',
  tried: 'Tried',
  moved: 'Moved away',
  reached: 'Reached',
  hour: 'Last hour',
  networks: 'Fails in',
  networksCount: (count: number, shown: string) =>
    `${shown} ${nounFor(count, { one: 'network', other: 'networks' })}`,
  backup: 'backup',
  rules: {
    drain: 'drained: nobody new gets it',
    countries: 'not for all countries',
    networks: 'not for all networks',
  } satisfies Record<LineRule, string>,
  notForAll: 'Not handed to everybody (○ on the map):',
  marked: (host: string, marks: string) => `${host} (${marks})`,
  nobodyTold: 'Nobody is told of incidents: no rule sends messages to a channel.',
  setUpAlerts: 'Set up alerts',
  judgedBy: {
    probe: 'seen by the server’s own probe',
    visitors: 'seen by visitors',
    replicas: 'seen by most of the replicas',
  },
  lostIn: (count: number, shown: string) =>
    `Visitors of ${shown} ${nounFor(count, { one: 'network', other: 'networks' })} do not reach it.`,
  doubted: 'This portal reaches no line, and too few visitors have reported on this one.',
  replace: 'Replace',
  planMaintenance: 'Plan maintenance',
  replaceLine: (host: string) => `Replace ${host}`,
  linesNote:
    'All numbers are those of the last hour. Median: half of those who reached the line were answered within it. 95% within: 95% of them.',
  /** For screen readers: when the line was in trouble. */
  strip: (host: string, troubles: readonly TroubleSpan[]) =>
    `${host}, last 60 minutes: ${
      troubles.length === 0
        ? 'never degraded or down'
        : troubles
            .map(
              ({ status, clock, minutes }) =>
                `${en.status[status].toLowerCase()} from ${clock} for ${minutes} min`,
            )
            .join(', ')
    }`,
  stripMinute: (clock: string, status: string, reached: string) =>
    `${clock} · ${status} · reached by ${reached}`,
  stripNote: 'one bar a minute, the last 60 minutes, now at the right',

  back: 'All lines',
  unknownLine: 'This line is not on the site any more, or has not loaded.',
  sinceClock: (clock: string) => `since ${clock}`,
  sinceJudged: (clock: string, judgedBy: string) => `since ${clock}, ${judgedBy}`,
  span: 'Time shown',
  spans: { '1h': '1 h', '6h': '6 h', '24h': '24 h' },
  spanFrom: (clock: string) => `since ${clock}`,
  longerSpans: '7 days and more',
  happenings: 'What happened',
  happeningsNote: 'the coloured times and dashed lines of the charts',
  nothingHappened: 'The line was never degraded, down or in maintenance in this time, and nobody changed it.',
  bandFor: (clock: string, duration: string) => `from ${clock}, for ${duration}`,
  versionOfSite: (number: string) => `Version ${number}`,
  changedBy: (clock: string, by: string) =>
    by === '' ? `changed it at ${clock}` : `changed it at ${clock}, by ${by}`,
  reachedChartNote: 'part of the visitors who reached the line',
  timeChart: 'Time to answer',
  timeChartNote: 'of those who reached it',
  shareChartNote: 'part of the visitors who were handed the line',
  chart: (title: string, lastValues: string) => `${title}. ${lastValues}`,
  noHistory: 'Nobody has tried this line in this time. The chart begins with the first visitor who does.',
  median: 'Median',
  within95: '95% within',
  ownProbe: 'The server’s own probe',
  noProbe: 'The server has not probed this line: it has just started, or WAYPOST_WATCH_LINES is off.',
  probeUp: (ms: string, ports: number) =>
    ports === 1 ? `Answers correctly, in ${ms}.` : `Answers correctly on all ${ports} ports, in ${ms}.`,
  fault: ({ fault, ports }: ConsoleFault) => {
    const { problem, advice } = describeFault(fault, 'en');
    if (ports.length === 0) return { problem: `It ${problem}.`, advice };
    const where = `${ports.length === 1 ? 'port' : 'ports'} ${ports.join(', ')}`;
    return { problem: `On ${where} it ${problem}.`, advice };
  },
  probeCutOff: 'This portal reaches none of the lines, so this does not count.',
  probed: (clock: string) => `Probed at ${clock}.`,
  certificate: (days: number, shown: string) =>
    `Certificate: ${shown} ${nounFor(days, { one: 'day', other: 'days' })} left.`,
  certificateFault: (code: string) => `Certificate: ${code}.`,
  noCertificate: 'No certificate: the line speaks plain http.',
  stay: (version: string) => `Keeps visitors in when it is lost: stay.js ${version}.`,
  noStay: 'Visitors are thrown out when it is lost: it has no stay.js.',
  worstNetworks: 'Worst networks',
  noNetworks: 'No network has been heard of yet.',
  noWorstNetworks: 'The networks that do worst are listed here as soon as visitors have tried the line.',
  network: 'Network',
  anyOtherNetwork: 'any other network',
  ofTries: (part: string, tries: string) => `reached by ${part} of about ${tries} tries`,
  ofTimedTries: (part: string, tries: string, time: string) =>
    `reached by ${part} of about ${tries} tries, ${time}`,
  failsSince: (clock: string) => `failing since ${clock}`,

  cell: { none: 'no data', good: 'reached', poor: 'under 90% reached', failing: 'fails' },
  openLine: 'Open the line',
};

/** The texts of one language. The type check finds a missing one. */
export type Texts = typeof en;

/** A time in which a line was in trouble. */
export type TroubleSpan = {
  readonly status: 'down' | 'degraded';
  readonly clock: string;
  readonly minutes: string;
};

type ByStatus = Record<LineStatus, string>;

export type StatusCount = { readonly status: LineStatus; readonly count: string };

export type TroubleFacts = {
  /** The host that is in trouble for the longest time. Undefined while only their number is known. */
  readonly host: string | undefined;
  readonly status: 'down' | 'degraded';
  /** Since when, if that is known. */
  readonly clock: string | undefined;
  /** How many are in trouble. */
  readonly count: number;
  readonly shownCount: string;
};

const plurals = new Intl.PluralRules('en');

function nounFor(count: number, nouns: { readonly one: string; readonly other: string }): string {
  return plurals.select(count) === 'one' ? nouns.one : nouns.other;
}

function describeTrouble(
  { host, status, clock, count, shownCount }: TroubleFacts,
  { one, noun }: { readonly one: string; readonly noun: { readonly one: string; readonly other: string } },
): string {
  const state = en.status[status].toLowerCase();
  const name = nounFor(count, noun);
  if (host === undefined) return `${shownCount} ${name} ${count === 1 ? 'is' : 'are'} ${state}.`;
  const since = clock === undefined ? '' : ` since ${clock}`;
  if (count > 1)
    return `${shownCount} ${name} are ${state}. The first is ${host}${clock === undefined ? '' : `,${since}`}.`;
  return `${one}${host} ${clock === undefined ? 'is' : 'has been'} ${state}${since}.`;
}
