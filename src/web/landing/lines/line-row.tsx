import { type CSSProperties, type ReactNode, memo } from 'react';
import type { Row } from '../../../engine/board/describe-rows.ts';
import { formatText } from '../../kit/texts/format-text.ts';
import { CopyButton } from '../copy-button.tsx';
import { usePage } from '../../kit/page/page-context.ts';
import { fillOf, gradeSpeed } from './grade-speed.ts';
import styles from './line-row.module.css';
import { linkAttributes, rowAttributes, writeRowTexts } from './row-parts.ts';
import bars from './signal-bars.module.css';

type LineRowProps = {
  readonly row: Row;
  /** Called if the visitor wants to enter a line that failed the identity check. */
  readonly onUnproven: (row: Row) => void;
};

/** One row: the line's speed, the link to it, and a button that copies its address. */
export const LineRow = memo(function LineRow({ row, onUnproven }: LineRowProps): ReactNode {
  const { texts } = usePage();
  const { number, speed } = row;
  const name = formatText(texts.officialLine, { n: number });
  // Screen readers announce results, not estimates.
  const isNews = gradeSpeed(speed) !== 'pending';
  return (
    <li className={styles.row} data-row={number} {...rowAttributes(row)}>
      <SignalBars />
      <p className={styles.speed} aria-live={isNews ? 'polite' : 'off'} aria-atomic="true">
        <span className="visually-hidden">{name} </span>
        <SpeedTexts {...writeRowTexts(row, texts)} />
      </p>
      <p className={styles.badges}>
        {row.isFastest && <span className={styles.fastest}>{texts.fastest}</span>}
        {row.isBackup && <span className={styles.backup}>{texts.backup}</span>}
      </p>
      <span className={styles.ways}>
        <Enter row={row} name={name} onUnproven={onUnproven} />
        <span className={styles.copy}>
          {/* What is not entered with one click is not handed out with one either. */}
          <CopyButton text={linkAttributes(row).href} label={formatText(texts.copyLine, { n: number })} />
        </span>
      </span>
      <span className={styles.bar} aria-hidden="true">
        <span className={styles.fill} style={fillStyle(row)} />
      </span>
    </li>
  );
});

/**
 * The texts of a speed. Words and numbers have separate elements, because an element that changes its size counts as a
 * layout shift. paint-rows.ts may have changed them before React starts, so a difference is no error.
 */
function SpeedTexts({ number, words, note }: ReturnType<typeof writeRowTexts>): ReactNode {
  return (
    <span className={styles.texts}>
      <span className={styles.time} data-speed>
        <span className={styles.words} data-text="words" suppressHydrationWarning>
          {words}
        </span>
        <span data-text="number" suppressHydrationWarning>
          {number}
        </span>
      </span>
      <span className={styles.note} data-text="note" suppressHydrationWarning>
        {note}
      </span>
    </span>
  );
}

/** The grade as bars, so that colour is not the only sign. The text beside them says it in words. */
function SignalBars(): ReactNode {
  return (
    <span className={bars.bars} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}

/** The link to the line. A line that failed the identity check has a button instead, which opens a dialog first. */
function Enter({ row, name, onUnproven }: LineRowProps & { readonly name: string }): ReactNode {
  if (row.cause === 'wrong-server') {
    return (
      <button
        className={styles.enter}
        type="button"
        aria-haspopup="dialog"
        data-silent="unproven-line"
        onClick={() => onUnproven(row)}
      >
        {name}
      </button>
    );
  }
  return (
    <a className={styles.enter} {...linkAttributes(row)}>
      {name}
    </a>
  );
}

/** Only a measured row has a style. The page's policy forbids style attributes in the HTML that the server sends. */
function fillStyle({ speed }: Row): CSSProperties | undefined {
  return speed.key === 'measured' ? { transform: `scaleX(${fillOf(speed.ms)})` } : undefined;
}
