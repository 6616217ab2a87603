import { type ReactNode, useState } from 'react';
import type { DraftConflict, DraftSummary } from '../../contract/desk/desk.ts';
import { nameValue } from './locale/describe-change.ts';
import { useDeskTexts } from './locale/use-desk-texts.ts';
import kit from '../parts/view.module.css';
import styles from './notices.module.css';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import { ChangeList, Difference } from './parts/change-list.tsx';
import { FaultList } from './parts/fault-list.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { useDesk } from './store/desk-context.ts';

/** What the operator must know before going on: what went live, what was refused, what others have done. */
export function Notices(): ReactNode {
  const folderDraft = useDesk().desk?.folderDraft;
  return (
    <div className={styles.notices}>
      <SessionNotice />
      <OutcomeNotice />
      <MovedOnNotice />
      {folderDraft && <FolderDraftNotice changes={folderDraft.changes} />}
    </div>
  );
}

function SessionNotice(): ReactNode {
  const texts = useDeskTexts();
  const { store, snapshot } = useDesk();
  if (!snapshot.isSignedOut) return null;
  return (
    <div className={`${kit.problem} ${kit.stack}`} role="alert">
      <p>{texts.signedOut}</p>
      <p className={buttons.row}>
        <a href="/" target="_blank" rel="noopener">
          {texts.signIn}
        </a>
        <button className={buttons.button} type="button" onClick={() => void store.retry()}>
          {texts.resend}
        </button>
      </p>
    </div>
  );
}

function OutcomeNotice(): ReactNode {
  const texts = useDeskTexts();
  const { store, snapshot, desk } = useDesk();
  const { outcome } = snapshot;
  switch (outcome?.kind) {
    case 'published': {
      const { version, before } = outcome;
      // Undoing it later would also undo what others have published since.
      const isLive = desk?.current.number === version.number;
      return (
        <div className={`${kit.good} ${kit.stack}`} role="status">
          <p>{texts.published(version.number)}</p>
          <p className={buttons.row}>
            {isLive && (
              <button
                className={buttons.button}
                type="button"
                disabled={snapshot.isBusy}
                onClick={() => void store.restore(before, texts.undoWhy(version.number))}
              >
                {texts.undo}
              </button>
            )}
            <CloseButton />
          </p>
        </div>
      );
    }
    case 'refused':
      return (
        <div className={`${kit.problem} ${kit.stack}`} role="alert">
          <p>{texts.say(outcome)}</p>
          {outcome.faults.length > 0 && <FaultList faults={outcome.faults} />}
          {outcome.changes && <ChangeList changes={outcome.changes} />}
          <p>
            <CloseButton />
          </p>
        </div>
      );
    case 'lost':
      return (
        <div className={`${kit.problem} ${kit.stack}`} role="alert">
          <p>{texts.lost}</p>
          <p>
            <button
              className={buttons.button}
              type="button"
              onClick={() => {
                store.dismiss();
                void store.retry();
              }}
            >
              {texts.tryAgain}
            </button>
          </p>
        </div>
      );
    case 'kept-as-is':
      return (
        <div className={`${kit.notice} ${kit.stack}`} role="status">
          <p>{texts.keptAsIs(outcome.path)}</p>
          <p>
            <CloseButton />
          </p>
        </div>
      );
    // Shown with what was published meanwhile.
    case 'conflict':
    case undefined:
      return null;
  }
}

function CloseButton(): ReactNode {
  const texts = useDeskTexts();
  const { store } = useDesk();
  return (
    <button className={buttons.button} type="button" onClick={store.dismiss}>
      {texts.close}
    </button>
  );
}

/** Somebody else has published since the draft was begun. */
function MovedOnNotice(): ReactNode {
  const texts = useDeskTexts();
  const { texts: consoleTexts } = useLocale();
  const { store, snapshot, desk } = useDesk();
  const { draft, outcome } = snapshot;
  const current = desk?.current;
  const basedOn = draft?.draft?.basedOn;
  const isBehind = current !== undefined && basedOn !== undefined && basedOn !== current.number;
  if (!isBehind) return null;
  const conflicts = outcome?.kind === 'conflict' ? outcome.conflicts : [];
  return (
    <div className={`${kit.notice} ${kit.stack}`} role="alert">
      <p>{texts.movedOn(current.number, consoleTexts.actor(current.by))}</p>
      {conflicts.length > 0 && <ConflictList conflicts={conflicts} />}
      <p className={buttons.row}>
        <button className={buttons.button} type="button" onClick={() => void store.discard()}>
          {texts.takeTheirs}
        </button>
        {conflicts.length === 0 ? (
          <button className={buttons.button} type="button" onClick={() => void store.rebase()}>
            {texts.applyMine}
          </button>
        ) : (
          <>
            <button className={buttons.button} type="button" onClick={() => void store.rebase('mine')}>
              {texts.keepMine}
            </button>
            <button className={buttons.button} type="button" onClick={() => void store.rebase('theirs')}>
              {texts.keepTheirs}
            </button>
          </>
        )}
      </p>
      {/* Below the buttons, because it is loaded: they must not move away from a pointer. */}
      <p>{texts.theirChanges}</p>
      <Difference from={basedOn} to={current.number} />
      <p>{texts.yourChanges}</p>
      <ChangeList changes={draft?.draft?.changes ?? []} />
    </div>
  );
}

function ConflictList({ conflicts }: { readonly conflicts: readonly DraftConflict[] }): ReactNode {
  const texts = useDeskTexts();
  return (
    <>
      <p>{texts.conflicts}</p>
      <ul className={styles.conflicts}>
        {conflicts.map((conflict) => (
          <li key={`${conflict.file} ${conflict.path}`}>{nameValue(conflict, texts)}</li>
        ))}
      </ul>
    </>
  );
}

/** The site folder has changed, and that is not live. Its question goes with it. */
function FolderDraftNotice({ changes }: Pick<DraftSummary, 'changes'>): ReactNode {
  const texts = useDeskTexts();
  const { store, isViewer } = useDesk();
  const [isPublishing, setIsPublishing] = useState(false);
  return (
    <div className={`${kit.notice} ${kit.stack}`} role="status">
      <p>{texts.folderDraft}</p>
      <ChangeList changes={changes} />
      {!isViewer && (
        <p className={buttons.row}>
          <button className={buttons.button} type="button" onClick={() => setIsPublishing(true)}>
            {texts.publishFolderDraft}
          </button>
          <button className={buttons.button} type="button" onClick={() => void store.discard('folder')}>
            {texts.discardFolderDraft}
          </button>
        </p>
      )}
      {isPublishing && <PublishDialog draft="folder" onClose={() => setIsPublishing(false)} />}
    </div>
  );
}
