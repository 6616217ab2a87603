import { startTransition, useEffect, useState } from 'react';
import type { Store } from '../../../contract/store.ts';

/**
 * Follows a store, from the value that the page was rendered with. It does so in small steps, between which a slow phone
 * can scroll: `useSyncExternalStore` renders each change in one go.
 */
export function useStore<T>(store: Store<T>, rendered: T): T {
  const [value, setValue] = useState(rendered);
  useEffect(() => {
    const follow = (): void => startTransition(() => setValue(store.getSnapshot()));
    follow();
    return store.subscribe(follow);
  }, [store]);
  return value;
}
