import { type CSSProperties, type ReactNode, memo } from 'react';
import type { Row } from '../../../engine/board/describe-rows.ts';
import { formatText } from '../../kit/texts/texts.ts';
import type { SpeedText } from '../../../engine/board/describe-speed.ts';
import type { PageTexts } from '../../kit/page/page-content.ts';
import { CopyButton } from '../copy-button.tsx';
import { usePage } from '../../kit/page/page-context.ts';
import { type Grade, fillOf, gradeSpeed } from './grade-speed.ts';
import styles from './line-row.module.css';
import bars from './signal-bars.module.css';

type LineRowProps = {
  readonly row: Row;
  /** Called if the visitor wants to enter a line that failed the identity check. */
  readonly onUnproven: (row: Row) => void;
};

/** One row: the line's speed, the link to it, and a button that copies its address. */
export const LineRow = memo(function LineRow({ row, onUnproven }: LineRowProps): ReactNode {
  const { texts } = usePage();
  const { number, address, speed } = row;
  const name = formatText(texts.officialLine, { n: number });
  const grade = gradeSpeed(speed);
  // Screen readers announce results, not estimates.
  const isNews = speed.key !== 'testing' && speed.key !== 'estimate';
  const isNumber = 'ms' in speed;
  return (
    <li className={styles.row} data-row={number} data-grade={grade} data-fastest={row.isFastest || undefined}>
      <SignalBars grade={grade} />
      <p className={styles.speed} aria-live={isNews ? 'polite' : 'off'} aria-atomic="true">
        <span className="visually-hidden">{name} </span>
        {/* The key makes a new element when another text replaces this. The same element would count as a layout shift. */}
        <span key={speed.key} className={styles.time} data-speed data-words={!isNumber || undefined}>
          {speedInWords(speed, texts)}
        </span>
        <span className={styles.note}>{describeRow(row, texts)}</span>
      </p>
      <p className={styles.badges}>
        {row.isFastest && <span className={styles.fastest}>{texts.fastest}</span>}
        {row.isBackup && <span className={styles.backup}>{texts.backup}</span>}
      </p>
      <Enter row={row} name={name} onUnproven={onUnproven} />
      <span className={styles.copy}>
        <CopyButton text={address} label={formatText(texts.copyLine, { n: number })} />
      </span>
      <span className={styles.bar} aria-hidden="true">
        <span className={styles.fill} style={fillStyle(row)} />
      </span>
    </li>
  );
});

/** The grade as bars, so that colour is not the only sign. The text beside them says it in words. */
function SignalBars({ grade }: { readonly grade: Grade }): ReactNode {
  return (
    <span className={bars.bars} data-grade={grade} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}

/** The link to the line. A line that failed the identity check has a button instead, which opens a dialog first. */
function Enter({ row, name, onUnproven }: LineRowProps & { readonly name: string }): ReactNode {
  const { number, address, cause } = row;
  if (address === undefined) {
    return (
      <a className={styles.enter} role="link" aria-disabled="true">
        {name}
      </a>
    );
  }
  if (cause === 'wrong-server') {
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
    <a
      className={styles.enter}
      href={address}
      target="_blank"
      rel="noopener"
      data-event="official_line"
      data-line={number}
    >
      {name}
    </a>
  );
}

/** Writes a row's speed as a text. */
function speedInWords(speed: SpeedText, texts: PageTexts): string {
  switch (speed.key) {
    case 'measured':
    case 'estimate':
      return `${speed.ms}ms`;
    case 'testing':
    case 'aboveFiveSeconds':
    case 'aboveTwentySeconds':
      return texts[speed.key];
  }
}

/** Writes the small text below the speed: the cause of a failure, "estimate", or the grade. */
function describeRow({ speed, cause }: Row, texts: PageTexts): string {
  if (cause) return texts[cause];
  if (speed.key === 'estimate') return texts.estimate;
  const grade = gradeSpeed(speed);
  return grade === 'fast' || grade === 'fair' || grade === 'slow' ? texts[grade] : '';
}

/** Only a measured row has a style. The page's policy forbids style attributes in the HTML that the server sends. */
function fillStyle({ speed }: Row): CSSProperties | undefined {
  return speed.key === 'measured' ? { transform: `scaleX(${fillOf(speed.ms)})` } : undefined;
}
