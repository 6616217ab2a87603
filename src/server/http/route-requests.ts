import type { Answer } from './exchange.ts';
import { refuseMethod } from './refusals.ts';
import type { Visit } from '../portal/visit.ts';

export type Handler = (visit: Visit) => Answer | Promise<Answer>;

export type Route = { readonly method: 'GET' | 'POST'; readonly handler: Handler };

export type Routes = {
  /** By path; one that ends in `*` stands for every path that starts like it. */
  readonly [path: string]: Route;
};

/** Finds the handler of each request. Where `GET` is answered, `HEAD` is too: Node leaves the body out. */
export function routeRequests(routes: Routes, otherwise: Handler): Handler {
  const exact = new Map(Object.entries(routes).filter(([path]) => !path.endsWith('*')));
  const prefixes = Object.entries(routes)
    .filter(([path]) => path.endsWith('*'))
    .map(([path, route]) => ({ prefix: path.slice(0, -1), route }));
  return (visit) => {
    const { method, path } = visit.request;
    const route = exact.get(path) ?? prefixes.find(({ prefix }) => path.startsWith(prefix))?.route;
    if (route === undefined) return otherwise(visit);
    if (method !== route.method && !(method === 'HEAD' && route.method === 'GET')) {
      throw refuseMethod(route.method === 'GET' ? 'GET, HEAD' : route.method);
    }
    return route.handler(visit);
  };
}
