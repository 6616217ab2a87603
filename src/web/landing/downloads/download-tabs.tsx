import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Icon } from '../../kit/page/icon.tsx';
import { usePage } from '../../kit/page/page-context.ts';
import { DOWNLOADS } from './download-list.ts';
import { DownloadPanel } from './download-panel.tsx';
import styles from './download-tabs.module.css';

/** Where the text runs from right to left, the next tab is to the left. */
const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** The download area of a desktop: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
export function DownloadTabs(): ReactNode {
  const { downloads, texts } = usePage();
  const [selected, setSelected] = useState(downloads[0]);
  const list = useRef<HTMLDivElement>(null);

  const onKeyDown = (event: KeyboardEvent): void => {
    const from = downloads.findIndex((id) => id === selected);
    const key = document.dir === 'rtl' ? (MIRRORED[event.key] ?? event.key) : event.key;
    const to = moveSelection(key, from, downloads.length);
    const id = to === undefined ? undefined : downloads[to];
    if (!id) return;
    event.preventDefault();
    const tab = list.current?.querySelector<HTMLElement>(`#tab-${id}`);
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
        {downloads.map((id) => {
          const { icon, name, note, event } = DOWNLOADS[id];
          return (
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
          );
        })}
      </div>
      {downloads.map((id) => (
        <DownloadPanel key={id} id={id} tab={{ isSelected: id === selected }} />
      ))}
    </div>
  );
}

/** Finds the tab that a key moves the selection to. Undefined for a key that moves nothing. */
export function moveSelection(key: string, from: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return (from + 1) % count;
    case 'ArrowUp':
    case 'ArrowLeft':
      return (from + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
