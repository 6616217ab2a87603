import type { ServerResponse } from 'node:http';
import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import type { Connection } from '../caller/find-caller.ts';
import { JSON_HEADERS } from './answer.ts';
import { describeError, refuseUnknownPath } from './errors.ts';

/** What Hono's adapter hands on of Node's own request and answer. */
export type AppEnv = {
  Bindings: {
    readonly incoming: {
      /** The target of the request, as it was sent. */
      readonly url?: string | undefined;
      readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean };
    };
    readonly outgoing: Pick<ServerResponse, 'destroyed' | 'destroy' | 'once'>;
  };
};

/** The part of Hono's context that is the same in every app. */
export type AppContext = Pick<Context<AppEnv>, 'env' | 'req'>;

/**
 * An app without routes. It answers with JSON when a handler throws, and when no handler answers a path. `translate` turns the
 * errors that the rooms above throw into ones that `describeError` knows.
 */
export function createApp<E extends AppEnv>(
  log: Logger,
  translate: (error: unknown) => unknown = (error) => error,
): Hono<E> {
  const app = new Hono<E>({ getPath: (_request, options) => readPath(readTarget(options?.env)) });
  app.onError((error, c) => {
    const { status, body, headers } = describeError(translate(error), log);
    return c.json(body, status, { ...JSON_HEADERS, ...headers });
  });
  app.notFound(refuseUnknownPath);
  return app;
}

/** The other end of the connection, and the headers that it sent. */
export function readConnection(c: AppContext): Connection {
  return {
    peerAddress: c.env.incoming.socket.remoteAddress ?? '',
    isEncrypted: c.env.incoming.socket.encrypted === true,
    header: (name) => c.req.header(name),
  };
}

function readTarget(env: AppEnv['Bindings'] | undefined): string {
  return env?.incoming.url ?? '/';
}

/**
 * The path as it was sent. Hono would decode it and resolve its dots: `/json/urls/../link.json` would become the path of
 * another file. A proxy may send a whole URL instead of a path (RFC 9112, 3.2.2).
 */
function readPath(target: string): string {
  const [path = ''] = target.split('?', 1);
  if (path.startsWith('/')) return path;
  const start = path.indexOf('/', path.indexOf('//') + 2);
  return start === -1 ? '/' : path.slice(start);
}
