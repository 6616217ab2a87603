import { type ReactNode, Suspense, lazy, useSyncExternalStore } from 'react';
import { usePage } from './page-context.ts';

/** Loaded only where there is something to ask. */
const PARTS = { bar: loadPart('ConsentBar'), setting: loadPart('ConsentSetting') };

/** A part of what lets the visitor choose: the bar that asks, or the way back to it. */
export function Consent({ part }: { readonly part: keyof typeof PARTS }): ReactNode {
  const { question } = usePage();
  // The page is sent without it, and hydrated as it was sent.
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
    // Where the script is lost nobody is asked, and so nobody is watched; the page goes on.
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
