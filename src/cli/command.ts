/** One subcommand of `waypost`. */
export type Command = {
  /** One line for the list of commands. */
  readonly summary: string;
  /** The whole help: usage, every option, an example. */
  readonly help: string;
  /** Resolves with the exit status. */
  readonly run: (args: readonly string[]) => Promise<number>;
};

/** A command line that cannot be run as it stands. Printed as one line, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'usage';
}
