import { isClosed } from '../../../engine/board/create-line-board.ts';
import type { Row } from '../../../engine/board/describe-rows.ts';
import type { PageTexts } from '../../kit/page/create-page-content.ts';
import { type HandOver, UNMEASURED_BOARD } from '../create-idle-hand-over.ts';
import { linkAttributes, rowAttributes, writeRowTexts } from './row-parts.ts';

/**
 * Shows speeds and links in the rows that the server sent, before React is there. It changes what line-row.tsx renders in
 * the same places and adds no element, so React finds the rows that it expects. It also runs after React has started,
 * because React renders only when the browser has time.
 */
export function paintRows(root: HTMLElement, board: HandOver['board'], texts: PageTexts): void {
  let painted: readonly Row[] = [];
  const paint = (): void => {
    const { phase, rows: measured } = board.getSnapshot();
    // Where the site turns out to be closed for this visitor, no link may stay. React removes the rows.
    const rows = isClosed(phase) ? UNMEASURED_BOARD.rows : measured;
    rows.forEach((row, index) => {
      const item = root.querySelector(`[data-row="${row.number}"]`);
      // A row that did not change is the same object.
      if (item && row !== painted[index]) paintRow(item, row, texts);
    });
    painted = rows;
  };
  board.subscribe(paint);
  paint();
}

function paintRow(item: Element, row: Row, texts: PageTexts): void {
  setAttributes(item, rowAttributes(row));
  for (const [name, text] of Object.entries(writeRowTexts(row, texts))) {
    const element = item.querySelector(`[data-text="${name}"]`);
    if (element) element.textContent = text;
  }
  const link = item.querySelector('a');
  if (link) setAttributes(link, linkAttributes(row));
}

type Attributes = Readonly<Record<string, string | number | true | undefined>>;

/** Sets and removes attributes as React does. */
function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, String(value));
  }
}
