import { startTransition, useEffect, useState } from 'react';
import type { Store } from '../../../contract/create-store.ts';

/**
 * Follows a store, starting with the value that the page was rendered with. It renders in transitions, so that a slow
 * phone can scroll meanwhile. `useSyncExternalStore` would block it.
 */
export function useStore<T>(store: Pick<Store<T>, 'getSnapshot' | 'subscribe'>, rendered: T): T {
  return useStored(store, rendered, keep);
}

/** Follows a part of a store, so that nothing is rendered when the rest changes. `pick` must stay the same function. */
export function useStored<T, Part>(
  store: Pick<Store<T>, 'getSnapshot' | 'subscribe'>,
  rendered: Part,
  pick: (value: T) => Part,
): Part {
  const [value, setValue] = useState(rendered);
  useEffect(() => {
    const follow = (): void => startTransition(() => setValue(pick(store.getSnapshot())));
    follow();
    return store.subscribe(follow);
  }, [store, pick]);
  return value;
}

function keep<T>(value: T): T {
  return value;
}
