import type { ChannelKind } from '../../../contract/incidents.ts';
import type { Problems } from '../../live/describe-refusal.ts';
import type { ChannelKey } from './channel-forms.ts';

type FieldText = { readonly label: string; readonly help?: string; readonly hint?: string };

const webhookPlace: FieldText = {
  label: 'Where the address of its webhook is',
  help: 'The address is itself a secret, so write only where it is stored. How to store it is described below.',
};
const apiOfOwn: FieldText = { label: 'Address of the service', help: 'Only if it is not the usual one.' };

export const en = {
  channelsTitle: 'Channels',
  channelsNote: 'ways by which people are told of incidents',
  noChannels:
    'Nobody can be told yet. Add a channel, send a test by it, and then say in a rule when it is used.',
  unknownKind: 'a kind that this form does not know',
  addChannel: 'New channel',
  addChannelButton: 'Add the channel',
  kind: 'Kind',
  name: 'Name',
  nameHint: 'Rules use this name. Letters, digits, - and _. It cannot be changed later.',
  nameWrong: 'A name has 1 to 32 letters, digits, - and _.',
  nameTaken: 'Another channel has this name.',
  nameReserved: 'on-call stands for the people who are on call. Choose another name.',
  guide: 'How to get this',
  fields: {
    url: {
      label: 'Address',
      help: 'Each message is posted there as JSON.',
      hint: 'https://hooks.example.com/waypost',
    },
    secret: { label: 'Where its secret is' },
    body: {
      label: 'Own body',
      help: 'JSON that is sent instead of the default, with {{title}}, {{text}}, {{severity}} and others.',
      hint: '{ "msg": "{{text}}" }',
    },
    chat: { label: 'Chat', help: 'The id of the chat, or @channel.', hint: '-1001234567890' },
    api: apiOfOwn,
    server: {
      label: 'Mail server',
      help: 'smtp:// uses STARTTLS, smtps:// TLS from the start.',
      hint: 'smtp://mail.example:587',
    },
    from: { label: 'From', hint: 'waypost@example.com' },
    to: { label: 'To', help: 'One address per row.', hint: 'night@example.com' },
    user: { label: 'User of the mail server', help: 'Empty: without signing in.' },
    timeZone: {
      label: 'Time zone of its readers',
      help: 'Times in messages are in it.',
      hint: 'Asia/Singapore',
    },
  } satisfies Record<ChannelKey, FieldText> as Record<ChannelKey, FieldText>,
  /** Where a kind calls a key something else. */
  fieldsOf: {
    webhook: {
      secret: {
        label: 'Where the key of its signature is',
        help: 'Optional. Receivers then know that a message is ours.',
      },
    },
    mail: { secret: { label: 'Where the password is' } },
    telegram: { secret: { label: 'Where the token of its bot is' } },
    slack: { url: webhookPlace },
    discord: { url: webhookPlace },
    teams: { url: webhookPlace },
    feishu: {
      url: webhookPlace,
      secret: { label: 'Where the key of its signature is', help: 'Only if the bot demands one.' },
    },
    dingtalk: {
      url: webhookPlace,
      secret: { label: 'Where the key of its signature is', help: 'Only if the bot demands one.' },
    },
    wecom: { url: webhookPlace },
    pagerduty: { secret: { label: 'Where the integration key is' } },
  } as Readonly<Partial<Record<ChannelKind, Readonly<Partial<Record<ChannelKey, FieldText>>>>>>,
  more: 'More settings',
  secretHint: 'env:WAYPOST_ALERT_NIGHT or file:night',
  howToSet: 'How to set it',
  howToSetNote:
    'Secrets are not part of the site, and this page never sees them. The person who runs the server sets them:',
  ways: { systemd: 'systemd', compose: 'Compose' },
  setSystemd: "Add this row to /etc/waypost/environment, then run: systemctl restart 'waypost@*'",
  setCompose:
    'Add the first row to .env, the second one to environment in compose.yaml, then run: docker compose up -d',
  setFile: 'Write it into this file in the data folder of each portal. No restart is needed.',
  secretItself: 'the-secret-itself',
  useFile: 'Use a file instead',
  useVariable: 'Use a variable instead',
  test: 'Send a test',
  testOf: (name: string) => `Send a test by ${name}`,
  testing: 'Sending … this may take 15 seconds.',
  testTaken: 'It was taken. Now look whether it has arrived.',
  testAnswer: (status: number, words: string) =>
    words === '' ? `The answer: status ${status}.` : `The answer: status ${status}, “${words}”.`,
  testFailed: (why: string) => `It was not taken: ${why}.`,
  testFaults: 'Correct this channel first:',
  testLost: 'The server could not be reached.',
  testProblems: {
    'desk-busy': 'Other tests are under way. Try again in some seconds.',
    'unknown-channel': 'This channel is not in your draft yet. Save it first.',
  } satisfies Problems as Problems,
  removeChannel: 'Remove this channel',
  removeChannelOf: (name: string) => `Remove the channel ${name}`,

  rulesTitle: 'Rules',
  rulesNote: 'who is told of what, and when',
  rulesNeedChannel: 'Add a channel first: a rule says when it is used.',
  noRules: 'There is no rule yet, so nobody is told of anything.',
  addRule: 'Tell of everything, at any hour',
  addNightRule: 'Wake somebody at night',
  ruleOf: (number: number) => `Rule ${number}`,
  when: 'When',
  anything: 'anything goes wrong',
  severity: 'and it is at least',
  anySeverity: 'low: any severity',
  lines: 'with one of these lines',
  linesHelp:
    'One per row; * stands for any text. Empty: all lines. Incidents that are about no line are told in every case.',
  hours: 'at',
  anyHour: 'any hour',
  onlyHours: 'only at some hours',
  hoursFrom: 'From',
  hoursUntil: 'to',
  hoursZone: 'Time zone',
  to: 'tell',
  onCall: 'Who is on call',
  // Inside of a sentence.
  onCallInside: 'who is on call',
  noReceiver: 'Choose at least one.',
  remind: 'Say it again every … minutes',
  remindHelp: 'Until somebody takes the incident. At least 5. Empty: once is enough.',
  escalate: 'If nobody takes it',
  afterMinutes: 'within … minutes',
  stepTo: 'tell, too',
  addStep: 'Add somebody who is told then',
  removeStep: 'Remove this step',
  removeStepOf: (number: number) => `Remove step ${number}`,
  resolved: 'Tell when it is over',
  removeRule: 'Remove this rule',
  removeRuleOf: (number: number) => `Remove rule ${number}`,
  // In the place of the name that an incident would have.
  someLine: 'a line',
  someStore: 'the database',
  some: '…',

  onCallTitle: 'On call',
  onCallNote: 'who is told when a rule says “who is on call”',
  noOnCall: 'There is no shift. If people take turns, add a channel, and then a shift for each of them.',
  addShift: 'Add a shift',
  shift: (name: string) => (name === '' ? 'Shift' : name),
  shiftName: 'Who, or which week',
  newShift: (number: number) => `shift ${number}`,
  shiftTo: 'is told by',
  removeShift: 'Remove this shift',
  removeShiftOf: (name: string) => `Remove ${name}`,
};
