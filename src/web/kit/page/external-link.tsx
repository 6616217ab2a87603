import type { ReactNode } from 'react';
import type { ControlAttributes } from '../../watching/analytics/control-attributes.ts';
import { usePage } from './page-context.ts';

type ExternalLinkProps = ControlAttributes & {
  /** Undefined where it is missing or bad: then this control alone is disabled. */
  readonly href: string | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** A link out of the site, in a tab of its own. */
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
