import { type ReactNode, Suspense, lazy } from 'react';
import type { ConsoleOverview } from '../../contract/console.ts';
import { type ConsoleMoments, isKept } from '../../contract/moments.ts';
import { CONSOLE_PATHS } from '../../contract/paths.ts';
import { PastTimeProvider } from '../live/past-time.ts';
import { useView } from '../live/use-view.ts';
import { Loading } from '../parts/panel.tsx';
import kit from '../parts/view.module.css';

// Loaded with the bar, whose texts it shares.
const Gap = lazy(async () => ({ default: (await import('./time-bar.tsx')).Gap }));

type PastViewProps = {
  /** Undefined for now. */
  readonly at: number | undefined;
  /** Undefined until it is loaded. */
  readonly moments: ConsoleMoments | undefined;
  /** What is now. */
  readonly overview: ConsoleOverview;
  readonly children: (overview: ConsoleOverview) => ReactNode;
};

/** Shows a view as it was at a time, or that nothing is kept of that time. While the past is loading, the present is not shown instead. */
export function PastView({ at, moments, overview, children }: PastViewProps): ReactNode {
  return (
    <PastTimeProvider value={at}>
      {at !== undefined && moments !== undefined && !isKept(moments, at) ? (
        <NothingKept />
      ) : (
        <Past at={at} overview={overview}>
          {children}
        </Past>
      )}
    </PastTimeProvider>
  );
}

function Past({ at, overview, children }: Omit<PastViewProps, 'moments'>): ReactNode {
  const path = at === undefined ? undefined : CONSOLE_PATHS.overview;
  const { data, hasFailed, isMissing, isOfOtherTime } = useView<ConsoleOverview>(path, 0);
  if (isMissing) return <NothingKept />;
  const shown = at === undefined ? overview : data;
  return (
    <div className={kit.renewed} aria-busy={at !== undefined && isOfOtherTime}>
      {shown === undefined ? <Loading hasFailed={hasFailed} /> : children(shown)}
    </div>
  );
}

function NothingKept(): ReactNode {
  return (
    <Suspense fallback={<Loading />}>
      <Gap />
    </Suspense>
  );
}
