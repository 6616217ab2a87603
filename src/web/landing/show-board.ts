import type { LineBoard } from '../../engine/create-line-board.ts';
import type { Row } from '../../engine/describe-rows.ts';
import { type Texts, speedInWords } from '../texts.ts';

/** Prints the rows of the board into the page, now and whenever they change. */
export function showBoard(board: LineBoard, document: Document, texts: Texts): void {
  const list = document.querySelector('#rows');
  const retest = document.querySelector<HTMLButtonElement>('#retest');
  const show = () => {
    const { phase, rows } = board.getSnapshot();
    list?.replaceChildren(
      ...(phase === 'restricted' ? [texts.restricted] : rows.map((row) => createItem(row, document, texts))),
    );
    if (retest) retest.disabled = phase !== 'ready';
  };
  retest?.addEventListener('click', () => board.retest());
  board.subscribe(show);
  show();
}

function createItem(row: Row, document: Document, texts: Texts): HTMLLIElement {
  const item = document.createElement('li');
  item.dataset['row'] = String(row.number);
  item.toggleAttribute('data-fastest', row.isFastest);

  const link = document.createElement('a');
  link.textContent = texts.officialLine.replace('{n}', String(row.number));
  link.target = '_blank';
  link.rel = 'noopener';
  if (row.address) link.href = row.address;

  const speed = document.createElement('span');
  speed.dataset['speed'] = '';
  speed.textContent = speedInWords(row.speed, texts);

  const notes = document.createElement('small');
  notes.textContent = [
    row.isBackup ? texts.backup : '',
    row.isFastest ? texts.fastest : '',
    row.speed.key === 'estimate' ? texts.estimate : '',
    row.cause ? texts[row.cause] : '',
  ]
    .filter(Boolean)
    .join(' · ');

  item.append(link, speed, notes);
  return item;
}
