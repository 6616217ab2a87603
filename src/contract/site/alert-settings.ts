import * as v from 'valibot';
import { INCIDENT_KINDS, SEVERITIES } from '../incidents.ts';
import { closestName } from './closest-name.ts';
import { count, hasShortHost, mailAddress, oneLine, webUrl } from './site-values.ts';

const NAME = /^[\w-]{1,32}$/;
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
  'affected',
  'visitors',
  'at',
  'startedAt',
  'endedAt',
  'id',
  'incident',
];

const name = v.pipe(
  v.string('must be a name such as "night"'),
  v.regex(NAME, 'must be a name of at most 32 letters, digits, - and _'),
);
/** Where a secret is. Never the secret itself: the site folder is not the place for it. */
const secret = v.pipe(
  v.string('must be a text such as "env:WAYPOST_ALERT_NIGHT"'),
  v.regex(
    SECRET,
    'must say where the secret is: "env:WAYPOST_ALERT_…" (a variable), or "file:NAME" (a file in the folder "secrets" of the data folder)',
  ),
);

const webhook = v.strictObject({
  name,
  kind: v.literal('webhook'),
  url: webUrl,
  /** Signs each message. */
  secret: v.optional(secret),
  /** Replaces the JSON of the message; `{{…}}` are placeholders. */
  body: v.optional(
    v.pipe(
      v.string('must be a text that holds JSON, such as "{\\"text\\":\\"{{text}}\\"}"'),
      v.minLength(1, 'must not be empty'),
      v.check(
        isJsonTemplate,
        'must be JSON, with placeholders such as {{title}} inside its texts: docs/alerts.md has examples',
      ),
      v.check(
        (body) => findUnknownPlaceholder(body) === undefined,
        ({ input }) => explainPlaceholder(findUnknownPlaceholder(input) ?? ''),
      ),
    ),
  ),
});
const telegram = v.strictObject({
  name,
  kind: v.literal('telegram'),
  chat: v.pipe(
    v.string('must be the id of a chat, as a text such as "-1001234567890" or "@channel"'),
    v.regex(/^(?:-?\d{1,20}|@\w{4,32})$/, 'must be the id of a chat such as "-1001234567890" or "@channel"'),
  ),
  /** The token of the bot. */
  secret,
  /** Of a Bot API server of your own. */
  api: v.optional(webUrl, 'https://api.telegram.org'),
});
const mail = v.strictObject({
  name,
  kind: v.literal('mail'),
  server: v.pipe(
    v.string('must be a mail server such as "smtp://mail.example:587"'),
    v.check(
      isMailServer,
      'must be a mail server such as "smtp://mail.example:587" (STARTTLS) or "smtps://mail.example:465" (TLS)',
    ),
  ),
  from: mailAddress,
  to: v.pipe(
    v.array(mailAddress, 'must be a list of mail addresses'),
    v.minLength(1, 'must name at least one mail address'),
  ),
  user: v.optional(oneLine),
  /** The password of `user`. */
  secret: v.optional(secret),
});

const channel = v.variant('kind', [webhook, telegram, mail], ({ expected }) =>
  expected === 'Object'
    ? 'must be an object with the keys name, kind and those of its kind'
    : 'must be "webhook" (Slack, Feishu and others take one), "telegram" or "mail"',
);

const rule = v.strictObject({
  /** Which kinds of incidents; all if it is left out. */
  when: v.optional(
    v.array(
      v.picklist(INCIDENT_KINDS, `must be one of ${INCIDENT_KINDS.join(', ')}`),
      'must be a list of kinds such as ["line-down"]',
    ),
  ),
  /** Incidents that are at least this urgent. */
  severity: v.optional(v.picklist(SEVERITIES, 'must be "low", "medium" or "high"'), 'low'),
  /** Incidents about these lines; `*` stands for any text. Incidents that are about no line are not affected. */
  lines: v.optional(
    v.array(v.string('must be a host such as "line1.example" or "*"'), 'must be a list of hosts'),
    ['*'],
  ),
  to: v.pipe(
    v.array(name, 'must be a list of names of channels'),
    v.minLength(1, 'must name at least one channel'),
  ),
  /** The message is repeated this often while the incident lasts and nobody has taken it. */
  remindMinutes: v.optional(
    v.pipe(
      count,
      v.minValue(MIN_REMIND_MINUTES, `must be at least ${MIN_REMIND_MINUTES}: leave it out for no reminders`),
    ),
  ),
  /** Only at these hours; what begins outside of them is told when they begin, if it still lasts. */
  hours: v.optional(
    v.pipe(
      v.string('must be hours such as "22:00-08:00 Asia/Singapore"'),
      v.check(isHours, 'must be hours with a time zone such as "22:00-08:00 Asia/Singapore"'),
    ),
  ),
  /** Whether the end is told, too. */
  resolved: v.optional(v.boolean('must be true or false'), true),
});

/** How sure the server must be. */
export const DEFAULT_CONFIRM = { everySeconds: 5, bad: 3, good: 2, calmSeconds: 60 } as const;
export const DEFAULT_OBJECTIVE = 0.99;

/** `alerts` of `site.json`: who is told of which incidents. */
export const alertSettings = v.pipe(
  v.strictObject({
    /** The part of the visitors who must get in. */
    objective: v.optional(
      v.pipe(
        v.number('must be a number such as 0.99'),
        v.minValue(0.5, 'must be from 0.5 to 0.9999'),
        v.maxValue(0.9999, 'must be from 0.5 to 0.9999'),
      ),
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
        v.array(channel, 'must be a list of channels'),
        v.checkItems(
          ({ name: own }, index, all) => all.findIndex((other) => other.name === own) === index,
          'must have a name that no channel before it has',
        ),
      ),
      [],
    ),
    rules: v.optional(v.array(rule, 'must be a list of rules'), []),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { channels, rules } = dataset.value;
    const known = new Set(channels.map((each) => each.name));
    const hint = known.size > 0 ? `: ${[...known].join(', ')}` : '';
    for (const [index, { to }] of rules.entries()) {
      for (const [place, wanted] of to.entries()) {
        if (known.has(wanted)) continue;
        addIssue({
          message: `must be the name of a channel in alerts.channels${hint}`,
          input: wanted,
          path: [
            { type: 'object', origin: 'value', input: dataset.value, key: 'rules', value: rules },
            { type: 'array', origin: 'value', input: rules, key: index, value: rules[index] },
            { type: 'object', origin: 'value', input: { to }, key: 'to', value: to },
            { type: 'array', origin: 'value', input: to, key: place, value: wanted },
          ],
        });
      }
    }
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
  if (!HOURS.test(hours)) return false;
  try {
    const timeZone = hours.slice(hours.indexOf(' ') + 1);
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false; // No such time zone.
  }
}

function findUnknownPlaceholder(body: string): string | undefined {
  return [...body.matchAll(/\{\{(\w+)\}\}/g)]
    .map(([, name = '']) => name)
    .find((name) => !PLACEHOLDERS.includes(name));
}

/** Completes the sentence "alerts.channels[0].body …". */
function explainPlaceholder(name: string): string {
  const closest = closestName(name, PLACEHOLDERS);
  const instead =
    closest === undefined ? `write one of ${PLACEHOLDERS.join(', ')}` : `did you mean {{${closest}}}?`;
  return `has {{${name}}}, which is no placeholder: ${instead}`;
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
