import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Icon } from '../../kit/page/icon.tsx';
import { usePage } from '../../kit/page/page-context.ts';
import { DOWNLOADS, type Download } from './download-list.ts';
import { DownloadPanel } from './download-panel.tsx';
import styles from './download-tabs.module.css';
import { moveSelection } from './move-selection.ts';

const COUNT = DOWNLOADS.length;

/** The download area of a desktop: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
export function DownloadTabs(): ReactNode {
  const { texts } = usePage();
  const [selected, setSelected] = useState<Download['id']>(DOWNLOADS[0].id);
  const list = useRef<HTMLDivElement>(null);

  const onKeyDown = (event: KeyboardEvent): void => {
    const from = DOWNLOADS.findIndex(({ id }) => id === selected);
    const to = moveSelection(event.key, from, COUNT);
    const download = to === undefined ? undefined : DOWNLOADS[to];
    if (!download) return;
    event.preventDefault();
    const tab = list.current?.querySelector<HTMLElement>(`#tab-${download.id}`);
    tab?.focus();
    // A click selects and tracks a tab, as with the mouse.
    tab?.click();
  };

  return (
    <div className={styles.tabs} data-needs-script>
      <div
        className={styles.list}
        role="tablist"
        aria-labelledby="downloads-title"
        aria-orientation="vertical"
        ref={list}
        onKeyDown={onKeyDown}
      >
        {DOWNLOADS.map(({ id, icon, name, note, event }) => (
          <button
            className={styles.tab}
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === selected}
            aria-controls={`panel-${id}`}
            tabIndex={id === selected ? 0 : -1}
            data-event={event}
            onClick={() => setSelected(id)}
          >
            <Icon name={icon} />
            <span className={styles.name}>{texts[name]}</span>
            <span className={styles.note}>{texts[note]}</span>
          </button>
        ))}
      </div>
      {DOWNLOADS.map((download) => (
        <DownloadPanel key={download.id} download={download} isSelected={download.id === selected} />
      ))}
    </div>
  );
}
