import type { ReactNode } from 'react';

/** On a grid of 24, with strokes in the colour of the text. */
const PATHS = {
  service:
    'M4 13v-1a8 8 0 0 1 16 0v1M4 13a2 2 0 0 1 2-2h1v6H6a2 2 0 0 1-2-2zM20 13a2 2 0 0 0-2-2h-1v6h1a2 2 0 0 0 2-2zM18 17v1a3 3 0 0 1-3 3h-2',
  browser: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM15.5 8.5l-2 5-5 2 2-5z',
  wallet: 'M4 7.5A2.5 2.5 0 0 1 6.5 5H17v3M4 7.5V17a3 3 0 0 0 3 3h13V8H4.5M16.5 14h.01',
  phone: 'M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2',
  channel: 'M20.5 4.5L3.5 11l5.5 2.2M20.5 4.5L17 19l-8-5.8M20.5 4.5L9 13.2V19l3-3.6',
  download: 'M12 4v11M7.5 10.5L12 15l4.5-4.5M5 19.5h14',
  copy: 'M9 9h9.5a1.5 1.5 0 0 1 1.5 1.5V19a1.5 1.5 0 0 1-1.5 1.5H10.5A1.5 1.5 0 0 1 9 19zM5.5 15A1.5 1.5 0 0 1 4 13.5V5a1.5 1.5 0 0 1 1.5-1.5H14A1.5 1.5 0 0 1 15.5 5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  retest: 'M20 5v5h-5M4 19v-5h5M19.3 10a7.5 7.5 0 0 0-13.6-2M4.7 14a7.5 7.5 0 0 0 13.6 2',
  arrow: 'M9 5.5l6.5 6.5L9 18.5',
  news: 'M4 10v4h3l7 4V6l-7 4zM17.5 9.5a4 4 0 0 1 0 5',
  shield: 'M12 3l7.5 3v5.5c0 4.5-3.1 8-7.5 9.5-4.4-1.5-7.5-5-7.5-9.5V6zM9 12l2.2 2.2L15.2 10',
} as const;

export type IconName = keyof typeof PATHS;

/** Mirrored where the text runs from right to left. */
const POINTING = new Set<IconName>(['arrow', 'news']);

/** An icon. It has no text of its own, because it is always beside one. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      width="24"
      height="24"
      aria-hidden="true"
      data-pointing={POINTING.has(name) || undefined}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
