import { useSyncExternalStore } from 'react';

const DARK = '(prefers-color-scheme: dark)';

/** Whether the system is dark. A canvas must be drawn again when that changes. */
export function useScheme(): 'dark' | 'light' {
  return useSyncExternalStore(subscribe, () => (matchMedia(DARK).matches ? 'dark' : 'light'));
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
