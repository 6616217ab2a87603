/** The code of an error, such as Node's `ENOENT` for a file that is not there. Empty if it has none. */
export function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
