import { networkOf, parseAddress } from '../../caller/parse-address.ts';
import type { AppRequest } from '../../http/exchange.ts';
import { HttpError } from '../../http/http-error.ts';
import { isSameToken, readBearer } from './is-same-token.ts';
import { type Tries, countTries } from './count-tries.ts';
import { isLoopbackHost } from './is-loopback-host.ts';
import { type Sessions, createSessions } from './sessions.ts';

/** Who may look at the console. */
export type Access = {
  readonly kind: 'loopback' | 'token';
  /** Throws for a stranger. */
  readonly check: (request: AppRequest) => void;
  /** For those who ask whether the server is well, by token alone: wrong tokens at the console do not lock them out. */
  readonly checkHealth: (request: AppRequest) => void;
  /** Throws where the page that sends a form is not our own, or its host is not this machine. */
  readonly checkForm: (request: AppRequest) => void;
  /** The cookie of whoever gives this token; undefined where it is wrong. */
  readonly logIn: (token: string, request: AppRequest, isSecure: boolean) => string | undefined;
  /** Ends a session. Returns the header that takes its cookie back. */
  readonly logOut: (request: AppRequest, isSecure: boolean) => string;
  /** One name for all that comes from the same session, or else from the same address. */
  readonly nameCaller: (request: AppRequest) => string;
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
    checkForm: (request) => {
      checkHost(request);
      checkOrigin(request);
    },
    logIn: () => undefined,
    logOut: () => '',
    nameCaller: callerOf,
  };
}

function checkHost({ header }: AppRequest): void {
  if (!isLoopbackHost(header('host'))) throw refuseHost();
}

function guardByToken(token: string, sessions: Sessions, tries: Tries): Access {
  const isRight = (given: string, request: AppRequest, purpose = ''): boolean => {
    const caller = callerOf(request) + purpose;
    tries.check(caller);
    if (isSameToken(given, token)) return true;
    tries.fail(caller);
    return false;
  };
  return {
    kind: 'token',
    check: (request) => {
      const given = readBearer(request.header('authorization'));
      const isKnown =
        given === undefined ? sessions.find(request.header('cookie')) !== undefined : isRight(given, request);
      if (!isKnown) throw refuseStranger();
    },
    checkHealth: (request) => {
      const given = readBearer(request.header('authorization'));
      if (given === undefined || !isRight(given, request, ' health')) throw refuseStranger();
    },
    checkForm: checkOrigin,
    logIn: (given, request, isSecure) => (isRight(given, request) ? sessions.start(isSecure) : undefined),
    logOut: ({ header }, isSecure) => sessions.end(header('cookie'), isSecure),
    nameCaller: (request) => sessions.find(request.header('cookie')) ?? callerOf(request),
  };
}

/** The socket's other end: behind a proxy all callers share their tries, which is the safe side. */
function callerOf({ peerAddress }: AppRequest): string {
  const address = parseAddress(peerAddress);
  return address === undefined ? peerAddress : networkOf(address, CALLER_PARTS);
}

/** A browser names the page that sends a form; one of another site has no business here. */
function checkOrigin({ header }: AppRequest): void {
  const origin = header('origin');
  const host = origin && URL.canParse(origin) ? new URL(origin).host : undefined;
  if (host === undefined || host !== header('host')) {
    throw new HttpError(403, {
      code: 'foreign-origin',
      message: 'This form may be sent by the console’s own page only.',
    });
  }
}

function refuseHost(): HttpError {
  return new HttpError(421, {
    code: 'host-not-loopback',
    message:
      'Without a token this listener answers to localhost only: ask it under that name, or set WAYPOST_OPS_TOKEN.',
  });
}

function refuseStranger(): HttpError {
  return new HttpError(401, {
    code: 'token-required',
    message: 'This listener demands the token of WAYPOST_OPS_TOKEN.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
