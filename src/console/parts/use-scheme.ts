import { useSyncExternalStore } from 'react';
import { useLocale } from '../locale/locale.ts';

const DARK = '(prefers-color-scheme: dark)';

/** Whether the page is dark. A canvas must be drawn again when that changes. */
export function useScheme(): 'dark' | 'light' {
  const { theme } = useLocale();
  const system = useSyncExternalStore(subscribe, () => (matchMedia(DARK).matches ? 'dark' : 'light'));
  return theme === 'system' ? system : theme;
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
