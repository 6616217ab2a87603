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
  /** Called where a visitor wants to enter an address that did not prove to be the brand's. */
  readonly onUnproven: (row: Row) => void;
};

/** One line: how fast it answers, the way in, and its address to take along. */
export const LineRow = memo(function LineRow({ row, onUnproven }: LineRowProps): ReactNode {
  const { texts } = usePage();
  const { number, address, speed } = row;
  const name = formatText(texts.officialLine, { n: number });
  const grade = gradeSpeed(speed);
  // Counting on and starting over are not news; a result is.
  const isNews = speed.key !== 'testing' && speed.key !== 'estimate';
  const isNumber = 'ms' in speed;
  return (
    <li className={styles.row} data-row={number} data-grade={grade} data-fastest={row.isFastest || undefined}>
      <SignalBars grade={grade} />
      <p className={styles.speed} aria-live={isNews ? 'polite' : 'off'} aria-atomic="true">
        <span className="visually-hidden">{name} </span>
        {/* By its key a new element, where words give way to a number: the same one would count as having moved. */}
        <span key={String(isNumber)} className={styles.time} data-speed data-words={!isNumber || undefined}>
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

/** The grade as bars, so that it does not hang on colour alone. The text beside them says it in words. */
function SignalBars({ grade }: { readonly grade: Grade }): ReactNode {
  return (
    <span className={bars.bars} data-grade={grade} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}

/** The way in. An address of the wrong server is no link: nothing of it opens at one click, or in a tab of its own. */
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

/** A row's speed in words. */
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

/** The second, quieter line: why it failed, that it is an estimate, or how good it is. */
function describeRow({ speed, cause }: Row, texts: PageTexts): string {
  if (cause) return texts[cause];
  if (speed.key === 'estimate') return texts.estimate;
  const grade = gradeSpeed(speed);
  return grade === 'fast' || grade === 'fair' || grade === 'slow' ? texts[grade] : '';
}

/** Only a measured row has one: the page as it is sent must be free of style attributes, which its policy forbids. */
function fillStyle({ speed }: Row): CSSProperties | undefined {
  return speed.key === 'measured' ? { transform: `scaleX(${fillOf(speed.ms)})` } : undefined;
}
