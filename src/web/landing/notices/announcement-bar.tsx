import { type ReactNode, useState } from 'react';
import { ANNOUNCEMENT_KEY } from '../../../contract/page/storage-keys.ts';
import { writeInlineJson } from '../../../contract/page/write-inline-json.ts';
import { createBrowserStore } from '../../../engine/effects/browser-effects.ts';
import controls from '../../kit/page/controls.module.css';
import { Icon } from '../../kit/page/icon.tsx';
import { usePage } from '../../kit/page/page-context.ts';
import styles from './announcement-bar.module.css';

/**
 * The operator's announcement. On a phone it has one line until a tap opens it. A visitor who has dismissed it sees only a new text
 * again: the old one is hidden before the first paint, see `renderHideDismissed`.
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
      <details>
        <summary data-silent="announcement">
          <bdi>{announcement.text}</bdi>
        </summary>
      </details>
      {announcement.url !== undefined && (
        <a href={announcement.url} target="_blank" rel="noopener" data-silent="announcement">
          {texts.announcementMore}
        </a>
      )}
      <button
        className={controls.dismiss}
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

/**
 * Renders a script for the head that marks the page if the visitor has dismissed this announcement. It runs before the
 * first paint, because removing the bar later would move everything below it.
 */
export function renderHideDismissed(text: string): string {
  const [key, dismissed] = [ANNOUNCEMENT_KEY, text].map(writeInlineJson);
  // If storage is forbidden, the announcement is shown.
  return `try{localStorage[${key}]==${dismissed}&&(document.documentElement.dataset.read="")}catch(e){}`;
}
