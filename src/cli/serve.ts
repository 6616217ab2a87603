import { parseArgs } from 'node:util';
import { parseRange } from '../server/caller/address-ranges.ts';
import type { ServerOptions } from '../server/main.ts';
import {
  type Command,
  UsageError,
  createDataOption,
  createSiteOption,
  parseOrigin,
  parsePort,
  readSwitch,
} from './command.ts';
import { readMessageOptions } from './notify.ts';
import { type ServeOptions, askLine, createCheckLine, servePortal } from './serve-portal.ts';
import { readDatabasePlace } from './read-database-place.ts';

const LOOPBACK = '127.0.0.1';
const WATCHDOG_LIMIT_MS = 30_000;

const HELP = `Usage: waypost serve [options]

Serves the portal from a site folder, and watches the folder for changes.

  --site DIR        the site folder                          WAYPOST_SITE      site
  --data DIR        the server's own folder                  WAYPOST_DATA      data
  --host H          the address to listen on                 HOST              0.0.0.0
  --port N          the port to listen on                    PORT              8080
  --ops-host H      the address of the operator's listener   OPS_HOST          ${LOOPBACK}
  --ops-port N      its port                                 OPS_PORT          8081
  --edit            change the site from the console, and    WAYPOST_EDIT      off
                    keep every version in the data folder
  --preview-port N  with --edit, the port of the preview,    PREVIEW_PORT      8083
                    on the operator's listener's address

Each option may be set by the environment variable beside it; the last column is the default.

  WAYPOST_SECRET     signs what the server hands out; without it the server makes one and keeps it in the database
  WAYPOST_DATABASE_URL  the PostgreSQL database that several portals share, such as postgres://user:password@host/waypost;
                     without it the data folder has a database of its own
  WAYPOST_DATABASE_DIRECT_URL  the same database without the pooler, where WAYPOST_DATABASE_URL goes through one
  WAYPOST_BRAND      which brand this portal is of, such as brand-one, where several brands share a database
  WAYPOST_WATCH_LINES  off: the portal does not probe the lines itself, so it hands out lines that are down, too
  WAYPOST_PRIVATE_LINES  on: the check in the console may ask lines at private addresses
  WAYPOST_PRIVATE_ALERTS  on: messages about incidents may go to private addresses
  WAYPOST_WATCHDOG   off, for a debugger: a process that is stuck for 30 s does not end itself
  WAYPOST_OPS_TOKEN  the bearer token of the operator's listener, needed where that leaves loopback
  WAYPOST_PREVIEW_URL  where browsers find the preview behind a proxy, such as https://preview.example.com
  WAYPOST_OPERATOR_HEADER   a header in which a proxy that signs people in names the person, such as X-Webauth-User
  WAYPOST_OPERATOR_PROXIES  the addresses of that proxy, such as 10.0.0.5 or 10.0.0.0/24,fd00::/8

Example: waypost serve --site ./site --data /var/lib/waypost --port 8080`;

export const serve: Command = {
  help: HELP,
  run: async (args) => {
    await servePortal({ ...readOptions(args, process.env), isTerminal: process.stdout.isTTY });
    return 0;
  },
};

/** Reads the options. Options override environment variables, which override defaults. */
export function readOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Omit<ServeOptions, 'isTerminal'> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      site: createSiteOption(env),
      data: createDataOption(env),
      host: { type: 'string', default: env.HOST || '0.0.0.0' },
      port: { type: 'string', default: env.PORT || '8080' },
      'ops-host': { type: 'string', default: env.OPS_HOST || LOOPBACK },
      'ops-port': { type: 'string', default: env.OPS_PORT || '8081' },
      'preview-port': { type: 'string', default: env.PREVIEW_PORT || '8083' },
      edit: { type: 'boolean', default: readSwitch('WAYPOST_EDIT', env.WAYPOST_EDIT) },
    },
  });
  return {
    siteDir: values.site,
    dataDir: values.data,
    host: values.host,
    port: parsePort('--port', values.port),
    opsHost: values['ops-host'],
    opsPort: parsePort('--ops-port', values['ops-port']),
    previewPort: parsePort('--preview-port', values['preview-port']),
    previewUrl: env.WAYPOST_PREVIEW_URL
      ? parseOrigin('WAYPOST_PREVIEW_URL', env.WAYPOST_PREVIEW_URL, 'https://preview.example.com')
      : undefined,
    secret: env.WAYPOST_SECRET,
    database: readDatabasePlace(values.data, env),
    opsToken: env.WAYPOST_OPS_TOKEN,
    isEditing: values.edit,
    operatorProxy: readOperatorProxy(env),
    watchdogLimitMs: readSwitch('WAYPOST_WATCHDOG', env.WAYPOST_WATCHDOG || 'on')
      ? WATCHDOG_LIMIT_MS
      : undefined,
    ...(readSwitch('WAYPOST_WATCH_LINES', env.WAYPOST_WATCH_LINES || 'on') ? { askLine } : {}),
    checkLine: createCheckLine({
      allowsPrivate: readSwitch('WAYPOST_PRIVATE_LINES', env.WAYPOST_PRIVATE_LINES),
    }),
    messages: readMessageOptions(env),
  };
}

/** A stranger who may send this header could be any person, so the proxy's addresses must be told, too. */
function readOperatorProxy(env: NodeJS.ProcessEnv): ServerOptions['operatorProxy'] {
  const header = env.WAYPOST_OPERATOR_HEADER ?? '';
  const ranges = (env.WAYPOST_OPERATOR_PROXIES ?? '').split(/[\s,]+/).filter((range) => range !== '');
  if (header === '' && ranges.length === 0) return undefined;
  if (header === '' || ranges.length === 0) {
    throw new UsageError(
      'WAYPOST_OPERATOR_HEADER and WAYPOST_OPERATOR_PROXIES need each other: set both, or none',
    );
  }
  if (!/^[\w-]+$/.test(header)) {
    throw new UsageError(
      `WAYPOST_OPERATOR_HEADER must be the name of a header such as X-Webauth-User, got "${header}"`,
    );
  }
  const wrong = ranges.find((range) => parseRange(range) === undefined);
  if (wrong === undefined) return { header: header.toLowerCase(), ranges };
  throw new UsageError(
    `WAYPOST_OPERATOR_PROXIES must be addresses or ranges such as 10.0.0.5 or 10.0.0.0/24, separated by commas, got "${wrong}"`,
  );
}
