import {
  type AccessKind,
  CONFIRMATION_MS,
  LISTENER_TOKEN_NAME,
  LOOPBACK_NAME,
} from '../../../contract/people.ts';
import { type Role, isRoleEnough } from '../../../contract/roles.ts';
import type { AddressRanges } from '../../caller/address-ranges.ts';
import { parseAddress } from '../../caller/parse-address.ts';
import { HttpError } from '../../http/errors.ts';
import { readOrigin } from '../../http/read-origin.ts';
import { type Tries, countTries } from '../../people/count-tries.ts';
import { findPerson, findToken, hasAccounts, hasOpenInvitation } from '../../people/manage-people.ts';
import type { PeopleStore, Person } from '../../people/open-people-store.ts';
import type { Session, SessionCookies, Sessions } from '../../people/open-sessions.ts';
import type { WrongSignIns } from '../../people/open-wrong-sign-ins.ts';
import type { OperatorRequest } from './operator-request.ts';
import { isLoopbackHost } from './is-loopback-host.ts';
import { deriveEpoch, isSameToken, readBearer } from './is-same-token.ts';
import { SHORT_TRIES } from '../../people/limit-guesses.ts';

/** Who acts at the operator's listener. */
export type Actor = {
  /** A person, a token, or `loopback` where nobody is asked. */
  readonly name: string;
  readonly role: Role;
  readonly kind: AccessKind;
  /** When the person, or the token, was added: another one may get the name later. Undefined where nobody was. */
  readonly since?: number | undefined;
  /** Undefined for tokens, and where nobody is asked. */
  readonly person: Person | undefined;
  /** Undefined if each request proves by itself who sends it, as tokens and proxies do. */
  readonly session: Session | undefined;
};

/**
 * What the login form asks for. Two ask for nothing, because nobody could sign in: `invited` if somebody has a link that makes
 * the first account, `nobody-yet` if nobody has.
 */
export type LoginForm = 'token' | 'password' | 'invited' | 'nobody-yet';

/** Neither can be sent by a form of another site. */
export type BodyType = 'application/json' | 'application/octet-stream';

/** What a route demands. */
export type Demand = {
  readonly role: Role;
  /** A change must come from the console's own page, or from a program with a token. */
  readonly isChange?: boolean;
  /** What the body of a change is. By default it is JSON. */
  readonly bodyType?: BodyType;
  /** Password and code must have been given within the last minutes. */
  readonly isSensitive?: boolean;
};

/** Who may use the operator's listener. */
export type Access = {
  /** What the login form asks for. */
  readonly form: () => LoginForm;
  /** The epoch of sessions that were started with the token of the listener: they end with it. */
  readonly tokenEpoch: number;
  /** Finds out who acts. Throws for a stranger. */
  readonly identify: (request: OperatorRequest) => Actor;
  /** Whether somebody who was let in may stay: the session may have ended, and the person may have been removed. */
  readonly isStillAllowed: (actor: Actor, request: OperatorRequest) => boolean;
  /** Throws if the sender may not do what a route demands. */
  readonly demand: (request: OperatorRequest, demand: Demand) => Actor;
  /** For health checks, which need only a token: wrong tokens at the console do not lock them out. */
  readonly admitHealthCheck: (request: OperatorRequest) => void;
  /** For metrics: as health checks on loopback without a token, and for every role elsewhere. */
  readonly checkMetrics: (request: OperatorRequest) => void;
  /** Throws if the page that sends a form is not our own. */
  readonly checkForm: (request: OperatorRequest) => void;
  /** Whether this is the token of the listener. Throws after too many wrong tries. */
  readonly isListenerToken: (given: string, request: OperatorRequest) => Promise<boolean>;
  /** Bounds how often one caller may try to sign in. */
  readonly limitCaller: <T>(
    request: OperatorRequest,
    tryIt: () => Promise<T | undefined>,
  ) => Promise<T | undefined>;
};

export type AccessDeps = {
  /** Undefined where the listener is bound to loopback, and needs none. */
  readonly token: string | undefined;
  /** True if even loopback signs in, because the console can change the site. */
  readonly mustSignIn: boolean;
  readonly proxy: OperatorProxy | undefined;
  readonly store: Pick<PeopleStore, 'read' | 'isKnown'>;
  readonly sessions: Sessions;
  readonly wrongSignIns: Pick<WrongSignIns, 'attempt'>;
  readonly now: () => number;
};

/** A proxy that signs people in, and names them in a header. */
export type OperatorProxy = { readonly header: string; readonly ranges: AddressRanges };

export function guardAccess(deps: AccessDeps): Access {
  const { token, store, sessions, wrongSignIns, now } = deps;
  const tries = countTries({ now, ...SHORT_TRIES });
  const tokenEpoch = deriveEpoch(token ?? '');
  const { identify, findTokenActor, findSessionActor } = findActors(deps, { tries, tokenEpoch });
  return {
    tokenEpoch,
    form: () => {
      const people = store.read();
      if (hasAccounts(people)) return 'password';
      if (token !== undefined) return 'token';
      return hasOpenInvitation(people, now()) ? 'invited' : 'nobody-yet';
    },
    identify,
    isStillAllowed: ({ session }, request) => {
      if (session !== undefined) return findSessionActor(sessions.findById(session.id)) !== undefined;
      try {
        identify(request);
        return true;
      } catch {
        return false; // The token is over, or there are accounts now.
      }
    },
    demand: (request, { role, isChange = false, isSensitive = false, bodyType = 'application/json' }) => {
      const actor = identify(request);
      if (isChange) checkChange(request, actor, bodyType);
      if (!isRoleEnough(actor.role, role)) refuseRole(role);
      if (isSensitive && !isConfirmed(actor, now())) refuseUnconfirmed();
      return actor;
    },
    admitHealthCheck: (request) => {
      if (token === undefined) return;
      const given = readBearer(request.header('authorization'));
      if (given === undefined || findTokenActor(given, request, ' health') === undefined) refuseStranger();
    },
    checkMetrics: (request) => {
      const isPlain = token === undefined && readBearer(request.header('authorization')) === undefined;
      if (isPlain) checkHost(request);
      else identify(request);
    },
    checkForm: checkOrigin,
    isListenerToken: async (given, request) => {
      const check = async () => (token !== undefined && isSameToken(given, token)) || undefined;
      return (await limitCaller(request, check)) === true;
    },
    limitCaller,
  };

  /**
   * Counts wrong sign-ins on this portal and in the database, which may be away. Tokens of programs are counted on this
   * portal only.
   */
  function limitCaller<T>(
    { caller }: OperatorRequest,
    tryIt: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const guess = { kind: 'caller', about: caller, ...SHORT_TRIES } as const;
    return tries.attempt(caller, () => wrongSignIns.attempt(guess, tryIt));
  }
}

type Actors = {
  readonly identify: Access['identify'];
  /** Counts a wrong token. The purpose keeps the tries of health checks apart. */
  readonly findTokenActor: (given: string, request: OperatorRequest, purpose?: string) => Actor | undefined;
  readonly findSessionActor: (session: Session | undefined) => Actor | undefined;
};

/** Finds out who sends a request: by a token, by the name that a proxy gives, by a session, or by nothing on loopback. */
function findActors(
  { token, mustSignIn, proxy, store, sessions, now }: AccessDeps,
  { tries, tokenEpoch }: { readonly tries: Tries; readonly tokenEpoch: number },
): Actors {
  return { identify, findTokenActor, findSessionActor };

  function identify(request: OperatorRequest): Actor {
    const bearer = readBearer(request.header('authorization'));
    if (bearer !== undefined) return findTokenActor(bearer, request) ?? refuseStranger();
    const actor = findProxied(request) ?? findSessionActor(sessions.find(readCookies(request)));
    if (actor !== undefined) return actor;
    // A portal that started without its database does not know who has an account, so it lets nobody in.
    const isWithoutAccounts = store.isKnown() && !hasAccounts(store.read());
    const isOpen = token === undefined && !mustSignIn && proxy === undefined && isWithoutAccounts;
    if (!isOpen) refuseStranger();
    checkHost(request);
    return { name: LOOPBACK_NAME, role: 'viewer', kind: 'open', person: undefined, session: undefined };
  }

  function findTokenActor(given: string, { caller }: OperatorRequest, purpose = ''): Actor | undefined {
    const key = caller + purpose;
    tries.take(key);
    const isListeners = token !== undefined && isSameToken(given, token);
    const found = isListeners
      ? { name: LISTENER_TOKEN_NAME, role: 'owner' as const }
      : findToken(store.read(), given, now());
    if (found === undefined) return undefined;
    tries.giveBack(key);
    const { name, role } = found;
    const since = 'createdAt' in found ? found.createdAt : undefined;
    return { name, role, kind: 'token', since, person: undefined, session: undefined };
  }

  /** By the address of the connection itself: a header could name any other. */
  function findProxied({ peerAddress, header }: OperatorRequest): Actor | undefined {
    const name = proxy && header(proxy.header);
    const peer = parseAddress(peerAddress);
    if (!proxy || !name || peer === undefined || !proxy.ranges.has(peer)) return undefined;
    // Node hands every byte of a header on as one character. Proxies write UTF-8.
    const decoded = Buffer.from(name, 'latin1').toString();
    const person = findPerson(store.read(), decoded) ?? refuseUnknownPerson();
    return actAs(person, 'proxy', undefined);
  }

  function findSessionActor(session: Session | undefined): Actor | undefined {
    if (session === undefined) return undefined;
    const people = store.read();
    if (session.person === undefined) {
      // As soon as there are accounts, the token is for programs only.
      if (token === undefined || session.epoch !== tokenEpoch || hasAccounts(people)) return undefined;
      return { name: LISTENER_TOKEN_NAME, role: 'owner', kind: 'token', person: undefined, session };
    }
    const person = findPerson(people, session.person);
    if (person?.signIn === undefined || person.epoch !== session.epoch) return undefined;
    return actAs(person, 'password', session);
  }
}

function isConfirmed({ session }: Actor, now: number): boolean {
  return session === undefined || Math.abs(now - session.confirmedAt) < CONFIRMATION_MS;
}

function actAs(person: Person, kind: AccessKind, session: Session | undefined): Actor {
  const { name, role, createdAt: since } = person;
  return { name, role, kind, since, person, session };
}

/** The cookies of a browser, and whether they came over TLS. */
export function readCookies({ header, isSecure }: OperatorRequest): SessionCookies {
  return { cookies: header('cookie'), isSecure };
}

/** Programs with a token send no `Origin`. All others are browsers, which always do. */
function checkChange(request: OperatorRequest, { kind, session }: Actor, bodyType: BodyType): void {
  const isProgram = kind === 'token' && session === undefined;
  if (!isProgram || request.header('origin') !== undefined) checkOrigin(request);
  const [type = ''] = (request.header('content-type') ?? '').split(';', 1);
  if (type.trim().toLowerCase() === bodyType) return;
  throw new HttpError(415, { code: 'other-content-type', message: `Send "Content-Type: ${bodyType}".` });
}

/** A browser says which page sends a request. The server refuses those of other sites. */
function checkOrigin({ header }: OperatorRequest): void {
  const host = readOrigin(header('origin') ?? '')?.host;
  if (host === undefined || host !== header('host')) {
    throw new HttpError(403, {
      code: 'foreign-origin',
      message: 'This may be sent by the console’s own page only.',
    });
  }
}

function checkHost({ header }: OperatorRequest): void {
  if (isLoopbackHost(header('host'))) return;
  throw new HttpError(421, {
    code: 'host-not-loopback',
    message:
      'Without a token this listener answers to localhost only: ask it under that name, or set WAYPOST_OPS_TOKEN.',
  });
}

function refuseStranger(): never {
  throw new HttpError(401, {
    code: 'token-required',
    message:
      'Sign in, or send a token: "Authorization: Bearer …" with WAYPOST_OPS_TOKEN, or with one that an owner made.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

function refuseUnknownPerson(): never {
  throw new HttpError(403, {
    code: 'unknown-person',
    message: 'The proxy names a person who has no account here: an owner can invite them under this name.',
  });
}

function refuseRole(role: Role): never {
  throw new HttpError(403, { code: 'role-too-low', message: `This needs the role "${role}".` });
}

function refuseUnconfirmed(): never {
  throw new HttpError(403, {
    code: 'confirm-required',
    message: 'Give your password and a code once more: this change is a sensitive one.',
  });
}
