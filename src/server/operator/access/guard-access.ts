import { networkOf, parseAddress } from '../../caller/parse-address.ts';
import type { Connection } from '../../caller/find-caller.ts';
import { HttpError } from '../../http/errors.ts';
import { isSameToken, readBearer } from './is-same-token.ts';
import { type Tries, countTries } from './count-tries.ts';
import { isLoopbackHost } from './is-loopback-host.ts';
import { type Sessions, createSessions } from './sessions.ts';

/** Who may look at the console. */
export type Access = {
  readonly kind: 'loopback' | 'token';
  /** Throws for a stranger. */
  readonly check: (connection: Connection) => void;
  /** For health checks, which need only the token: wrong tokens at the console do not lock them out. */
  readonly checkHealth: (connection: Connection) => void;
  /** Throws if the page that sends a form is not our own, or its host is not this machine. */
  readonly checkForm: (connection: Connection) => void;
  /** The cookie for a caller with this token; undefined if the token is wrong. */
  readonly logIn: (token: string, connection: Connection, isSecure: boolean) => string | undefined;
  /** Ends a session. Returns the header that takes its cookie back. */
  readonly logOut: (connection: Connection, isSecure: boolean) => string;
  /** One name for all that comes from the same session, or else from the same address. */
  readonly nameCaller: (connection: Connection) => string;
};

export type AccessDeps = {
  /** Undefined where the listener is bound to loopback, and needs none. */
  readonly token: string | undefined;
  readonly now: () => number;
};

/** A caller over IPv6 has a /64 to itself. */
const CALLER_PARTS = { ipv4: 4, ipv6: 4 };

export function guardAccess({ token, now }: AccessDeps): Access {
  if (token === undefined) return guardByHost();
  return guardByToken(token, createSessions(now), countTries(now));
}

function guardByHost(): Access {
  return {
    kind: 'loopback',
    check: checkHost,
    checkHealth: () => undefined,
    checkForm: (connection) => {
      checkHost(connection);
      checkOrigin(connection);
    },
    logIn: () => undefined,
    logOut: () => '',
    nameCaller: callerOf,
  };
}

function checkHost({ header }: Connection): void {
  if (!isLoopbackHost(header('host'))) refuseHost();
}

function guardByToken(token: string, sessions: Sessions, tries: Tries): Access {
  const isRight = (given: string, connection: Connection, purpose = ''): boolean => {
    const caller = callerOf(connection) + purpose;
    tries.check(caller);
    if (isSameToken(given, token)) return true;
    tries.fail(caller);
    return false;
  };
  return {
    kind: 'token',
    check: (connection) => {
      const given = readBearer(connection.header('authorization'));
      const isKnown =
        given === undefined
          ? sessions.find(connection.header('cookie')) !== undefined
          : isRight(given, connection);
      if (!isKnown) refuseStranger();
    },
    checkHealth: (connection) => {
      const given = readBearer(connection.header('authorization'));
      if (given === undefined || !isRight(given, connection, ' health')) refuseStranger();
    },
    checkForm: checkOrigin,
    logIn: (given, connection, isSecure) =>
      isRight(given, connection) ? sessions.start(isSecure) : undefined,
    logOut: ({ header }, isSecure) => sessions.end(header('cookie'), isSecure),
    nameCaller: (connection) => sessions.find(connection.header('cookie')) ?? callerOf(connection),
  };
}

/** The socket's other end. Behind a proxy all callers share their tries, so nobody gets more of them by forging a header. */
function callerOf({ peerAddress }: Connection): string {
  const address = parseAddress(peerAddress);
  return address === undefined ? peerAddress : networkOf(address, CALLER_PARTS);
}

/** A browser says which page sends a form. The server refuses forms of other sites. */
function checkOrigin({ header }: Connection): void {
  const origin = header('origin');
  const host = origin && URL.canParse(origin) ? new URL(origin).host : undefined;
  if (host === undefined || host !== header('host')) {
    throw new HttpError(403, {
      code: 'foreign-origin',
      message: 'This form may be sent by the console’s own page only.',
    });
  }
}

function refuseHost(): never {
  throw new HttpError(421, {
    code: 'host-not-loopback',
    message:
      'Without a token this listener answers to localhost only: ask it under that name, or set WAYPOST_OPS_TOKEN.',
  });
}

function refuseStranger(): never {
  throw new HttpError(401, {
    code: 'token-required',
    message: 'This listener demands the token of WAYPOST_OPS_TOKEN.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
