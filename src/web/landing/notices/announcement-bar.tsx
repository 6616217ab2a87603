import { type ReactNode, useState } from 'react';
import { ANNOUNCEMENT_KEY } from '../../../contract/page/storage-keys.ts';
import { createBrowserStore } from '../../../engine/effects/browser-effects.ts';
import { Icon } from '../../kit/page/icon.tsx';
import { usePage } from '../../kit/page/page-context.ts';
import styles from './announcement-bar.module.css';

/**
 * What the operator has to say, until the visitor has read it; a new text is shown again.
 *
 * A dismissed one is hidden by the page's head before anything is painted, see `hide-dismissed.ts`.
 */
export function AnnouncementBar(): ReactNode {
  const { announcement, texts } = usePage();
  const [isDismissed, setDismissed] = useState(false);
  if (!announcement || isDismissed) return null;

  const dismiss = (): void => {
    createBrowserStore(() => localStorage).set(ANNOUNCEMENT_KEY, announcement.text);
    setDismissed(true);
  };

  return (
    <aside className={styles.bar} aria-label={texts.announcement}>
      <Icon name="news" />
      <p>
        {announcement.text}
        {announcement.url !== undefined && (
          <>
            {' '}
            <a href={announcement.url} target="_blank" rel="noopener" data-silent="announcement">
              {texts.announcementMore}
            </a>
          </>
        )}
      </p>
      <button
        className={styles.dismiss}
        type="button"
        data-silent="announcement"
        data-needs-script
        aria-label={texts.dismiss}
        onClick={dismiss}
      >
        <Icon name="close" />
      </button>
    </aside>
  );
}
