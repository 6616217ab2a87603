import { type ReactNode, useRef, useState } from 'react';
import type { Row } from '../../../engine/board/describe-rows.ts';
import controls from '../../kit/page/controls.module.css';
import { Icon } from '../../kit/page/icon.tsx';
import { type HandOver, UNMEASURED_BOARD } from '../create-idle-hand-over.ts';
import type { LinksStore } from '../create-links-store.ts';
import { usePage } from '../../kit/page/page-context.ts';
import { useStore } from '../../kit/page/use-store.ts';
import { ExternalLink } from '../../kit/page/external-link.tsx';
import { gradeSpeed } from './grade-speed.ts';
import hints from './hints.module.css';
import styles from './line-panel.module.css';
import { LineRow } from './line-row.tsx';
import { LinksRetry } from './links-retry.tsx';
import { canRetest } from './retest-button.ts';
import { Trouble } from './trouble.tsx';
import { UnprovenLine } from './unproven-line.tsx';

/** The heading of the lines, to which the skip link leads. */
export const LINES_ID = 'lines-title';

type LinePanelProps = {
  readonly board: HandOver['board'];
  readonly links: LinksStore;
  /** Plain links for visitors without JavaScript. Rendered on the server only. */
  readonly plainLinks: ReactNode;
};

/** The official lines, each with its speed, and the button that measures them again. */
export function LinePanel({ board, links, plainLinks }: LinePanelProps): ReactNode {
  const { texts, links: currentLinks } = usePage();
  const { kind: linksKind } = useStore(links, { kind: 'loading', links: currentLinks });
  const { phase, rows } = useStore(board, UNMEASURED_BOARD);
  const [unproven, setUnproven] = useState<Row>();
  const retestButton = useRef<HTMLButtonElement>(null);
  const hasFailed = linksKind === 'failed';
  // The hostname call may still be open when all rows have ended, and loading ends before a slow line has its result.
  const isMeasuring = !hasFailed && rows.some(({ speed }) => gradeSpeed(speed) === 'pending');
  const isLost = !hasFailed && !isMeasuring && rows.every(({ cause }) => cause !== undefined);
  return (
    <section className={styles.panel} aria-labelledby={LINES_ID}>
      <div className={styles.head}>
        <h2 className={styles.title} id={LINES_ID} tabIndex={-1}>
          {texts.linesTitle}
        </h2>
        {linksKind === 'stale' ? (
          <div className={styles.status} role="alert">
            <span>
              {texts.lastLinks} <LinksRetry className={controls.pill} onReload={links.load} />
            </span>
          </div>
        ) : (
          <p
            className={styles.status}
            id="lines-status"
            role="status"
            data-needs-script
            hidden={hasFailed || isLost}
          >
            <span>{isMeasuring ? texts.measuring : texts.measured}</span>
          </p>
        )}
        {/* Its click is in retest-button.ts. */}
        <button
          className={`${isLost ? controls.primary : controls.pill} ${styles.retest}`}
          type="button"
          data-needs-script
          hidden={hasFailed}
          aria-disabled={!canRetest({ phase, rows })}
          data-measuring={isMeasuring || undefined}
          aria-describedby="lines-status"
          data-event="retest"
          ref={retestButton}
        >
          <Icon name="retest" />
          {texts.retest}
        </button>
      </div>
      {hasFailed && (
        <Trouble title={texts.linksFailed}>
          <LinksRetry className={controls.primary} onReload={links.load} />
        </Trouble>
      )}
      {isLost && <Trouble title={texts.noneReachable} text={texts.noneHelp} />}
      <ol className={styles.rows} data-phase={phase} data-needs-script hidden={hasFailed}>
        {rows.map((row) => (
          <LineRow key={row.number} row={row} onUnproven={setUnproven} />
        ))}
      </ol>
      {/* React does not touch what is in a <noscript>. */}
      <noscript>{plainLinks}</noscript>
      {!hasFailed && !isLost && <Hints />}
      {unproven && (
        <UnprovenLine
          row={unproven}
          fastest={rows.find(({ isFastest }) => isFastest)}
          onClose={() => setUnproven(undefined)}
          // The row's button, which had the focus, is replaced by a link.
          onRetest={() => retestButton.current?.focus()}
        />
      )}
    </section>
  );
}

/** The two hints: the main browser, where it is among the downloads, and customer service. */
function Hints(): ReactNode {
  const { downloads, links, texts } = usePage();
  return (
    <ul className={hints.hints}>
      {downloads.includes('ub') && (
        <li>
          <ExternalLink className={hints.hint} href={links.ub} data-event="tip_ub">
            <Icon name="shield" />
            <span>{texts.hintUb}</span>
          </ExternalLink>
        </li>
      )}
      <li>
        <ExternalLink className={hints.hint} href={links.service} data-event="tip_service">
          <Icon name="service" />
          <span>{texts.hintService}</span>
        </ExternalLink>
      </li>
    </ul>
  );
}
