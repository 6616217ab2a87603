export const LANDING_PATH = '/';
export const REDIRECT_PATH = '/r';
export const TYPE_REDIRECT_PATH = '/t';
/** The code of a campaign follows. */
export const CAMPAIGN_PREFIX = '/c/';

export const LINKS_PATH = '/json/link.json';
export const CALLER_PATH = '/api/get_ip';
export const HOSTNAMES_PATH = '/api/hostnames';
export const MEASUREMENTS_PATH = '/api/measurements';
/** Where pages send what they recorded, if the portal is its own intake. */
export const INTAKE_PATH = '/api/intake';
/** Where pages send what visitors did, if the portal counts it. */
export const EVENTS_PATH = '/api/events';

/** The service worker. It stands at the root, because a worker may answer only for paths below its own. */
export const OFFLINE_WORKER_PATH = '/offline.js';
/** The shells that browsers keep: each page without anything of a visitor, and one that says that the portal is away. */
export const OFFLINE_SHELL_PATHS = {
  landing: '/offline/',
  redirect: '/offline/r',
  'type-redirect': '/offline/t',
  away: '/offline/away',
} as const;
/** What the operator's console asks, at the operator's listener. */
export const CONSOLE_PATHS = {
  overview: '/api/console/overview',
  lines: '/api/console/lines',
  networks: '/api/console/networks',
  why: '/api/console/why',
  events: '/api/console/events',
  incidents: '/api/console/incidents',
  moments: '/api/console/moments',
  takeIncident: '/api/console/incidents/take',
  testChannel: '/api/console/channels/test',
  login: '/login',
  logout: '/logout',
} as const;

/** What the console asks about the recordings that the portal keeps, at the operator's listener. */
export const RECORDING_PATHS = {
  /** The list, filtered by its query; `{sessions}/{id}` is one of it. */
  sessions: '/api/console/sessions',
  /** `{segments}/{session}/{view}`: the events of a view, in order. */
  segments: '/api/console/segments',
  errors: '/api/console/page-errors',
  erase: '/api/console/sessions/erase',
  /** The document that plays a view. */
  player: '/player',
} as const;

/** What the console asks about the numbers that the portal counts, at the operator's listener. */
export const VISITOR_PATHS = {
  numbers: '/api/console/visitors',
  table: '/api/console/visitors.csv',
} as const;

/** What the console asks about how often visitors got in, at the operator's listener. */
export const UPTIME_PATHS = {
  numbers: '/api/console/history',
  table: '/api/console/history.csv',
  incidents: '/api/console/history-incidents.csv',
} as const;

/** What the console asks about the links of campaigns, at the operator's listener. */
export const CAMPAIGN_PATHS = {
  numbers: '/api/console/campaigns',
  /** The campaign is in its query. */
  one: '/api/console/campaigns/one',
  table: '/api/console/campaigns.csv',
} as const;

/** What the console asks about people, at the operator's listener. */
export const PEOPLE_PATHS = {
  /** The page of an invitation, and its form. */
  invitation: '/invitation',
  account: '/api/console/account',
  confirm: '/api/console/account/confirm',
  password: '/api/console/account/password',
  secondFactor: '/api/console/account/second-factor',
  secondFactorCode: '/api/console/account/second-factor/code',
  recoveryCodes: '/api/console/account/recovery-codes',
  endSession: '/api/console/account/end-session',
  people: '/api/console/people',
  invite: '/api/console/people/invite',
  role: '/api/console/people/role',
  remove: '/api/console/people/remove',
  reset: '/api/console/people/reset',
  endSessions: '/api/console/people/end-sessions',
  makeToken: '/api/console/tokens/make',
  revokeToken: '/api/console/tokens/revoke',
  audit: '/api/console/audit',
  auditLines: '/api/console/audit.jsonl',
} as const;

/** What the console asks to change the site, at the operator's listener. */
export const DESK_PATHS = {
  state: '/api/console/desk',
  versions: '/api/console/desk/versions',
  difference: '/api/console/desk/difference',
  draft: '/api/console/desk/draft',
  file: '/api/console/desk/draft/file',
  edit: '/api/console/desk/draft/edit',
  putFile: '/api/console/desk/draft/put-file',
  removeFile: '/api/console/desk/draft/remove-file',
  discard: '/api/console/desk/draft/discard',
  rebase: '/api/console/desk/draft/rebase',
  check: '/api/console/desk/draft/check',
  preview: '/api/console/desk/draft/preview',
  testChannel: '/api/console/desk/draft/test-channel',
  publish: '/api/console/desk/publish',
  restore: '/api/console/desk/restore',
} as const;

/** Of the preview's listener: the signed part of a link follows. */
export const PREVIEW_OPEN_PATH = '/open/';

/** On a line: the script that keeps visitors in when the line is lost, and its service worker. */
export const STAY_SCRIPT_PATH = '/waypost/stay.js';
export const STAY_WORKER_PATH = '/waypost/stay-worker.js';
/** Where that worker keeps the siblings in its cache. Nothing is served there. */
export const STAY_KEPT_PATH = '/waypost/siblings';

/** The path of a probe on a line. */
export const SPEED_CHECK_PATH = '/speed.php';

/** The form of `{target}` in `/t/{target}`. Anything else is redirected to the landing page. */
export const TARGET_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

/** Where the files of the targets are. */
export const TARGETS_PREFIX = '/json/urls/';

/** The path of the file that holds a target's addresses. */
export function targetFilePath(target: string): string {
  return `${TARGETS_PREFIX}${target}.json`;
}
