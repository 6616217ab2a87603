import type { ReactNode } from 'react';
import { ExternalLink } from '../../kit/page/external-link.tsx';
import { Icon } from '../../kit/page/icon.tsx';
import { usePage } from '../../kit/page/page-context.ts';
import { DOWNLOADS } from './download-list.ts';
import styles from './download-links.module.css';

/** The download area of a phone: four links. */
export function DownloadLinks(): ReactNode {
  const { links, texts } = usePage();
  return (
    <ul className={styles.links} data-without-script>
      {DOWNLOADS.map(({ id, link, icon, name, note, event }) => (
        <li key={id}>
          <ExternalLink className={styles.link} href={links[link]} data-event={event}>
            <Icon name={icon} />
            <span className={styles.name}>{texts[name]}</span>
            <span className={styles.note}>{texts[note]}</span>
          </ExternalLink>
        </li>
      ))}
    </ul>
  );
}
