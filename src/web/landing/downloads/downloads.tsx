import type { ReactNode } from 'react';
import { usePage } from '../../kit/page/page-context.ts';
import { ExternalLink } from '../../kit/page/external-link.tsx';
import { Icon } from '../../kit/page/icon.tsx';
import styles from './download-links.module.css';
import { DOWNLOADS } from './download-list.ts';
import { DownloadTabs } from './download-tabs.tsx';

/** The download area: links on a phone, tabs on a desktop. CSS hides the other one. */
export function Downloads(): ReactNode {
  const { texts } = usePage();
  return (
    <section aria-labelledby="downloads-title">
      <h2 className="visually-hidden" id="downloads-title">
        {texts.downloadsTitle}
      </h2>
      <DownloadLinks />
      <DownloadTabs />
    </section>
  );
}

/** The download area of a phone: four links. */
function DownloadLinks(): ReactNode {
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
