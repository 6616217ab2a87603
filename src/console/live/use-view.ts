import { useEffect, useState } from 'react';

export type View<T> = {
  /** The last that was loaded; kept while newer data is on its way. */
  readonly data: T | undefined;
  readonly hasFailed: boolean;
};

type Loaded<T> = View<T> & { readonly path: string };

/** Loads the JSON of a view, and loads it again with each version of the overview. */
export function useView<T>(path: string, version: number | undefined): View<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ path, data: undefined, hasFailed: false });
  useEffect(() => {
    if (version === undefined) return undefined;
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
  // The server's own words, checked by the type that both sides share.
  return (await answer.json()) as T;
}
