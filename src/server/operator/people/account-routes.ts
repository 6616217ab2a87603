import type { Hono } from 'hono';
import { type ConsoleAccount, type ConsoleRecoveryCodes, PEOPLE_SCHEMAS } from '../../../contract/people.ts';
import { isRoleEnough } from '../../../contract/roles.ts';
import { PEOPLE_PATHS } from '../../../contract/paths.ts';
import { answerJson } from '../../http/answer.ts';
import { HttpError } from '../../http/errors.ts';
import type { Accounts } from '../../people/create-accounts.ts';
import type { AuditLog } from '../../people/open-audit-log.ts';
import type { Person } from '../../people/open-people-store.ts';
import type { Sessions } from '../../people/open-sessions.ts';
import type { OperatorEnv, OperatorRequest } from '../access/operator-request.ts';
import type { Access, Actor, Demand } from '../access/guard-access.ts';
import { type Call, createCalls, DONE, LOOK } from '../access/create-calls.ts';
import { startSession } from './sign-in-form.ts';

export type AccountRoutesDeps = {
  readonly access: Access;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly audit: AuditLog;
  /** Whether the site can be changed in the console. */
  readonly isEditing: boolean;
  readonly now: () => number;
};

const CHANGE: Demand = { role: 'viewer', isChange: true };
const SENSITIVE: Demand = { role: 'viewer', isChange: true, isSensitive: true };

/** The calls of the console about one's own account. */
export function addAccountRoutes(app: Hono<OperatorEnv>, deps: AccountRoutesDeps): void {
  const { access, accounts, sessions, audit } = deps;
  const { get, post, note } = createCalls(app, deps);

  get(PEOPLE_PATHS.account, LOOK, ({ actor }) => answerJson(describeAccount(actor, deps)));
  post(PEOPLE_PATHS.confirm, { demand: CHANGE, schema: PEOPLE_SCHEMAS.confirm }, confirm);
  post(
    PEOPLE_PATHS.password,
    { demand: CHANGE, schema: PEOPLE_SCHEMAS.password },
    async ({ actor, request, body }) => {
      const person = await accounts.changePassword(requirePassword(actor), body, request);
      return answerJson(DONE, await restartSession(deps, request, person));
    },
  );
  post(PEOPLE_PATHS.secondFactor, { demand: SENSITIVE, schema: PEOPLE_SCHEMAS.nothing }, ({ actor }) =>
    answerJson(accounts.prepareSecondFactor(requirePassword(actor))),
  );
  post(
    PEOPLE_PATHS.secondFactorCode,
    { demand: SENSITIVE, schema: PEOPLE_SCHEMAS.code },
    async ({ actor, request, body }) => {
      const own = requirePassword(actor);
      const { person, codes } = await accounts.replaceSecondFactor(own, body.code, request);
      return answerJson(
        { codes } satisfies ConsoleRecoveryCodes,
        await restartSession(deps, request, person),
      );
    },
  );
  post(
    PEOPLE_PATHS.recoveryCodes,
    { demand: SENSITIVE, schema: PEOPLE_SCHEMAS.nothing },
    async ({ actor, request }) => {
      const codes = await accounts.replaceRecoveryCodes(requirePassword(actor), request);
      return answerJson({ codes } satisfies ConsoleRecoveryCodes);
    },
  );
  post(PEOPLE_PATHS.endSession, { demand: SENSITIVE, schema: PEOPLE_SCHEMAS.session }, async (call) => {
    const { name } = requirePassword(call.actor);
    const current = call.actor.session?.id;
    const { id } = call.body;
    const ended = await sessions.endWhere(
      (session) => session.person === name && (id === null ? session.id !== current : session.id === id),
    );
    if (ended > 0) note(call, { action: 'session-ended' });
    return answerJson(DONE);
  });

  async function confirm({
    actor,
    request,
    body,
  }: Call<{ password: string; code: string }>): Promise<Response> {
    const { person, session } = actor;
    if (session === undefined) refuseNoPassword();
    const isRight =
      person === undefined
        ? await access.isListenerToken(body.password, request)
        : (await access.limitCaller(request, () => accounts.signIn(person.name, body, request))) !==
          undefined;
    audit.write({ by: actor.name, action: isRight ? 'confirmed' : 'sign-in-failed', prefix: request.prefix });
    if (!isRight) throw new HttpError(403, { code: 'wrong-proof', message: 'Password or code is wrong.' });
    return answerJson(DONE, await restartSession(deps, request, person));
  }
}

/** Gives the same browser a new key, because its user has just proved who they are. */
async function restartSession(
  { access, sessions }: Pick<AccountRoutesDeps, 'access' | 'sessions'>,
  request: OperatorRequest,
  person: Person | undefined,
): Promise<Readonly<Record<string, string>>> {
  const signedIn = { person: person?.name, epoch: person?.epoch ?? access.tokenEpoch };
  return { 'Set-Cookie': await startSession({ sessions }, request, signedIn) };
}

function describeAccount(
  { name, role, kind, person, session }: Actor,
  { sessions, isEditing, now }: Pick<AccountRoutesDeps, 'sessions' | 'isEditing' | 'now'>,
): ConsoleAccount {
  const own = kind === 'password' && person ? sessions.list(person.name, person.epoch) : [];
  return {
    at: now(),
    name,
    role,
    kind,
    mayEdit: isEditing && isRoleEnough(role, 'editor'),
    recoveryCodes: kind === 'password' ? (person?.signIn?.recoveryCodes.length ?? 0) : null,
    sessions: own.map(({ id, startedAt, seenAt, prefix }) => ({
      id,
      startedAt,
      seenAt,
      prefix,
      isThis: id === session?.id,
    })),
  };
}

/** The person who signed in here with a password; others have none to change. */
function requirePassword({ kind, person }: Actor): Person {
  return kind === 'password' && person !== undefined ? person : refuseNoPassword();
}

function refuseNoPassword(): never {
  throw new HttpError(403, {
    code: 'no-password',
    message:
      'This is for people who signed in with a password. Tokens, and people named by a proxy, have none here.',
  });
}
