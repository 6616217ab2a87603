/** A host as it is told apart from others: without the scheme, which nearly all share. */
export function formatHost(host: string): string {
  return host.replace(/^https?:\/\//, '');
}
