import type { ReactNode } from 'react';

/** The last row of a table that is loaded page by page. It has a button that loads more, or says that more is loading. */
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
