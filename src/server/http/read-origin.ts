/**
 * Reads the `Origin` header, with which browsers say which page sends a request. Undefined for what no browser sends: it
 * must be exactly an origin, because it ends up in headers of answers.
 */
export function readOrigin(origin: string): URL | undefined {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return url?.origin === origin ? url : undefined;
}
