/** Loads JSON. Throws a `RefusedError` if the server would refuse it again. */
export async function loadJson<T>(path: string, signal: AbortSignal): Promise<T> {
  const answer = await fetch(path, { signal });
  if (!answer.ok) {
    const { status } = answer;
    // 429 says to ask later.
    const isFinal = status < 500 && status !== 429;
    throw new (isFinal ? RefusedError : Error)(`${path} answered ${status}`);
  }
  // The server uses the same type.
  return (await answer.json()) as T;
}

/** It does not exist (any more), or whoever asks may not see it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}
