import { type ReactNode, useEffect, useState } from 'react';
import { Findings, describeCheck } from './check-panel.tsx';
import { useDeskTexts } from './locale/use-desk-texts.ts';
import buttons from '../parts/buttons.module.css';
import kit from '../parts/view.module.css';
import { ChangeList } from './parts/change-list.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { WhyField } from './parts/why-field.tsx';
import type { DraftChoice } from './store/draft-snapshot.ts';
import { useDesk } from './store/desk-context.ts';

export type PublishDialogProps = {
  readonly draft?: DraftChoice;
  readonly onClose: () => void;
};

/**
 * Asks whether a draft is to go live. It shows what the draft changes, and what the check has found. The button waits for the check
 * of the files, not for that of the lines.
 */
export function PublishDialog({ draft = 'own', onClose }: PublishDialogProps): ReactNode {
  const texts = useDeskTexts();
  const { store, snapshot, desk } = useDesk();
  const { typed, isBusy } = snapshot;
  const isOwn = draft === 'own';
  const [why, setWhy] = useState(isOwn ? '' : texts.folderDraftWhy);
  const shown = isOwn ? snapshot.draft?.draft : desk?.folderDraft;
  const check = (): void => void store.check({ lines: true }, draft);
  // Whatever has changed meanwhile was not checked.
  useEffect(() => void store.check({ lines: true }, draft), [store, draft, shown?.hash]);
  const checked = isOwn ? snapshot.checked : snapshot.checkedFolder;
  const hasFailed = checked?.hasFailed === true;
  const { faults = [], ownerKeys = [] } = checked?.files ?? {};
  const isOwner = desk?.me.role === 'owner';
  const mayNot = ownerKeys.length > 0 && !isOwner;
  const unsent = isOwn ? Object.keys(typed).length : 0;
  return (
    <Dialog
      title={texts.publishTitle}
      action={hasFailed ? texts.publishUnchecked : texts.publishNow}
      isDangerous={hasFailed}
      isBlocked={isBusy || faults.length > 0 || mayNot || (!hasFailed && checked?.areFilesNew !== true)}
      onAct={() => void store.publish(why, draft)}
      onClose={onClose}
    >
      <p>{texts.publishNote}</p>
      <ChangeList changes={shown?.changes ?? []} />
      {unsent > 0 && <p>{texts.unsentNotPublished(unsent)}</p>}
      {mayNot && (
        <p className={kit.problem} role="alert">
          {texts.ownerKeys(ownerKeys.join(', '))}
        </p>
      )}
      <p role="status">
        {describeCheck(checked, texts)}{' '}
        {hasFailed && (
          <button className={buttons.button} type="button" onClick={check}>
            {texts.tryAgain}
          </button>
        )}
      </p>
      {checked !== undefined && <Findings checked={checked} />}
      <WhyField why={why} onChange={setWhy} />
    </Dialog>
  );
}
