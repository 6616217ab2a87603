import type { PageEnd } from '../../../contract/page/campaign-page.ts';

/**
 * Builds the URL that a visitor is sent to. Their query and hash are given only if the site folder keeps them. A link's own
 * parameters win over theirs.
 */
export function buildDestination(
  address: string,
  { path = '', query = {} }: PageEnd = {},
  { search, hash }: Pick<Location, 'search' | 'hash'> = { search: '', hash: '' },
): string {
  const destination = new URL(path, address);
  destination.search = search;
  destination.hash = hash;
  for (const [key, value] of Object.entries(query)) destination.searchParams.set(key, value);
  return destination.href;
}
