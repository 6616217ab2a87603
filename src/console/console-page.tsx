import {
  Component,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  lazy,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import type { ConsoleOverview } from '../contract/console.ts';
import type { ConsoleMoments } from '../contract/moments.ts';
import { CONSOLE_PATHS, PEOPLE_PATHS } from '../contract/paths.ts';
import type { ConsoleAccount } from '../contract/people.ts';
import { MINUTE_MS } from '../contract/time-units.ts';
import styles from './console-page.module.css';
import { Header } from './header.tsx';
import type { Feed } from './live/create-feed.ts';
import { useView } from './live/use-view.ts';
import type { SettingsStore } from './locale/create-settings.ts';
import { type Locale, type LocaleHints, LocaleProvider, createLocale, useLocale } from './locale/locale.ts';
import { OverviewView } from './overview/overview-view.tsx';
import buttons from './parts/buttons.module.css';
import { Empty, Loading } from './parts/panel.tsx';
import { PastView } from './past/past-view.tsx';
import { useShownTime } from './past/use-shown-time.ts';
import { type Route, addTime, hasPast, hrefOf, useLoadedRoute, useRoute } from './route.ts';

// Loaded when it is opened: it brings the charts.
const LineView = lazy(async () => ({ default: (await import('./line/line-view.tsx')).LineView }));
// Each line has a sentence of its own there, in two languages.
const WhyView = lazy(async () => ({ default: (await import('./why/why-view.tsx')).WhyView }));
// Most who look at the console change nothing.
const DeskView = lazy(async () => ({ default: (await import('./desk/open-desk.tsx')).openDesk(window) }));

// Nothing waits for it: the view below it is there first.
const TimeBar = lazy(async () => ({ default: (await import('./past/time-bar.tsx')).TimeBar }));

const WhereView = lazy(async () => ({ default: (await import('./where/where-view.tsx')).WhereView }));

const IncidentsView = lazy(async () => ({
  default: (await import('./incidents/incidents-view.tsx')).IncidentsView,
}));

const HistoryView = lazy(async () => ({
  default: (await import('./history/history-view.tsx')).HistoryView,
}));

const VisitorsView = lazy(async () => ({
  default: (await import('./visitors/visitors-view.tsx')).VisitorsView,
}));

const CampaignsView = lazy(async () => ({
  default: (await import('./campaigns/campaigns-view.tsx')).CampaignsView,
}));

const SessionsViews = lazy(async () => ({
  default: (await import('./sessions/sessions-views.tsx')).SessionsViews,
}));

// Loaded when it is opened: most operators only look.
const PeopleViews = lazy(async () => ({ default: (await import('./people/people-views.tsx')).PeopleViews }));

export type ConsolePageProps = {
  readonly feed: Feed;
  readonly settings: SettingsStore;
  readonly hints: LocaleHints;
};

/** The operator's console, in the operator's language and time zone. */
export function ConsolePage({ feed, settings, hints }: ConsolePageProps): ReactNode {
  const chosen = useSyncExternalStore(settings.subscribe, settings.getSnapshot);
  const locale = useMemo(() => createLocale(chosen, hints), [chosen, hints]);
  useEffect(() => {
    document.documentElement.lang = locale.language;
  }, [locale.language]);
  // Before the effects of charts, which read the colours.
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = locale.theme;
  }, [locale.theme]);
  return (
    <LocaleProvider value={locale}>
      <Page feed={feed} onChange={settings.change} />
    </LocaleProvider>
  );
}

/** The header, and the open view. */
function Page({
  feed,
  onChange,
}: {
  readonly feed: Feed;
  readonly onChange: SettingsStore['change'];
}): ReactNode {
  const { connection, lostAt, overview } = useSyncExternalStore(feed.subscribe, feed.getSnapshot);
  const locale = useLocale();
  const route = useRoute();
  const { data: account } = useView<ConsoleAccount>(PEOPLE_PATHS.account, 0);
  const main = useRef<HTMLElement>(null);
  const time = useShownTime();
  const at = hasPast(route) ? time.at : undefined;
  const minute = Math.floor((overview?.at ?? 0) / MINUTE_MS);
  const { data: moments } = useView<ConsoleMoments>(
    overview !== undefined && hasPast(route) ? CONSOLE_PATHS.moments : undefined,
    minute,
  );
  const shown = useLoadedRoute(route);
  const place = nameOpen(shown);
  useFocusAt(main, place);
  useTitle(overview, locale);
  return (
    <div className={styles.page} onClickCapture={(event) => keepTime(event, at)}>
      <SkipLink main={main} />
      <Header
        route={route}
        connection={connection}
        lostAt={lostAt}
        overview={overview}
        account={account}
        isPast={at !== undefined}
        onChange={onChange}
      />
      <main
        className={styles.main}
        id="main"
        ref={main}
        tabIndex={-1}
        aria-busy={shown !== route}
        data-stale={connection === 'lost' || undefined}
      >
        {overview === undefined ? (
          <Loading shape="view" />
        ) : (
          <>
            {hasPast(route) && (
              <div className={styles.bar}>
                <Suspense fallback={null}>
                  <ViewBoundary fallback={null}>
                    {moments !== undefined && <TimeBar moments={moments} time={{ ...time, at }} />}
                  </ViewBoundary>
                </Suspense>
              </div>
            )}
            <Suspense fallback={<Loading shape="view" />}>
              <ViewBoundary key={place} fallback={<BrokenView />}>
                <PastView at={at} moments={moments} overview={overview}>
                  {(past) => (
                    <OpenView
                      route={shown}
                      overview={past}
                      // Nothing of the past can be changed.
                      account={at === undefined ? account : undefined}
                    />
                  )}
                </PastView>
              </ViewBoundary>
            </Suspense>
          </>
        )}
      </main>
    </div>
  );
}

function SkipLink({ main }: { readonly main: RefObject<HTMLElement | null> }): ReactNode {
  const { texts } = useLocale();
  return (
    <a
      className={styles.skip}
      href="#main"
      onClick={(event) => {
        // The part of the URL after the `#` says which view is open.
        event.preventDefault();
        main.current?.focus();
      }}
    >
      {texts.skip}
    </a>
  );
}

/** Links inside a view of the past lead to the same time of the next view. */
function keepTime(event: MouseEvent, at: number | undefined): void {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#/"]') : null;
  if (at === undefined || link === null) return;
  const there = addTime(link.hash, at);
  if (there === link.hash || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  location.hash = there;
}

type ViewBoundaryProps = { readonly children: ReactNode; readonly fallback: ReactNode };

/** Shows the fallback if a view cannot be shown. After an upgrade, its script may have another name. */
class ViewBoundary extends Component<ViewBoundaryProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

function BrokenView(): ReactNode {
  const { texts } = useLocale();
  return (
    <Empty>
      {texts.viewBroken}{' '}
      <button className={buttons.button} type="button" onClick={() => location.reload()}>
        {texts.reload}
      </button>
    </Empty>
  );
}

/** After a link, keyboard users go on at the top of the new view, or in the field that it has opened. */
function useFocusAt(main: RefObject<HTMLElement | null>, place: string): void {
  const shownPlace = useRef(place);
  useEffect(() => {
    const isThere = main.current?.contains(document.activeElement) === true;
    if (shownPlace.current !== place && !isThere) main.current?.focus();
    shownPlace.current = place;
  }, [main, place]);
}

/** The views that list what can be chosen in them: a network, a line, a part of the site. Choosing another one stays in the view. */
const WITH_CHOICE: ReadonlySet<Route['view']> = new Set<Route['view']>(['why', 'history', 'desk']);

/** Names what is open: the view and its line. Choosing something else, or a filter, stays in its view. */
function nameOpen(route: Route): string {
  return WITH_CHOICE.has(route.view) ? route.view : hrefOf(route).replace(/\?.*/, '');
}

function OpenView({
  route,
  overview,
  account,
}: {
  readonly route: Route;
  readonly overview: ConsoleOverview;
  readonly account: ConsoleAccount | undefined;
}): ReactNode {
  switch (route.view) {
    case 'overview':
      return <OverviewView overview={overview} mayEdit={account?.mayEdit === true} />;
    case 'line':
      return <LineView id={route.id} overview={overview} mayEdit={account?.mayEdit === true} />;
    case 'where':
      return <WhereView version={overview.version} />;
    case 'why':
      return <WhyView network={route.network} version={overview.version} />;
    case 'desk':
      return <DeskView part={route.part} overview={overview} />;
    case 'incidents':
      return <IncidentsView version={overview.version} account={account} />;
    case 'history':
      return <HistoryView line={route.line} version={overview.version} />;
    case 'visitors':
      return <VisitorsView version={overview.version} account={account} />;
    case 'campaigns':
      return <CampaignsView code={route.code} version={overview.version} />;
    case 'sessions':
      return <SessionsViews part={route.part} version={overview.version} account={account} />;
    case 'account':
    case 'people':
    case 'audit':
      return account === undefined ? <Loading /> : <PeopleViews view={route.view} account={account} />;
  }
}

/** Shows trouble in the tab's title, for a tab in the background. */
function useTitle(overview: ConsoleOverview | undefined, { texts, format }: Locale): void {
  const open = overview?.openIncidents ?? 0;
  const title = (open > 0 ? `(${open}) ` : '') + (overview ? describeTitle(overview) : texts.title);
  useEffect(() => {
    document.title = title;
  }, [title]);

  function describeTitle({ lines, backups, cutOff, site }: ConsoleOverview): string {
    const [down, degraded] = [lines.down + backups.down, lines.degraded + backups.degraded];
    if (down > 0) return texts.titleDown(format.count(down));
    if (cutOff !== null) return texts.titleCutOff;
    if (site.refusal !== null && site.refusal.correctedAt === null) return texts.titleRefused;
    return degraded > 0 ? texts.titleDegraded(format.count(degraded)) : texts.title;
  }
}
