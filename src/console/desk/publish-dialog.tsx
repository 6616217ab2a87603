import { type ReactNode, useEffect, useState } from 'react';
import { CheckedLines } from './check-panel.tsx';
import { useDeskTexts } from './locale/use-desk-texts.ts';
import kit from '../parts/view.module.css';
import { ChangeList } from './parts/change-list.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FaultList } from './parts/fault-list.tsx';
import { WhyField } from './parts/why-field.tsx';
import { useDesk } from './store/desk-context.ts';

/** Asks whether the draft is to go live: what it changes, and whether its new lines answer. Nobody has to wait for them. */
export function PublishDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const texts = useDeskTexts();
  const { store, snapshot } = useDesk();
  const [why, setWhy] = useState('');
  useEffect(() => void store.check({ lines: true }), [store]);
  const { checked, typed, isBusy, draft } = snapshot;
  const faults = checked?.files?.faults ?? [];
  const unsent = Object.keys(typed).length;
  return (
    <Dialog
      title={texts.publishTitle}
      action={texts.publishNow}
      isBlocked={isBusy || faults.length > 0}
      onAct={() => void store.publish(why)}
      onClose={onClose}
    >
      {faults.length > 0 ? (
        <div className={kit.stack} role="alert">
          <p>{texts.joinNotes([texts.faultsCount(faults.length), texts.cannotPublish])}</p>
          <FaultList faults={faults} />
        </div>
      ) : (
        <p>{texts.publishNote}</p>
      )}
      <ChangeList changes={draft?.draft?.changes ?? []} />
      {unsent > 0 && <p>{texts.unsentNotPublished(unsent)}</p>}
      <CheckedLines />
      <WhyField why={why} onChange={setWhy} />
    </Dialog>
  );
}
