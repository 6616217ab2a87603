import { type ReactNode, useState } from 'react';
import { hrefOf } from '../route.ts';
import { useDeskTexts } from './locale/use-desk-texts.ts';
import kit from '../parts/view.module.css';
import styles from './bar.module.css';
import buttons from '../parts/buttons.module.css';
import { ChangeList } from './parts/change-list.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { useDesk } from './store/desk-context.ts';

/** What the draft holds, and what can be done with it. It is always in sight. */
export function Bar(): ReactNode {
  const texts = useDeskTexts();
  const { store, snapshot, desk, isViewer, hasPreview } = useDesk();
  const [question, setQuestion] = useState<'publish' | 'discard'>();
  const { draft, isBusy, typed, checked } = snapshot;
  if (desk === undefined || draft === undefined) return null;
  const changes = draft.draft?.changes ?? [];
  const hasDraft = draft.draft !== null;
  const unsent = Object.keys(typed).length;
  const close = (): void => setQuestion(undefined);
  return (
    <section className={styles.bar} aria-label={texts.bar}>
      <div className={styles.facts}>
        {hasDraft ? (
          <details className={`${kit.details} ${styles.changes}`}>
            <summary>{texts.changesCount(changes.length)}</summary>
            <ChangeList changes={changes} />
          </details>
        ) : (
          unsent === 0 && <p>{texts.noChanges}</p>
        )}
        <p className={kit.note} role="status">
          {describeSaving(desk.current.number)}
        </p>
      </div>
      {!isViewer && (
        <div className={`${buttons.row} ${styles.actions}`}>
          {hasPreview && (
            <a className={buttons.link} href={hrefOf({ view: 'desk', part: 'preview' })}>
              {texts.sections.preview}
            </a>
          )}
          <button
            className={buttons.button}
            type="button"
            disabled={checked?.isRunning === true && checked.hasLines}
            onClick={() => void store.check({ lines: true })}
          >
            {texts.check}
          </button>
          <button
            className={buttons.button}
            type="button"
            disabled={!hasDraft && unsent === 0}
            onClick={() => setQuestion('discard')}
          >
            {texts.discard}
          </button>
          <button
            className={buttons.main}
            type="button"
            disabled={!hasDraft}
            onClick={() => setQuestion('publish')}
          >
            {texts.publish}
          </button>
        </div>
      )}
      {question === 'publish' && <PublishDialog onClose={close} />}
      {question === 'discard' && (
        <Dialog
          title={texts.discardTitle}
          action={texts.discardNow}
          isDangerous
          isBlocked={isBusy}
          onAct={() => void store.discard()}
          onClose={close}
        >
          <p>{texts.discardNote}</p>
          <ChangeList changes={changes} />
        </Dialog>
      )}
    </section>
  );

  function describeSaving(live: number): string {
    if (isBusy) return texts.saving;
    if (unsent > 0) return texts.unsent(unsent);
    return hasDraft ? texts.saved : texts.liveVersion(live);
  }
}
