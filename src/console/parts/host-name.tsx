import { Fragment, type ReactNode } from 'react';
import { formatHost } from '../format/format-names.ts';

/** A host without its scheme. Where its line is too short, it breaks before a dot or its port, and never inside a word. */
export function HostName({ host }: { readonly host: string }): ReactNode {
  return formatHost(host)
    .split(/(?=[.:])/)
    .map((part, index) => (
      // The parts of a host never change their order.
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ));
}
