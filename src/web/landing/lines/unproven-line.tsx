import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Row } from '../../../engine/board/describe-rows.ts';
import { formatText } from '../../kit/texts/format-text.ts';
import { ExternalLink } from '../../kit/page/external-link.tsx';
import { Icon } from '../../kit/page/icon.tsx';
import { usePage } from '../../kit/page/page-context.ts';
import styles from './unproven-line.module.css';

type UnprovenLineProps = {
  /** The row that failed the identity check. */
  readonly row: Row;
  /** The fastest valid row, if any. */
  readonly fastest: Row | undefined;
  readonly onRetest: () => void;
  readonly onClose: () => void;
};

/** Warns of a line that failed the identity check. It offers a valid line first, and "open anyway" second. */
export function UnprovenLine({ row, fastest, onRetest, onClose }: UnprovenLineProps): ReactNode {
  const { links, texts } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    if (!current) return;
    // Safari before 15.4 has no dialogs. It shows the element as a part of the page.
    if ('showModal' in current) current.showModal();
    else (current as HTMLElement).querySelector<HTMLElement>('a, button')?.focus();
  }, []);
  // The browser moves the focus back, and then calls `onClose`.
  const close = (): void => {
    if (dialog.current && 'close' in dialog.current) dialog.current.close();
    else onClose();
  };
  const closeAndRetest = (): void => {
    close();
    onRetest();
  };
  return (
    <dialog
      className={styles.dialog}
      aria-labelledby="unproven-title"
      ref={dialog}
      onClose={onClose}
      onClickCapture={dropSecondClick}
    >
      <h3 className={styles.title} id="unproven-title">
        {formatText(texts.unprovenTitle, { n: row.number })}
      </h3>
      <p className={styles.text}>{texts.unprovenText}</p>
      {fastest ? (
        <LineLink className={styles.better} row={fastest} onUse={close}>
          {formatText(texts.useLine, { n: fastest.number })}
        </LineLink>
      ) : (
        <>
          <button className={styles.better} type="button" data-event="retest" onClick={closeAndRetest}>
            <Icon name="retest" />
            {texts.retest}
          </button>
          <ExternalLink className={styles.other} href={links.service} data-silent="unproven-line">
            <Icon name="service" />
            {texts.service}
          </ExternalLink>
        </>
      )}
      <LineLink className={styles.other} row={row} onUse={close}>
        {texts.openAnyway}
      </LineLink>
      <button
        className={styles.close}
        type="button"
        data-silent="unproven-line"
        aria-label={texts.dismiss}
        onClick={close}
      >
        <Icon name="close" />
      </button>
    </dialog>
  );
}

/** The second click of a double click was meant for what was there before. It must not open the line. */
function dropSecondClick(event: MouseEvent): void {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

type LineLinkProps = {
  readonly row: Row;
  readonly className: string | undefined;
  readonly onUse: () => void;
  readonly children: ReactNode;
};

function LineLink({ row, className, onUse, children }: LineLinkProps): ReactNode {
  return (
    <a
      className={className}
      href={row.address}
      target="_blank"
      rel="noopener"
      data-event="official_line"
      data-line={row.number}
      onClick={onUse}
    >
      {children}
    </a>
  );
}
