import { Fragment, type ReactNode } from 'react';
import { formatHost } from '../format/format-names.ts';

/** A host without its scheme. Breaks before a dot or the port if it does not fit. */
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
