/** The code of an error, such as Node's `EACCES`. Empty if it has none. */
export function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The message of an error. Of anything else that was thrown, its text. */
export function readReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether an error says that a file or a folder is not there. */
export function isMissing(error: unknown): boolean {
  return readCode(error) === 'ENOENT';
}
