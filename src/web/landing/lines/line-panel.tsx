import { type ReactNode, useRef, useState } from 'react';
import { isClosed } from '../../../engine/board/create-line-board.ts';
import type { Row } from '../../../engine/board/describe-rows.ts';
import controls from '../../kit/page/controls.module.css';
import { Icon } from '../../kit/page/icon.tsx';
import { type HandOver, UNMEASURED_BOARD } from '../create-idle-hand-over.ts';
import type { LinksStore } from '../create-links-store.ts';
import { usePage } from '../../kit/page/page-context.ts';
import { useStore } from '../../kit/page/use-store.ts';
import { ExternalLink } from '../../kit/page/external-link.tsx';
import hints from './hints.module.css';
import styles from './line-panel.module.css';
import { LineRow } from './line-row.tsx';
import { LinksFailure } from './links-failure.tsx';
import { canRetest } from './retest-button.ts';
import { UnprovenLine } from './unproven-line.tsx';

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
  // Loading ends before a slow line has its result.
  const isMeasuring =
    !hasFailed && (phase === 'loading' || rows.some(({ speed }) => speed.key === 'estimate'));
  const result = rows.every(({ cause }) => cause !== undefined) ? texts.noneReachable : texts.measured;
  return (
    <section className={styles.panel} aria-labelledby="lines-title">
      <div className={styles.head}>
        <h2 className={styles.title} id="lines-title">
          {texts.linesTitle}
        </h2>
        {linksKind === 'stale' ? (
          <LinksFailure text={texts.lastLinks} onReload={links.load} />
        ) : (
          <p className={styles.status} id="lines-status" role="status" data-needs-script>
            <span>{isMeasuring ? texts.measuring : phase === 'ready' && result}</span>
          </p>
        )}
        {/* Its click is in retest-button.ts. */}
        <button
          className={`${controls.pill} ${styles.retest}`}
          type="button"
          data-needs-script
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
      <div className={styles.body} data-phase={phase} data-needs-script>
        <ol className={styles.rows} aria-hidden={hasFailed || undefined}>
          {rows.map((row) => (
            <LineRow key={row.number} row={row} onUnproven={setUnproven} />
          ))}
        </ol>
        {hasFailed && <LinksFailure text={texts.linksFailed} onReload={links.load} isCovering />}
        {isClosed(phase) && (
          <p className={styles.closed} role="alert">
            {texts[phase]}
          </p>
        )}
      </div>
      {/* React does not touch what is in a <noscript>. */}
      <noscript>{plainLinks}</noscript>
      <Hints />
      {unproven && !isClosed(phase) && (
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
