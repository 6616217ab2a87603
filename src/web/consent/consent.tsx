import { type ReactNode, Suspense, lazy, useSyncExternalStore } from 'react';
import { usePage } from '../landing/page-context.ts';

/** Loaded only where there is something to ask. */
const PARTS = {
  bar: lazy(async () => ({ default: (await import('./consent-controls.tsx')).ConsentBar })),
  setting: lazy(async () => ({ default: (await import('./consent-controls.tsx')).ConsentSetting })),
};

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

function subscribeToNothing(): () => void {
  return () => undefined;
}
