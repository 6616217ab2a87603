import { useDeferredValue, useMemo, useSyncExternalStore } from 'react';

export type Route =
  | { readonly view: 'overview' }
  | { readonly view: 'line'; readonly id: string }
  | { readonly view: 'why'; readonly network: string | undefined }
  /** The desk, where the site is changed, and which part of the site is open there. */
  | { readonly view: 'desk'; readonly part: string }
  /** The recorded sessions. What is open there is read by the view: a query with filters, a session, or the errors. */
  | { readonly view: 'sessions'; readonly part: string }
  /** The links of campaigns. The code is empty for the list. */
  | { readonly view: 'campaigns'; readonly code: string }
  | { readonly view: (typeof PLAIN)[number] };

/** Reads the part of the URL after the `#`. Anything unknown leads to the overview. */
export function parseRoute(hash: string): Route {
  const [, view, ...rest] = hash.replace(/^#/, '').split('/');
  const name = decode(rest.join('/'));
  if (view === 'lines' && name !== '') return { view: 'line', id: name };
  if (view === 'why') return { view, network: name === '' ? undefined : name };
  if (view === 'site') return { view: 'desk', part: name };
  if (view === 'sessions') return { view, part: rest.join('/') };
  if (view === 'campaigns') return { view, code: name };
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
    case 'where':
    case 'incidents':
    case 'visitors':
    case 'account':
    case 'people':
    case 'audit':
      return `#/${route.view}`;
  }
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
