import { startTransition } from 'react';
import { type RootOptions, createRoot, hydrateRoot } from 'react-dom/client';
import { LandingPage, type LandingPageProps } from './landing-page.tsx';
import { replaceByPlainLinks } from './show-plain-links.ts';

/** Shows the page with React: in the HTML that the server sent, or anew where plain links are shown instead. */
export function showPage(root: HTMLElement, props: LandingPageProps, isPlain: boolean): void {
  const page = <LandingPage {...props} />;
  const sent = root.innerHTML;
  const options: RootOptions = {
    onUncaughtError(error) {
      replaceByPlainLinks(root, sent);
      // As if nobody had caught it.
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
}
