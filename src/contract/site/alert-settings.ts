import * as v from 'valibot';
import { CHANNEL_NAME, type CHAT_KINDS, INCIDENT_KINDS, ON_CALL, SEVERITIES } from '../incidents.ts';
import { must } from '../faults/site-fault.ts';
import { closestName } from './closest-name.ts';
import {
  choice,
  count,
  createPath,
  hasShortHost,
  mailAddress,
  oneLine,
  refuseBackwards,
  timeWindow,
  webUrl,
} from './site-values.ts';

const SECRET = /^(?:env:WAYPOST_ALERT_[A-Z\d_]+|file:[\w-][\w.-]*)$/;
const HOURS = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d \S+$/;
const MIN_REMIND_MINUTES = 5;
/** What a webhook's own body may name as `{{…}}`. */
export const PLACEHOLDERS = [
  'title',
  'text',
  'detail',
  'subject',
  'kind',
  'severity',
  'type',
  'site',
  'lines',
  'affected',
  'visitors',
  'at',
  'startedAt',
  'endedAt',
  'id',
  'incident',
  'url',
];

const name = v.pipe(v.string(must('name')), v.regex(CHANNEL_NAME, must('name')));
/** Where a secret is. Never the secret itself: the site folder is not the place for it. */
const secret = v.pipe(v.string(must('secret')), v.regex(SECRET, must('secret')));

const TIME_ZONE = must('time-zone');
/** Every channel has a name, and may have the time zone of the people who read it. */
const named = {
  name,
  timeZone: v.optional(v.pipe(v.string(TIME_ZONE), v.check(isTimeZone, TIME_ZONE))),
};

const webhook = v.strictObject({
  ...named,
  kind: v.literal('webhook'),
  url: webUrl,
  /** Signs each message. */
  secret: v.optional(secret),
  /** Replaces the JSON of the message; `{{…}}` are placeholders. */
  body: v.optional(
    v.pipe(
      v.string(must('json-template')),
      v.minLength(1, must('not-empty')),
      v.check(isJsonTemplate, must('json-template')),
      v.check(
        (body) => findUnknownPlaceholder(body) === undefined,
        ({ input }) => explainPlaceholder(findUnknownPlaceholder(input) ?? ''),
      ),
    ),
  ),
});
const telegram = v.strictObject({
  ...named,
  kind: v.literal('telegram'),
  chat: v.pipe(v.string(must('chat')), v.regex(/^(?:-?\d{1,20}|@\w{4,32})$/, must('chat'))),
  /** The token of the bot. */
  secret,
  /** Of a Bot API server of your own. */
  api: v.optional(webUrl, 'https://api.telegram.org'),
});
const mail = v.strictObject({
  ...named,
  kind: v.literal('mail'),
  server: v.pipe(v.string(must('mail-server')), v.check(isMailServer, must('mail-server'))),
  from: mailAddress,
  to: v.pipe(
    v.array(mailAddress, must('list', { example: '["night@brand.example"]' })),
    v.minLength(1, must('at-least-one', { of: 'mail' })),
  ),
  user: v.optional(oneLine),
  /** The password of `user`. */
  secret: v.optional(secret),
});

/** A chat whose webhook is itself a secret. */
function createChat<const Kind extends (typeof CHAT_KINDS)[number]>(kind: Kind) {
  return v.strictObject({
    ...named,
    kind: v.literal(kind),
    /** Where the address of its webhook is. */
    url: secret,
    /** Signs each message, for Feishu and DingTalk. */
    secret: v.optional(secret),
  });
}
const pagerduty = v.strictObject({
  ...named,
  kind: v.literal('pagerduty'),
  /** The integration key of a service. */
  secret,
  /** Of the region of the account. */
  api: v.optional(webUrl, 'https://events.pagerduty.com'),
});

/** A way to send messages. */
export const alertChannel = v.variant(
  'kind',
  [
    webhook,
    telegram,
    mail,
    createChat('slack'),
    createChat('discord'),
    createChat('teams'),
    createChat('feishu'),
    createChat('dingtalk'),
    createChat('wecom'),
    pagerduty,
  ],
  ({ expected }) => must(expected === 'Object' ? 'channel-object' : 'channel-kind'),
);

const receivers = v.pipe(
  v.array(name, must('list', { example: '["night"]' })),
  v.minLength(1, must('at-least-one', { of: 'channel' })),
);

const shift = v.pipe(
  v.strictObject({ name: oneLine, to: receivers, ...timeWindow }),
  v.rawCheck((context) => refuseBackwards(context)),
);

const rule = v.strictObject({
  /** Which kinds of incidents; all if it is left out. */
  when: v.optional(
    v.array(
      v.picklist(INCIDENT_KINDS, must('incident-kind', { known: INCIDENT_KINDS })),
      must('list', { example: '["line-down"]' }),
    ),
  ),
  /** Incidents that are at least this urgent. */
  severity: v.optional(choice(SEVERITIES), 'low'),
  /** Incidents about these lines; `*` stands for any text. Incidents that are about no line are not affected. */
  lines: v.optional(v.array(v.string(must('text')), must('list', { example: '["line1.example", "*"]' })), [
    '*',
  ]),
  to: receivers,
  /** Who is told, too, if nobody has taken the incident after that time. */
  escalate: v.optional(
    v.array(
      v.strictObject({ afterMinutes: count, to: receivers }),
      must('list', { example: '[{ "afterMinutes": 10, "to": ["team"] }]' }),
    ),
  ),
  /** The message is repeated this often while the incident lasts and nobody has taken it. */
  remindMinutes: v.optional(
    v.pipe(count, v.minValue(MIN_REMIND_MINUTES, must('reminder', { least: MIN_REMIND_MINUTES }))),
  ),
  /** Only at these hours; what begins outside of them is told when they begin, if it still lasts. */
  hours: v.optional(v.pipe(v.string(must('hours')), v.check(isHours, must('hours')))),
  /** Whether the end is told, too. */
  resolved: v.optional(v.boolean(must('boolean')), true),
});

const report = v.strictObject({ every: choice(['week', 'month']), to: receivers });

/** How sure the server must be. */
export const DEFAULT_CONFIRM = { everySeconds: 5, bad: 3, good: 2, calmSeconds: 60 } as const;
export const DEFAULT_OBJECTIVE = 0.99;
const OBJECTIVE = must('number', { least: 0.5, most: 0.9999 });

/** `alerts` of `site.json`: who is told of which incidents. */
export const alertSettings = v.pipe(
  v.strictObject({
    /** The part of the visitors who must get in. */
    objective: v.optional(
      v.pipe(v.number(OBJECTIVE), v.minValue(0.5, OBJECTIVE), v.maxValue(0.9999, OBJECTIVE)),
      DEFAULT_OBJECTIVE,
    ),
    confirm: v.optional(
      v.strictObject({
        /** A line whose condition has changed is asked this often. */
        everySeconds: v.optional(count, DEFAULT_CONFIRM.everySeconds),
        /** The number of bad checks in a row that open an incident. */
        bad: v.optional(count, DEFAULT_CONFIRM.bad),
        /** The number of good checks in a row that end the trouble. */
        good: v.optional(count, DEFAULT_CONFIRM.good),
        /** An incident is closed when its trouble has been over for this long. */
        calmSeconds: v.optional(count, DEFAULT_CONFIRM.calmSeconds),
      }),
      DEFAULT_CONFIRM,
    ),
    channels: v.optional(
      v.pipe(
        v.array(
          alertChannel,
          must('list', { example: '[{ "name": "night", "kind": "webhook", "url": "https://…" }]' }),
        ),
        v.checkItems(
          ({ name: own }, index, all) => all.findIndex((other) => other.name === own) === index,
          must('name-taken'),
        ),
      ),
      [],
    ),
    /** Who is told when. Rules name them as `on-call`. */
    onCall: v.optional(v.array(shift, must('list', { example: '[{ "name": "week-1", "to": ["night"] }]' }))),
    rules: v.optional(v.array(rule, must('list', { example: '[{ "to": ["night"] }]' })), []),
    /** How often visitors got in, by mail, each week or month. */
    reports: v.optional(
      v.array(report, must('list', { example: '[{ "every": "week", "to": ["office"] }]' })),
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { channels, rules, onCall = [], reports = [] } = dataset.value;
    const names = channels.map((each) => each.name);
    const known = onCall.length === 0 ? names : [...names, ON_CALL];
    const refuseUnknown = (
      to: readonly string[],
      at: readonly (string | number)[],
      allowed: readonly string[],
      expected: 'known-channel' | 'mail-channel' = 'known-channel',
    ) => {
      for (const [place, wanted] of to.entries()) {
        if (allowed.includes(wanted)) continue;
        addIssue({
          message: must(expected, { known: [...allowed] }),
          input: wanted,
          path: createPath([...at, place], dataset.value),
        });
      }
    };
    for (const [index, { to, escalate = [] }] of rules.entries()) {
      refuseUnknown(to, ['rules', index, 'to'], known);
      for (const [step, each] of escalate.entries())
        refuseUnknown(each.to, ['rules', index, 'escalate', step, 'to'], known);
    }
    for (const [index, { to }] of onCall.entries()) refuseUnknown(to, ['onCall', index, 'to'], names);
    const mails = channels.filter(({ kind }) => kind === 'mail').map((each) => each.name);
    for (const [index, { to }] of reports.entries())
      refuseUnknown(to, ['reports', index, 'to'], mails, 'mail-channel');
  }),
);

export type AlertSettings = v.InferOutput<typeof alertSettings>;
export type AlertChannel = AlertSettings['channels'][number];
export type AlertRule = AlertSettings['rules'][number];

function isMailServer(server: string): boolean {
  if (!hasShortHost(server) || !URL.canParse(server)) return false;
  const { protocol, hostname, username, pathname, search } = new URL(server);
  const isBare = username === '' && pathname.replace('/', '') === '' && search === '';
  return /^smtps?:$/.test(protocol) && hostname !== '' && isBare;
}

function isHours(hours: string): boolean {
  return HOURS.test(hours) && isTimeZone(hours.slice(hours.indexOf(' ') + 1));
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false; // There is no such time zone.
  }
}

function findUnknownPlaceholder(body: string): string | undefined {
  return [...body.matchAll(/\{\{(\w+)\}\}/g)]
    .map(([, name = '']) => name)
    .find((name) => !PLACEHOLDERS.includes(name));
}

function explainPlaceholder(name: string): string {
  return must('placeholder', { name, known: PLACEHOLDERS, meant: closestName(name, PLACEHOLDERS) });
}

/** Placeholders are put inside JSON texts, so that the body is JSON before and after. */
function isJsonTemplate(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
