/** Where a visitor is sent: the chosen address. What they came with goes along only where the site folder says so. */
export function buildDestination(
  address: string,
  { search, hash }: Pick<Location, 'search' | 'hash'>,
  keepQuery: boolean,
): string {
  const destination = new URL(address);
  if (keepQuery) {
    destination.search = search;
    destination.hash = hash;
  }
  return destination.href;
}
