import { Component, type ReactNode, Suspense, lazy, useEffect, useRef, useSyncExternalStore } from 'react';
import type { ConsoleOverview } from '../contract/console.ts';
import styles from './console-page.module.css';
import { Header } from './header.tsx';
import type { Feed } from './live/create-feed.ts';
import { OverviewView } from './overview/overview-view.tsx';
import { Empty } from './parts/panel.tsx';
import { type Route, hrefOf, useRoute } from './route.ts';
import { TEXTS } from './texts.ts';
import { WhereView } from './where/where-view.tsx';
import { WhyView } from './why/why-view.tsx';

// Loaded when it is opened: it brings the charts.
const LineView = lazy(async () => ({ default: (await import('./line/line-view.tsx')).LineView }));

/** The operator's console: the header, and the open view. */
export function ConsolePage({ feed }: { readonly feed: Feed }): ReactNode {
  const { connection, lostAt, overview } = useSyncExternalStore(feed.subscribe, feed.getSnapshot);
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const place = placeOf(route);
  const shownPlace = useRef(place);
  useEffect(() => {
    // After a link, keyboard users go on at the top of the new view.
    if (shownPlace.current !== place) main.current?.focus();
    shownPlace.current = place;
  }, [place]);
  useTitle(overview);
  return (
    <div className={styles.page}>
      <Header route={route} connection={connection} lostAt={lostAt} overview={overview} />
      <main className={styles.main} ref={main} tabIndex={-1} data-stale={connection === 'lost' || undefined}>
        {overview === undefined ? (
          <Empty>{TEXTS.loading}</Empty>
        ) : (
          <ViewBoundary key={place}>
            <Suspense fallback={<Empty>{TEXTS.loading}</Empty>}>
              <OpenView route={route} overview={overview} />
            </Suspense>
          </ViewBoundary>
        )}
      </main>
    </div>
  );
}

type ViewBoundaryProps = { readonly children: ReactNode };

/** Shows a message if a view cannot be shown. After an upgrade, its script may have another name. */
class ViewBoundary extends Component<ViewBoundaryProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Empty>
        {TEXTS.viewBroken}{' '}
        <button type="button" onClick={() => location.reload()}>
          {TEXTS.reload}
        </button>
      </Empty>
    );
  }
}

/** Names what is open: the view and its line. Choosing another network stays in its view. */
function placeOf(route: Route): string {
  return route.view === 'why' ? route.view : hrefOf(route);
}

function OpenView({
  route,
  overview,
}: {
  readonly route: Route;
  readonly overview: ConsoleOverview;
}): ReactNode {
  switch (route.view) {
    case 'overview':
      return <OverviewView overview={overview} />;
    case 'line':
      return <LineView id={route.id} version={overview.version} />;
    case 'where':
      return <WhereView version={overview.version} />;
    case 'why':
      return <WhyView network={route.network} version={overview.version} />;
  }
}

/** Shows trouble in the tab's title, for a tab in the background. */
function useTitle(overview: ConsoleOverview | undefined): void {
  const trouble = overview === undefined ? '' : describeTitle(overview);
  useEffect(() => {
    document.title = TEXTS.title(trouble);
  }, [trouble]);
}

function describeTitle({ lines, backups, site }: ConsoleOverview): string {
  const [down, degraded] = [lines.down + backups.down, lines.degraded + backups.degraded];
  if (down > 0) return `(${down} down) `;
  if (site.refusal !== null && site.refusal.correctedAt === null) return '(change refused) ';
  return degraded > 0 ? `(${degraded} degraded) ` : '';
}
