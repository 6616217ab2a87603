import type { ReactNode } from 'react';

/** What is below the rows of a table that is loaded page by page: a button that loads more, or that it is loading. */
export function LastRow({
  columns,
  children,
}: {
  readonly columns: number;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <tbody>
      <tr>
        <td colSpan={columns}>{children}</td>
      </tr>
    </tbody>
  );
}
