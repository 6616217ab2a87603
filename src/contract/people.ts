import * as v from 'valibot';
import { must } from './faults/site-fault.ts';
import { ROLES, type Role } from './roles.ts';
import { choice, wholeNumber } from './site/site-values.ts';
import { DAY_MS } from './time-units.ts';

/** Who may do what in the operator's console, and what its calls about people take and answer. Times are ms since 1970. */

export const MIN_PASSWORD_CHARS = 12;
export const MAX_PASSWORD_CHARS = 128;
export const RECOVERY_CODE_COUNT = 10;
/** An invitation works once, and for this long. */
export const INVITATION_LIFE_MS = DAY_MS;
/** After a password and a code were given, sensitive changes need no new ones for this long. */
export const CONFIRMATION_MS = 600_000;
export const MAX_TOKEN_DAYS = 365;

/** The actor in the audit log if it is neither a person nor an owner's token. */
export const LISTENER_TOKEN_NAME = 'WAYPOST_OPS_TOKEN';
export const LOOPBACK_NAME = 'loopback';
export const COMMAND_LINE_NAME = 'command line';
/** A wrong name is not logged: it may be a password typed into the wrong field. */
export const UNKNOWN_NAME = 'unknown name';

const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._@+-]{0,63}$/u;
export const NAME_RULE = 'a name of 1 to 64 letters, digits, spaces and . _ @ + -, such as "li.wei"';

const name = v.pipe(v.string(), v.trim(), v.normalize('NFC'), v.regex(NAME, must('person-name')));
const role = choice(ROLES);
const password = v.pipe(v.string(), v.maxLength(1_024));
const code = v.pipe(v.string(), v.maxLength(64));

export const nameSchema = name;

/** What each call takes. Unknown keys are refused. */
export const PEOPLE_SCHEMAS = {
  person: v.strictObject({ name }),
  personAndRole: v.strictObject({ name, role }),
  token: v.strictObject({
    name,
    role,
    days: wholeNumber(1, MAX_TOKEN_DAYS),
  }),
  tokenId: v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) }),
  confirm: v.strictObject({ password, code }),
  password: v.strictObject({ current: password, next: password }),
  code: v.strictObject({ code }),
  session: v.strictObject({ id: v.nullable(v.pipe(v.string(), v.maxLength(64))) }),
  nothing: v.strictObject({}),
} as const;

/** How somebody came in: nothing was asked for, with a token, named by a proxy, or with password and code. */
export type AccessKind = 'open' | 'token' | 'proxy' | 'password';

/** What the console knows about the person who looks at it. */
export type ConsoleAccount = {
  readonly at: number;
  readonly name: string;
  readonly role: Role;
  readonly kind: AccessKind;
  /** The role allows to change the site, and editing is on. */
  readonly mayEdit: boolean;
  /** How many recovery codes are left. Null for people without a password. */
  readonly recoveryCodes: number | null;
  /** Newest first. */
  readonly sessions: readonly ConsoleSession[];
};

export type ConsoleSession = {
  readonly id: string;
  readonly startedAt: number;
  readonly seenAt: number;
  /** Such as `203.0.113.0/24`. */
  readonly prefix: string;
  /** True for the session that asks. */
  readonly isThis: boolean;
};

export type ConsolePeople = {
  readonly at: number;
  readonly people: readonly ConsolePerson[];
  readonly tokens: readonly ConsoleToken[];
};

export type ConsolePerson = {
  readonly name: string;
  readonly role: Role;
  readonly createdAt: number;
  /** False until the invitation was used. */
  readonly isSetUp: boolean;
  /** When the open invitation ends. Null if there is none. */
  readonly invitedUntil: number | null;
  readonly sessions: number;
};

export type ConsoleToken = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly madeBy: string;
  readonly createdAt: number;
  readonly endsAt: number;
};

/** The link is a path of the console's own listener. */
export type ConsoleInvitation = { readonly path: string; readonly endsAt: number };

/** Shown once: the server keeps only a hash of it. */
export type ConsoleNewToken = { readonly token: string; readonly endsAt: number };

/** What an authenticator app needs: as an address, as its picture (SVG), and as text to be typed. */
export type ConsoleSecondFactor = {
  readonly secret: string;
  readonly uri: string;
  readonly qr: string;
};

/** Shown once: the server keeps only hashes of them. */
export type ConsoleRecoveryCodes = { readonly codes: readonly string[] };

/** Everything that the audit log records. */
export const AUDIT_ACTIONS = [
  'signed-in',
  'sign-in-failed',
  'sign-in-limited',
  'signed-out',
  'confirmed',
  'session-ended',
  'invited',
  'invitation-used',
  'role-changed',
  'removed',
  'reset',
  'password-changed',
  'second-factor-changed',
  'recovery-code-used',
  'recovery-codes-made',
  'token-made',
  'token-revoked',
  'draft-begun',
  'draft-discarded',
  'published',
  'rolled-back',
  'incident-taken',
  'channel-tested',
  'session-watched',
  'recordings-erased',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** One line of the audit log. */
export type AuditEntry = {
  readonly at: number;
  /** Tells entries of the same time apart. */
  readonly id: string;
  /** Who did it: a person, a token, or `command line`. */
  readonly by: string;
  readonly action: AuditAction;
  /** Whom or what it was done to, if not to themselves. */
  readonly to?: string | undefined;
  readonly detail?: string | undefined;
  /** The address range that it came from, such as `203.0.113.0/24`; never an address. */
  readonly prefix?: string | undefined;
  /** True if nobody knows whether it took effect: the disk or the database did not answer. */
  readonly isUncertain?: boolean | undefined;
};

export type ConsoleAudit = {
  readonly at: number;
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Asks for older entries, as `?before=`. Null if there are none. */
  readonly next: string | null;
};
