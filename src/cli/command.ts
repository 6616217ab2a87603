import type { Coded, CommandCode } from '../contract/error-codes.ts';

/** One subcommand of `waypost`. */
export type Command = {
  /** The whole help: usage, every option, an example. */
  readonly help: string;
  /** Resolves with the exit status. */
  readonly run: (args: readonly string[]) => Promise<number>;
};

/** Why a command cannot do what it was asked. It is printed as one line, and the exit status is 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: CommandCode;

  constructor({ code, message }: Coded<CommandCode>, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A command line with a mistake. It is printed as one line, and the exit status is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'usage';
}

/** Reads the only argument of a command. `wanted` says what it is: "the name of one file". */
export function readOnlyArgument(positionals: readonly string[], wanted: string): string {
  const [argument, ...others] = positionals;
  if (argument !== undefined && argument !== '' && others.length === 0) return argument;
  throw new UsageError(`give ${wanted}`);
}

/** The option that names the site folder. */
export function createSiteOption(env: NodeJS.ProcessEnv) {
  return { type: 'string', default: env.WAYPOST_SITE || 'site' } as const;
}

/** The option that names the data folder. */
export function createDataOption(env: NodeJS.ProcessEnv) {
  return { type: 'string', default: env.WAYPOST_DATA || 'data' } as const;
}

/** Reads the value of an option that takes a port. 0 means a free one. */
export function parsePort(option: string, value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new UsageError(`${option} must be a port from 0 to 65535, got "${value}"`);
}

/** Reads the value of an option or an environment variable that takes a URL. Only its origin counts. */
export function parseOrigin(name: string, value: string, example: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.origin;
  throw new UsageError(`${name} must be a URL such as ${example}, got "${value}"`);
}

/** Writes a time for a person, such as `2026-11-16 08:30 UTC`. */
export function writeMinute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Reads the value of an environment variable that is "on" or "off"; off if it is not set. */
export function readSwitch(name: string, value: string | undefined): boolean {
  if (value === 'on') return true;
  if (!value || value === 'off') return false;
  throw new UsageError(`${name} must be "on" or "off", got "${value}"`);
}

type SignalSource = Pick<NodeJS.EventEmitter, 'once' | 'off'>;

/** Resolves when the program is told to end, by Ctrl-C or by its supervisor. A second signal kills it. */
export function waitForSignal(source: SignalSource): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      source.off('SIGINT', end);
      source.off('SIGTERM', end);
      resolve();
    };
    source.once('SIGINT', end);
    source.once('SIGTERM', end);
  });
}
