import { useEffect, useState } from 'react';

export type View<T> = {
  /** The last data that was loaded. It stays while newer data loads. */
  readonly data: T | undefined;
  readonly hasFailed: boolean;
};

type Loaded<T> = View<T> & { readonly path: string };

/** Loads the JSON of a view, and again for each version of the overview. */
export function useView<T>(path: string, version: number): View<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ path, data: undefined, hasFailed: false });
  useEffect(() => {
    const leaving = new AbortController();
    loadJson<T>(path, leaving.signal).then(
      (data) => setLoaded({ path, data, hasFailed: false }),
      () => {
        if (leaving.signal.aborted) return;
        setLoaded((before) => ({
          path,
          data: before.path === path ? before.data : undefined,
          hasFailed: true,
        }));
      },
    );
    return () => leaving.abort();
  }, [path, version]);
  return loaded.path === path ? loaded : { data: undefined, hasFailed: false };
}

async function loadJson<T>(path: string, signal: AbortSignal): Promise<T> {
  const answer = await fetch(path, { signal });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  // The server uses the same type.
  return (await answer.json()) as T;
}
