import { type ReactNode, useState } from 'react';
import { RECORDING_PATHS } from '../../contract/paths.ts';
import { type Failure, sendChange } from '../live/call-server.ts';
import { describeRefusal } from '../live/describe-refusal.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import { Dialog } from '../parts/dialog.tsx';
import { Problem } from '../parts/panel.tsx';
import { openRoute } from '../route.ts';
import { useSessionTexts } from './texts.ts';

/** Erases a session, after a question, and goes back to the list. */
export function EraseButton({ session }: { readonly session: string }): ReactNode {
  const texts = useSessionTexts();
  const { language } = useLocale();
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<Failure>();
  const erase = async (): Promise<void> => {
    const here = location.hash;
    const answer = await sendChange(RECORDING_PATHS.erase, { session });
    if (answer.kind !== 'done') return setProblem(answer);
    // Somebody who has gone on meanwhile stays there.
    if (location.hash === here) openRoute({ view: 'sessions', part: '' });
  };
  return (
    <>
      <button className={buttons.danger} type="button" onClick={() => setIsAsking(true)}>
        {texts.erase}
      </button>
      <Problem text={problem && describeRefusal(problem, language)} />
      {isAsking && (
        <Dialog
          title={texts.eraseSure}
          action={texts.erase}
          isDangerous
          onAct={() => void erase()}
          onClose={() => setIsAsking(false)}
        >
          <p>{texts.eraseNote}</p>
        </Dialog>
      )}
    </>
  );
}
