/** Every code that ends an error message, a fault or a warning. `docs/errors.md` explains each of them. */

/** What is wrong with a site folder. */
export const SITE_CODES = [
  'missing-folder',
  'too-many-files',
  'missing-file',
  'unusable-file',
  'broken-json',
  'repeated-key',
  'unknown-key',
  'missing-key',
  'invalid-value',
  'invalid-target-name',
  'unusable-image',
  'wrong-qr-code',
  'missing-link',
  'too-many-faults',
  'no-countries',
  'no-systems',
  'unusable-mmdb',
  'incomplete-mmdb',
  'not-loaded',
] as const;

/** What is valid in a site folder, but probably a mistake. */
export const WARNING_CODES = [
  'demo-content',
  'unreachable-name',
  'both-schemes',
  'missing-texts',
  'unknown-placeholder',
  'low-contrast',
  'unusual-limits',
  'misshapen-image',
  'large-image',
] as const;

/** What is wrong with a line, or soon will be. */
export const LINE_CODES = [
  'timeout',
  'unreachable',
  'mixed-content',
  'certificate',
  'upgrade',
  'redirect',
  'not-allowed',
  'status',
  'no-marker',
  'other-marker',
  'not-exposed',
  'page-status',
  'page-no-answer',
  'health-no-answer',
  'health-status',
  'health-body',
  'stay-no-worker',
  'stay-scope',
  'stay-type',
  'no-timing',
  'certificate-ends-soon',
] as const;

/** What a database may answer that was usable before. */
const STORE_CODES = ['store-away', 'store-full', 'store-uncertain'] as const;

/** Why a command ended. */
export const COMMAND_CODES = [
  'usage',
  'listen',
  'secret',
  'store',
  ...STORE_CODES,
  'people',
  'deadline',
  'unsettled-folder',
  'web-build',
  'line-hosts',
  'folder-in-use',
  'backup',
  'site',
  'not-exportable',
  'data-in-use',
  'data-folder',
  'no-versions',
  'nothing-changed',
  'unknown-version',
  'version-damaged',
  'message',
  'no-access',
  'unexpected',
] as const;

/** Why a request was not answered as it asked. */
export const API_CODES = [
  'bad-request',
  'body-incomplete',
  'report-too-large',
  'report-invalid',
  'ticket-invalid',
  'ticket-expired',
  'ticket-spent',
  'index-unknown',
  'events-too-large',
  'events-invalid',
  'message-invalid',
  'filter-invalid',
  'network-invalid',
  'range-invalid',
  'time-invalid',
  'body-invalid',
  'password-too-short',
  'password-too-long',
  'password-too-easy',
  'token-required',
  'preview-link-needed',
  'foreign-origin',
  'role-too-low',
  'confirm-required',
  'wrong-proof',
  'wrong-password',
  'wrong-code',
  'no-password',
  'session-closed',
  'not-found',
  'unknown-line',
  'no-moment',
  'unknown-session',
  'unknown-incident',
  'unknown-campaign',
  'unknown-channel',
  'unknown-person',
  'unknown-token',
  'method-not-allowed',
  'name-taken',
  'last-owner',
  'changed-meanwhile',
  'message-too-large',
  'url-too-long',
  'other-content-type',
  'host-not-loopback',
  'rate-limited',
  'too-many-tries',
  'restricted-region',
  'maintenance',
  'internal',
  'channel-failed',
  'intake-full',
  'too-busy',
  'too-many-consoles',
  'too-many-sign-ins',
  'recovery-code-away',
  ...STORE_CODES,
] as const;

/** Why the desk, which keeps drafts and versions, did not do as it was asked. */
export const DESK_CODES = [
  'editing-off',
  'body-too-large',
  'edit-refused',
  'file-refused',
  'owner-required',
  'unknown-version',
  'unknown-file',
  'nothing-changed',
  'version-conflict',
  'draft-conflict',
  'draft-changed',
  'draft-full',
  'draft-invalid',
  'took-too-long',
  'desk-busy',
  'version-damaged',
] as const;

export type SiteCode = (typeof SITE_CODES)[number];

export type WarningCode = (typeof WARNING_CODES)[number];
export type LineCode = (typeof LINE_CODES)[number];
export type CommandCode = (typeof COMMAND_CODES)[number];
export type StoreCode = (typeof STORE_CODES)[number];
export type DeskCode = (typeof DESK_CODES)[number];
export type ApiCode = (typeof API_CODES)[number] | DeskCode;

/** A sentence for a person, without its full stop, and a code for a program and for `docs/errors.md`. */
export type Coded<Code extends SiteCode | WarningCode | LineCode | CommandCode> = {
  readonly code: Code;
  readonly message: string;
};

/** Writes a message with its code at the end: its start is the place in the file, which editors and people look for. */
export function writeCoded({
  code,
  message,
}: Coded<SiteCode | WarningCode | LineCode | CommandCode>): string {
  return `${message} [${code}]`;
}
