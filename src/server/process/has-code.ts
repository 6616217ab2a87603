/** Whether an error has this code, such as Node's `ENOENT` for a file that is not there. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
