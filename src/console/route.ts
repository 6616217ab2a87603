import { useDeferredValue, useMemo, useSyncExternalStore } from 'react';
import { findMomentAt } from '../contract/moments.ts';

export type Route =
  | { readonly view: 'overview' }
  | { readonly view: 'line'; readonly id: string }
  | { readonly view: 'why'; readonly network: string | undefined }
  /** The desk, where the site is changed, and which part of the site is open there. */
  | { readonly view: 'desk'; readonly part: string }
  /** The recorded sessions. What is open there is read by the view: a query with filters, a session, or the errors. */
  | { readonly view: 'sessions'; readonly part: string }
  /** How the line of this host did in the past. The host is empty for the whole site. */
  | { readonly view: 'history'; readonly line: string }
  /** The links of campaigns. The code is empty for the list. */
  | { readonly view: 'campaigns'; readonly code: string }
  | { readonly view: (typeof PLAIN)[number] };

/** The views that can show the past. */
const WITH_PAST: ReadonlySet<Route['view']> = new Set<Route['view']>([
  'overview',
  'line',
  'where',
  'incidents',
]);
/** The end of a link to the past, such as `?at=2026-11-18T03:10Z`. */
const TIME = /\?at=(\d{4}-\d\d-\d\dT\d\d:\d\dZ)$/;

/** Reads the part of the URL after the `#`. Anything unknown leads to the overview. */
export function parseRoute(hash: string): Route {
  const [, view, ...rest] = hash.replace(/^#/, '').replace(TIME, '').split('/');
  const name = decode(rest.join('/'));
  if (view === 'lines' && name !== '') return { view: 'line', id: name };
  if (view === 'why') return { view, network: name === '' ? undefined : name };
  if (view === 'site') return { view: 'desk', part: name };
  if (view === 'sessions') return { view, part: rest.join('/') };
  if (view === 'campaigns') return { view, code: name };
  if (view === 'history') return { view, line: name };
  if (isPlain(view)) return { view };
  return { view: 'overview' };
}

/** Views without further parameters. */
const PLAIN = ['where', 'incidents', 'visitors', 'account', 'people', 'audit'] as const;

function isPlain(view: string | undefined): view is (typeof PLAIN)[number] {
  return (PLAIN as readonly (string | undefined)[]).includes(view);
}

/** Writes the link to a view. */
export function hrefOf(route: Route): string {
  switch (route.view) {
    case 'overview':
      return '#/';
    case 'line':
      return `#/lines/${encodeURIComponent(route.id)}`;
    case 'why':
      return route.network === undefined ? '#/why' : `#/why/${encodeURIComponent(route.network)}`;
    case 'desk':
      return route.part === '' ? '#/site' : `#/site/${encodeURIComponent(route.part)}`;
    case 'sessions':
      return `#/sessions/${route.part}`;
    case 'campaigns':
      return route.code === '' ? '#/campaigns' : `#/campaigns/${encodeURIComponent(route.code)}`;
    case 'history':
      return route.line === '' ? '#/history' : `#/history/${encodeURIComponent(route.line)}`;
    case 'where':
    case 'incidents':
    case 'visitors':
    case 'account':
    case 'people':
    case 'audit':
      return `#/${route.view}`;
  }
}

export function hasPast({ view }: Route): boolean {
  return WITH_PAST.has(view);
}

/** Reads which time a link leads to, in ms since 1970. Undefined for now, and for views that show only what is now. */
export function parseTime(hash: string): number | undefined {
  const time = Date.parse(TIME.exec(hash)?.[1] ?? '');
  return Number.isNaN(time) || !hasPast(parseRoute(hash)) ? undefined : findMomentAt(time);
}

/** Makes a link lead to a time of the past, or to now. Links to views without a past stay as they are. */
export function addTime(hash: string, at: number | undefined): string {
  const link = hash.replace(TIME, '') || '#/';
  if (at === undefined || !hasPast(parseRoute(link))) return link;
  return `${link}?at=${new Date(at).toISOString().slice(0, 16)}Z`;
}

/** Shows another time in the open view. Somebody who drags leaves one step in the browser's history, not hundreds. */
export function openTime(at: number | undefined): void {
  const link = addTime(location.hash, at);
  if (parseTime(location.hash) === undefined || at === undefined) location.hash = link;
  else history.replaceState(null, '', link);
  window.dispatchEvent(new Event('hashchange'));
}

/** Follows the time in the URL. */
export function useTime(): number | undefined {
  return useSyncExternalStore(subscribe, () => parseTime(location.hash));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // Somebody typed a percent sign.
  }
}

/**
 * Goes to a view. Browsers fire `hashchange` a moment later. It is fired here at once, because until then a select would show
 * its old value.
 */
export function openRoute(route: Route): void {
  location.hash = hrefOf(route);
  window.dispatchEvent(new Event('hashchange'));
}

/** Follows the view in the URL. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

/**
 * Follows a route, and stays at the view before it until the script of the next view has loaded. Without that, React shows
 * that it is loading, and then for at least 300 ms.
 */
export function useLoadedRoute(route: Route): Route {
  const loaded = useDeferredValue(route);
  return loaded.view === route.view ? route : loaded;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
