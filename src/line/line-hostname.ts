/** The line that a `Host` header means: without the port, and without the day's `www{digits}.` prefix. */
export function lineHostname(hostHeader: string): string {
  return hostHeader
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^www\d+\./, '');
}
