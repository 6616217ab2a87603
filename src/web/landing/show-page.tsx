import { type ReactNode, startTransition, useEffect } from 'react';
import { type RootOptions, createRoot, hydrateRoot } from 'react-dom/client';
import { LandingPage, type LandingPageProps } from './landing-page.tsx';
import { replaceByPlainLinks } from './show-plain-links.ts';

/**
 * Shows the page with React: in the HTML that the server sent, or anew where plain links are shown instead. Resolves when
 * React has taken the page over, or has failed.
 */
export async function showPage(root: HTMLElement, props: LandingPageProps, isPlain: boolean): Promise<void> {
  let end: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const page = <LivePage {...props} onLive={() => end?.()} />;
  const sent = root.innerHTML;
  const options: RootOptions = {
    onUncaughtError(error) {
      end?.();
      replaceByPlainLinks(root, sent);
      // Thrown again, so that the browser reports it as an uncaught error.
      setTimeout(() => {
        throw error;
      });
    },
  };
  if (isPlain) {
    createRoot(root, options).render(page);
  } else {
    // In a transition, so that a slow phone can scroll meanwhile.
    startTransition(() => {
      hydrateRoot(root, page, options);
    });
  }
  await ended;
}

function LivePage({ onLive, ...props }: LandingPageProps & { readonly onLive: () => void }): ReactNode {
  useEffect(onLive, [onLive]);
  return <LandingPage {...props} />;
}
