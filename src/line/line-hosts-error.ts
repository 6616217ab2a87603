/** A line host that cannot start. The message is one line and names the port. */
export class LineHostsError extends Error {
  override readonly name = 'LineHostsError';
  readonly code = 'line-hosts';

  constructor(port: number, cause: unknown) {
    super(describe(port, cause), { cause });
  }
}

function describe(port: number, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop what listens there, or choose another port`;
  if (code === 'EACCES') return `port ${port} needs more rights: choose one above 1023`;
  return `cannot listen on port ${port}: ${cause instanceof Error ? cause.message : String(cause)}`;
}
