import type { Hono } from 'hono';
import {
  type ConsoleAudit,
  type ConsoleInvitation,
  type ConsoleNewToken,
  type ConsolePeople,
  PEOPLE_SCHEMAS,
} from '../../../contract/people.ts';
import { PEOPLE_PATHS } from '../../../contract/paths.ts';
import { answerJson, uncached } from '../../http/answer.ts';
import type { AuditLog, AuditPlace } from '../../people/open-audit-log.ts';
import { changeAndNote } from '../../people/change-and-note.ts';
import {
  type Invitation,
  changeRole,
  endSessionsOf,
  findPerson,
  invitePerson,
  refuseLastOwner,
  makeToken,
  removePerson,
  resetPerson,
  revokeToken,
} from '../../people/manage-people.ts';
import type { People, PeopleStore } from '../../people/open-people-store.ts';
import type { Sessions } from '../../people/open-sessions.ts';
import type { OperatorEnv } from '../access/operator-request.ts';
import type { Access, Demand } from '../access/guard-access.ts';
import { type Calls, createCalls, DONE } from '../access/create-calls.ts';

export type PeopleRoutesDeps = {
  readonly access: Pick<Access, 'demand'>;
  readonly sessions: Pick<Sessions, 'list'>;
  readonly store: PeopleStore;
  readonly audit: AuditLog;
  /** Gives up what a person has left behind. Undefined where there is nothing to leave. */
  readonly discardDraft?: ((name: string) => Promise<void>) | undefined;
  readonly now: () => number;
};

const AUDIT_PAGE = 100;

const MANAGE: Demand = { role: 'owner' };
const CHANGE: Demand = { role: 'owner', isChange: true, isSensitive: true };

/** The calls with which owners manage people and tokens, and read the audit log. */
export function addPeopleRoutes(app: Hono<OperatorEnv>, deps: PeopleRoutesDeps): void {
  const calls = createCalls(app, deps);
  addPersonCalls(calls, deps);
  addTokenCalls(calls, deps);
  addAuditCalls(calls, deps);
}

function addPersonCalls({ get, post, note }: Calls, deps: PeopleRoutesDeps): void {
  const { store, now } = deps;
  get(PEOPLE_PATHS.people, MANAGE, () => answerJson(describePeople(store.read(), deps)));
  post(PEOPLE_PATHS.invite, { demand: CHANGE, schema: PEOPLE_SCHEMAS.personAndRole }, async (call) => {
    const { name, role } = call.body;
    const invitation = await changeAndNote(
      store,
      (people) => invitePerson(people, { name, role, now: now() }),
      (_, outcome) => note(call, { action: 'invited', to: name, detail: role, ...outcome }),
    );
    return answerJson(writeInvitation(invitation));
  });
  post(PEOPLE_PATHS.role, { demand: CHANGE, schema: PEOPLE_SCHEMAS.personAndRole }, async (call) => {
    const { name, role } = call.body;
    await changeAndNote(
      store,
      (people) => ({ next: changeRole(people, name, role), result: undefined }),
      (_, outcome) => note(call, { action: 'role-changed', to: name, detail: role, ...outcome }),
    );
    return answerJson(DONE);
  });
  post(PEOPLE_PATHS.remove, { demand: CHANGE, schema: PEOPLE_SCHEMAS.person }, async (call) => {
    const { name } = call.body;
    const removed = await changeAndNote(
      store,
      (people) => ({ next: removePerson(people, name), result: findPerson(people, name)?.name ?? name }),
      (_, outcome) => note(call, { action: 'removed', to: name, ...outcome }),
    );
    await deps.discardDraft?.(removed);
    return answerJson(DONE);
  });
  post(PEOPLE_PATHS.reset, { demand: CHANGE, schema: PEOPLE_SCHEMAS.person }, async (call) => {
    const { name } = call.body;
    const invitation = await changeAndNote(
      store,
      (people) => {
        refuseLastOwner(people, name);
        return resetPerson(people, name, now());
      },
      (_, outcome) => note(call, { action: 'reset', to: name, ...outcome }),
    );
    return answerJson(writeInvitation(invitation));
  });
  post(PEOPLE_PATHS.endSessions, { demand: CHANGE, schema: PEOPLE_SCHEMAS.person }, async (call) => {
    const { name } = call.body;
    await changeAndNote(
      store,
      (people) => ({ next: endSessionsOf(people, name), result: undefined }),
      (_, outcome) => note(call, { action: 'session-ended', to: name, ...outcome }),
    );
    return answerJson(DONE);
  });
}

function addTokenCalls({ post, note }: Calls, { store, now }: PeopleRoutesDeps): void {
  post(PEOPLE_PATHS.makeToken, { demand: CHANGE, schema: PEOPLE_SCHEMAS.token }, async (call) => {
    const token = { ...call.body, madeBy: call.actor.name, now: now() };
    const made = await changeAndNote(
      store,
      (people) => makeToken(people, token),
      (_, outcome) => note(call, { action: 'token-made', to: token.name, detail: token.role, ...outcome }),
    );
    return answerJson(made satisfies ConsoleNewToken);
  });
  post(PEOPLE_PATHS.revokeToken, { demand: CHANGE, schema: PEOPLE_SCHEMAS.tokenId }, async (call) => {
    await changeAndNote(
      store,
      (people) => revokeToken(people, call.body.id),
      ({ name }, outcome) => note(call, { action: 'token-revoked', to: name, ...outcome }),
    );
    return answerJson(DONE);
  });
}

function addAuditCalls({ get }: Calls, { audit, now }: PeopleRoutesDeps): void {
  get(PEOPLE_PATHS.audit, MANAGE, async (_call, c) => {
    const entries = await audit.read({
      person: c.req.query('person') || undefined,
      before: readPlace(c.req.query('before') ?? ''),
      limit: AUDIT_PAGE + 1,
    });
    const shown = entries.slice(0, AUDIT_PAGE);
    const last = entries.length > AUDIT_PAGE ? shown.at(-1) : undefined;
    return answerJson({
      at: now(),
      entries: shown,
      next: last ? `${last.at}-${last.id}` : null,
    } satisfies ConsoleAudit);
  });
  get(PEOPLE_PATHS.auditLines, MANAGE, async () => {
    const headers = uncached('application/jsonl; charset=utf-8');
    return new Response(ReadableStream.from(audit.readLines()), { headers });
  });
}

/** Reads where the page before ended. Anything else asks for the newest entries. */
function readPlace(text: string): AuditPlace | undefined {
  const [, at, id] = /^(\d{1,15})-([\da-f]{1,32})$/.exec(text) ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
}

function describePeople(
  { people, tokens }: People,
  { sessions, now }: Pick<PeopleRoutesDeps, 'sessions' | 'now'>,
): ConsolePeople {
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

function writeInvitation({ key, endsAt }: Invitation): ConsoleInvitation {
  return { path: `${PEOPLE_PATHS.invitation}?key=${key}`, endsAt };
}
