import { startTransition, useEffect, useState } from 'react';
import type { Store } from '../../../contract/create-store.ts';

/**
 * Follows a store, starting with the value that the page was rendered with. It renders in transitions, so that a slow
 * phone can scroll meanwhile. `useSyncExternalStore` would block it.
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
