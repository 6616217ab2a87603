import { useEffect, useRef, useState } from 'react';
import { callServer } from './call-server.ts';
import { type ViewLoader, createViewLoader } from './create-view-loader.ts';
import { usePastTime } from './past-time.ts';

export type View<T> = {
  /** The last data of this path. It stays while newer data loads. */
  readonly data: T | undefined;
  /** The last data of any path. A view that shows it keeps its place, and what is open in it, while the data of another query loads. */
  readonly latest: T | undefined;
  readonly hasFailed: boolean;
  /** The server says that there is none. */
  readonly isMissing: boolean;
  /** The data is of another time than the one that is shown. */
  readonly isOfOtherTime: boolean;
};

type Loaded<T> = Omit<View<T>, 'latest' | 'isOfOtherTime'> & {
  readonly path: string | undefined;
  readonly at: number | undefined;
};

/**
 * Loads the JSON of a view, and again for each version of the overview, or for each time of the past. While somebody drags through the
 * past, the data before stays until the next is there, and times in between are skipped. Without a path, nothing is loaded.
 */
export function useView<T>(path: string | undefined, version: number): View<T> {
  const at = usePastTime();
  const wanted = useRef(at);
  const nothing: Loaded<T> = { path, at, data: undefined, hasFailed: false, isMissing: false };
  const [loaded, setLoaded] = useState(nothing);
  const loader = useRef<ViewLoader>(undefined);
  useEffect(() => {
    if (path === undefined) return undefined;
    let asked: number | undefined;
    const created = createViewLoader<T>({
      load: (signal) => {
        asked = wanted.current;
        return callServer(pathAt(path, asked), { init: { signal } });
      },
      onData: (data) => setLoaded({ path, at: asked, data, hasFailed: false, isMissing: false }),
      onFailure: (failure) =>
        setLoaded((before) => ({
          path,
          at: asked,
          data: before.path === path && before.at === asked ? before.data : undefined,
          hasFailed: true,
          isMissing: failure.kind === 'refused' && failure.status === 404,
        })),
      setTimer(job, delayMs) {
        const timer = setTimeout(job, delayMs);
        return () => clearTimeout(timer);
      },
    });
    loader.current = created;
    return () => {
      created.end();
      loader.current = undefined;
    };
  }, [path]);
  useEffect(() => {
    wanted.current = at;
    loader.current?.refresh();
  }, [path, version, at]);
  const shown = mayStandFor(loaded, { path, at }) ? loaded : nothing;
  return { ...shown, latest: loaded.data, isOfOtherTime: shown.at !== at };
}

type Place = Pick<Loaded<unknown>, 'path' | 'at'>;

/** Whether data may be shown until that of another time is there: of the past for the past, and never instead of what is now. */
export function mayStandFor(loaded: Place, { path, at }: Place): boolean {
  return loaded.path === path && (loaded.at === undefined) === (at === undefined);
}

/** The path of what a view shows at a time. */
function pathAt(path: string, at: number | undefined): string {
  return at === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}at=${at}`;
}
