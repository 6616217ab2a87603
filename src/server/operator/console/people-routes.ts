import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import {
  type AuditEntry,
  type ConsoleAccount,
  type ConsoleAudit,
  type ConsoleInvitation,
  type ConsoleNewToken,
  type ConsolePeople,
  type ConsoleRecoveryCodes,
  PEOPLE_SCHEMAS,
  isRoleEnough,
} from '../../../contract/people.ts';
import { PEOPLE_PATHS } from '../../../contract/paths.ts';
import { answerJson } from '../../http/answer.ts';
import { HttpError, refuseAllButGet, refuseAllButPost } from '../../http/errors.ts';
import { DATA_HEADERS } from '../../http/security-headers.ts';
import type { Accounts } from '../../people/accounts.ts';
import type { AuditLog } from '../../people/audit-log.ts';
import {
  type Invitation,
  changeRole,
  endSessionsOf,
  invitePerson,
  keepAnOwner,
  makeToken,
  removePerson,
  resetPerson,
  revokeToken,
} from '../../people/manage-people.ts';
import type { People, PeopleStore, Person } from '../../people/people-store.ts';
import type { Sessions } from '../../people/sessions.ts';
import type { VisitContext, VisitEnv } from '../../portal/visit.ts';
import { type Asker, readAsker } from '../access/asker.ts';
import { type Access, type Actor, type Demand, readCookies } from '../access/guard-access.ts';

export type PeopleRoutesDeps = {
  readonly access: Access;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly store: PeopleStore;
  readonly audit: AuditLog;
  /** Whether the site can be changed in the console. */
  readonly isEditing: boolean;
  readonly now: () => number;
};

/** What a handler knows of a call that was let through. */
type Call<Body = undefined> = { readonly actor: Actor; readonly asker: Asker; readonly body: Body };
type Schema = (typeof PEOPLE_SCHEMAS)[keyof typeof PEOPLE_SCHEMAS];

const MAX_BODY_BYTES = 8_192;
const AUDIT_PAGE = 100;
const DONE = { ok: true } as const;

const LOOK: Demand = { role: 'viewer' };
const OWN_CHANGE: Demand = { role: 'viewer', isChange: true };
const SENSITIVE_OWN_CHANGE: Demand = { role: 'viewer', isChange: true, isSensitive: true };
const OWNER_LOOKS: Demand = { role: 'owner' };
const OWNER_CHANGES: Demand = { role: 'owner', isChange: true, isSensitive: true };

/** The calls of the console about one's own account, other people, tokens, and the audit log. */
export function addPeopleRoutes(app: Hono<VisitEnv>, deps: PeopleRoutesDeps): void {
  const { access, accounts, sessions, store, audit, isEditing, now } = deps;

  get(PEOPLE_PATHS.account, LOOK, ({ actor }) => answerJson(describeAccount(actor)));
  post(PEOPLE_PATHS.confirm, OWN_CHANGE, PEOPLE_SCHEMAS.confirm, confirm);
  post(PEOPLE_PATHS.password, OWN_CHANGE, PEOPLE_SCHEMAS.password, async ({ actor, asker, body }) => {
    const person = await accounts.changePassword(requirePassword(actor), body, asker);
    return answerJson(DONE, restartSession(asker, person));
  });
  post(PEOPLE_PATHS.secondFactor, SENSITIVE_OWN_CHANGE, PEOPLE_SCHEMAS.nothing, ({ actor }) =>
    answerJson(accounts.prepareSecondFactor(requirePassword(actor))),
  );
  post(
    PEOPLE_PATHS.secondFactorCode,
    SENSITIVE_OWN_CHANGE,
    PEOPLE_SCHEMAS.code,
    async ({ actor, asker, body }) => {
      const own = requirePassword(actor);
      const { person, codes } = await accounts.replaceSecondFactor(own, body.code, asker);
      return answerJson({ codes } satisfies ConsoleRecoveryCodes, restartSession(asker, person));
    },
  );
  post(PEOPLE_PATHS.recoveryCodes, SENSITIVE_OWN_CHANGE, PEOPLE_SCHEMAS.nothing, async ({ actor, asker }) => {
    const codes = await accounts.replaceRecoveryCodes(requirePassword(actor), asker);
    return answerJson({ codes } satisfies ConsoleRecoveryCodes);
  });
  post(PEOPLE_PATHS.endSession, SENSITIVE_OWN_CHANGE, PEOPLE_SCHEMAS.session, (call) => {
    const { name } = requirePassword(call.actor);
    const current = call.actor.session?.id;
    const { id } = call.body;
    const ended = sessions.endWhere(
      (session) => session.person === name && (id === null ? session.id !== current : session.id === id),
    );
    if (ended > 0) note(call, { action: 'session-ended' });
    return answerJson(DONE);
  });

  get(PEOPLE_PATHS.people, OWNER_LOOKS, () => answerJson(describePeople(store.read())));
  post(PEOPLE_PATHS.invite, OWNER_CHANGES, PEOPLE_SCHEMAS.personAndRole, async (call) => {
    const { name, role } = call.body;
    const invitation = await store.update((people) => invitePerson(people, { name, role, now: now() }));
    note(call, { action: 'invited', to: name, detail: role });
    return answerJson(writeInvitation(invitation));
  });
  post(PEOPLE_PATHS.role, OWNER_CHANGES, PEOPLE_SCHEMAS.personAndRole, async (call) => {
    const { name, role } = call.body;
    await change((people) => changeRole(people, name, role));
    note(call, { action: 'role-changed', to: name, detail: role });
    return answerJson(DONE);
  });
  post(PEOPLE_PATHS.remove, OWNER_CHANGES, PEOPLE_SCHEMAS.person, async (call) => {
    const { name } = call.body;
    await change((people) => removePerson(people, name));
    note(call, { action: 'removed', to: name });
    return answerJson(DONE);
  });
  post(PEOPLE_PATHS.reset, OWNER_CHANGES, PEOPLE_SCHEMAS.person, async (call) => {
    const { name } = call.body;
    const invitation = await store.update((people) => {
      keepAnOwner(people, name);
      return resetPerson(people, name, now());
    });
    note(call, { action: 'reset', to: name });
    return answerJson(writeInvitation(invitation));
  });
  post(PEOPLE_PATHS.endSessions, OWNER_CHANGES, PEOPLE_SCHEMAS.person, async (call) => {
    const { name } = call.body;
    await change((people) => endSessionsOf(people, name));
    note(call, { action: 'session-ended', to: name });
    return answerJson(DONE);
  });
  post(PEOPLE_PATHS.makeToken, OWNER_CHANGES, PEOPLE_SCHEMAS.token, async (call) => {
    const token = { ...call.body, madeBy: call.actor.name, now: now() };
    const made = await store.update((people) => makeToken(people, token));
    note(call, { action: 'token-made', to: token.name, detail: token.role });
    return answerJson(made satisfies ConsoleNewToken);
  });
  post(PEOPLE_PATHS.revokeToken, OWNER_CHANGES, PEOPLE_SCHEMAS.tokenId, async (call) => {
    const { name } = await store.update((people) => revokeToken(people, call.body.id));
    note(call, { action: 'token-revoked', to: name });
    return answerJson(DONE);
  });

  get(PEOPLE_PATHS.audit, OWNER_LOOKS, async (_call, c) => {
    const before = Number(c.req.query('before') ?? Number.NaN);
    const entries = await audit.read({
      person: c.req.query('person') || undefined,
      before: Number.isFinite(before) ? before : undefined,
      limit: AUDIT_PAGE + 1,
    });
    const hasMore = entries.length > AUDIT_PAGE;
    return answerJson({ at: now(), entries: entries.slice(0, AUDIT_PAGE), hasMore } satisfies ConsoleAudit);
  });
  get(PEOPLE_PATHS.auditLines, OWNER_LOOKS, async () => {
    const headers = {
      ...DATA_HEADERS,
      'Content-Type': 'application/jsonl; charset=utf-8',
      'Cache-Control': 'no-store',
    };
    // Both are the web's own streams; Node declares them apart.
    return new Response(Readable.toWeb(await audit.openLines()) as ReadableStream, { headers });
  });

  function get(
    path: string,
    demand: Demand,
    answer: (call: Call, c: VisitContext) => Response | Promise<Response>,
  ): void {
    app
      .get(path, (c) => {
        const asker = readAsker(c);
        return answer({ actor: access.demand(asker, demand), asker, body: undefined }, c);
      })
      .all(refuseAllButGet);
  }

  function post<S extends Schema>(
    path: string,
    demand: Demand,
    schema: S,
    answer: (call: Call<v.InferOutput<S>>) => Response | Promise<Response>,
  ): void {
    const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => refuseBody('it is too long') });
    app
      .post(path, limit, async (c) => {
        const asker = readAsker(c);
        const actor = access.demand(asker, demand);
        return answer({ actor, asker, body: await readBody(c, schema) });
      })
      .all(refuseAllButPost);
  }

  async function confirm({
    actor,
    asker,
    body,
  }: Call<{ password: string; code: string }>): Promise<Response> {
    const { person, session } = actor;
    if (session === undefined) refuseNoPassword();
    const isRight =
      person === undefined
        ? access.isListenerToken(body.password, asker)
        : (await access.limitCaller(asker, () => accounts.signIn(person.name, body, asker))) !== undefined;
    audit.write({ by: actor.name, action: isRight ? 'confirmed' : 'sign-in-failed', prefix: asker.prefix });
    if (!isRight) throw new HttpError(403, { code: 'wrong-proof', message: 'Password or code is wrong.' });
    return answerJson(DONE, restartSession(asker, person));
  }

  /** A new key for the same browser, because it has proved anew who uses it. */
  function restartSession(asker: Asker, person: Person | undefined): Readonly<Record<string, string>> {
    const { prefix, isSecure } = asker;
    const start = { person: person?.name, epoch: person?.epoch ?? 0, prefix, isSecure };
    return { 'Set-Cookie': sessions.start(start, readCookies(asker)) };
  }

  function change(changePeople: (people: People) => People): Promise<undefined> {
    return store.update((people) => ({ next: changePeople(people), result: undefined }));
  }

  function note({ actor, asker }: Call<unknown>, entry: Pick<AuditEntry, 'action' | 'to' | 'detail'>): void {
    audit.write({ by: actor.name, ...entry, prefix: asker.prefix });
  }

  function describeAccount({ name, role, kind, person, session }: Actor): ConsoleAccount {
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

  function describePeople({ people, tokens }: People): ConsolePeople {
    const at = now();
    return {
      at,
      people: people.map(({ name, role, createdAt, epoch, signIn, invitation }) => ({
        name,
        role,
        createdAt,
        isSetUp: signIn !== undefined,
        invitedUntil: invitation !== undefined && invitation.endsAt > at ? invitation.endsAt : null,
        sessions: sessions.list(name, epoch).length,
      })),
      tokens: tokens
        .filter(({ endsAt }) => endsAt > at)
        .map(({ id, name, role, madeBy, createdAt, endsAt }) => ({
          id,
          name,
          role,
          madeBy,
          createdAt,
          endsAt,
        })),
    };
  }
}

async function readBody<S extends Schema>(c: VisitContext, schema: S): Promise<v.InferOutput<S>> {
  const body: unknown = await c.req.json().catch(() => refuseBody('it is not JSON'));
  const { success, output, issues } = v.safeParse(schema, body);
  if (success) return output;
  const [issue] = issues ?? [];
  const place = issue && v.getDotPath(issue);
  refuseBody(`${place ?? 'it'}: ${issue?.message ?? 'not as expected'}`);
}

function writeInvitation({ key, endsAt }: Invitation): ConsoleInvitation {
  return { path: `${PEOPLE_PATHS.invitation}?key=${key}`, endsAt };
}

/** The person who signed in here with a password; others have none to change. */
function requirePassword({ kind, person }: Actor): Person {
  return kind === 'password' && person !== undefined ? person : refuseNoPassword();
}

function refuseBody(reason: string): never {
  throw new HttpError(400, { code: 'body-invalid', message: `The body is not as expected: ${reason}.` });
}

function refuseNoPassword(): never {
  throw new HttpError(403, {
    code: 'no-password',
    message:
      'This is for people who signed in with a password. Tokens, and people named by a proxy, have none here.',
  });
}
