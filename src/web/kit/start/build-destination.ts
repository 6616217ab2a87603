/** Builds the URL that a visitor is sent to. Their query and hash are kept only if the site folder says so. */
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
