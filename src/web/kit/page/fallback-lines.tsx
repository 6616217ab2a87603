import type { ReactNode } from 'react';
import { formatText } from '../texts/format-text.ts';
import { usePage } from './page-context.ts';
import styles from './fallback-lines.module.css';

/** The fallback hosts as plain links, for visitors whose browser does not run the page's script. */
export function FallbackLines({
  addresses,
  note,
  listClass = styles.lines,
  linkClass = styles.line,
}: {
  readonly addresses: readonly string[];
  /** Why they have no times. */
  readonly note: string;
  readonly listClass?: string | undefined;
  readonly linkClass?: string | undefined;
}): ReactNode {
  const { texts } = usePage();
  return (
    <>
      <p>{note}</p>
      <ol className={listClass} data-without-script>
        {addresses.map((address, index) => (
          <li key={address}>
            <a className={linkClass} href={address} target="_blank" rel="noopener">
              {formatText(texts.officialLine, { n: index + 1 })}
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}
