import type { ReactNode } from 'react';
import { usePage } from '../../kit/page/page-context.ts';
import { ExternalLink } from '../../kit/page/external-link.tsx';
import { Icon } from '../../kit/page/icon.tsx';
import styles from './download-links.module.css';
import { DOWNLOADS } from './download-list.ts';
import { DownloadPanel } from './download-panel.tsx';
import { DownloadTabs } from './download-tabs.tsx';

/** The download area: links on a phone, tabs on a desktop. CSS hides the other one. One download needs no tabs. */
export function Downloads(): ReactNode {
  const { downloads, texts } = usePage();
  const [first, second] = downloads;
  if (!first) return null;
  return (
    <section aria-labelledby="downloads-title">
      <h2 className="visually-hidden" id="downloads-title">
        {texts.downloadsTitle}
      </h2>
      <DownloadLinks />
      {second ? (
        <DownloadTabs />
      ) : (
        <div className={styles.only} data-needs-script>
          <DownloadPanel id={first} />
        </div>
      )}
    </section>
  );
}

/** The download area of a phone: a link for each. */
function DownloadLinks(): ReactNode {
  const { downloads, links, texts } = usePage();
  return (
    <ul className={styles.links} data-without-script>
      {downloads.map((id) => {
        const { link, icon, name, note, event } = DOWNLOADS[id];
        return (
          <li key={id}>
            <ExternalLink className={styles.link} href={links[link]} data-event={event}>
              <Icon name={icon} />
              <span className={styles.name}>{texts[name]}</span>
              <span className="visually-hidden">{texts[note]}</span>
            </ExternalLink>
          </li>
        );
      })}
    </ul>
  );
}
