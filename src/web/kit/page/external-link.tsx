import type { ReactNode } from 'react';
import type { ControlEvent, SilentControl } from '../../../contract/page/analytics-events.ts';
import { usePage } from './page-context.ts';

/** Every control has one of these: its event, or its silent kind. */
type ControlAttributes = { readonly 'data-event': ControlEvent } | { readonly 'data-silent': SilentControl };

declare module 'react' {
  // Only an interface merges with React's own. Its type parameter is required there, although it is not used here.
  // oxlint-disable-next-line no-unused-vars
  interface HTMLAttributes<T> {
    'data-event'?: ControlEvent | undefined;
    'data-silent'?: SilentControl | undefined;
  }
}

type ExternalLinkProps = ControlAttributes & {
  /** Undefined if the link is missing or bad. Only this control is disabled then. */
  readonly href: string | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** A link out of the site. It opens a new tab. */
export function ExternalLink({ href, className, children, ...control }: ExternalLinkProps): ReactNode {
  const { texts } = usePage();
  return href === undefined ? (
    <a className={className} role="link" aria-disabled="true" title={texts.unavailable} {...control}>
      {children}
    </a>
  ) : (
    <a className={className} href={href} target="_blank" rel="noopener" {...control}>
      {children}
    </a>
  );
}
