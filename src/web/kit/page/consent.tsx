import { type ReactNode, Suspense, lazy, useSyncExternalStore } from 'react';
import { usePage } from './page-context.ts';

/** The question. Only sites that ask have its style. */
export const CONSENT_CLASS = 'consent';

/** Loaded only if there is something to ask. */
const PARTS = { bar: loadPart('ConsentBar'), setting: loadPart('ConsentSetting') };

/** A part of the consent controls: the bar that asks, or the button that opens it again. */
export function ConsentPart({ part }: { readonly part: keyof typeof PARTS }): ReactNode {
  const { question } = usePage();
  // The server renders the page without it, and hydration must find the same.
  const isHydrated = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  const Part = PARTS[part];
  return (
    isHydrated &&
    question && (
      <Suspense>
        <Part question={question} />
      </Suspense>
    )
  );
}

function loadPart(name: 'ConsentBar' | 'ConsentSetting') {
  return lazy(async () => {
    // If the script does not load, nobody is asked, so nobody is watched. The page works without it.
    const controls = await import('./consent-controls.tsx').catch(() => undefined);
    return { default: controls?.[name] ?? Nothing };
  });
}

function Nothing(): ReactNode {
  return null;
}

function subscribeToNothing(): () => void {
  return () => undefined;
}
