import { useEffect, useRef, useState } from 'react';
import { callServer } from './call-server.ts';
import { type ViewLoader, createViewLoader } from './create-view-loader.ts';

export type View<T> = {
  /** The last data that was loaded. It stays while newer data loads. */
  readonly data: T | undefined;
  readonly hasFailed: boolean;
};

type Loaded<T> = View<T> & { readonly path: string };

/** Loads the JSON of a view, and again for each version of the overview. */
export function useView<T>(path: string, version: number): View<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ path, data: undefined, hasFailed: false });
  const loader = useRef<ViewLoader>(undefined);
  useEffect(() => {
    const created = createViewLoader<T>({
      load: (signal) => callServer(path, { init: { signal } }),
      onData: (data) => setLoaded({ path, data, hasFailed: false }),
      onFailure: () =>
        setLoaded((before) => ({
          path,
          data: before.path === path ? before.data : undefined,
          hasFailed: true,
        })),
      now: Date.now,
      setTimer(job, delayMs) {
        const timer = setTimeout(job, delayMs);
        return () => clearTimeout(timer);
      },
    });
    loader.current = created;
    return created.end;
  }, [path]);
  useEffect(() => loader.current?.refresh(), [path, version]);
  return loaded.path === path ? loaded : { data: undefined, hasFailed: false };
}
