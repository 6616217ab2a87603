import { type ReactNode, useState } from 'react';
import type { ConsoleLanguage } from '../../contract/console-language.ts';
import { describeDetail } from '../../contract/describe-detail.ts';
import type { IncidentDetail } from '../../contract/incidents.ts';
import { type Failure, sendChange } from '../live/call-server.ts';
import { describeRefusal } from '../live/describe-refusal.ts';
import { usePastTime } from '../live/past-time.ts';
import { useLocale } from '../locale/locale.ts';
import buttons from '../parts/buttons.module.css';
import kit from '../parts/view.module.css';
import { type IncidentViewTexts, useIncidentTexts } from './texts.ts';

type Outcome = { readonly isGood: boolean; readonly text: string };

/** Sends a change. The next version of the overview brings what it has changed. */
export function ActionButton({
  text,
  path,
  body,
  done = '',
  isMain = false,
}: {
  readonly text: string;
  readonly path: string;
  readonly body: object;
  readonly done?: string;
  readonly isMain?: boolean;
}): ReactNode {
  const texts = useIncidentTexts();
  const isPast = usePastTime() !== undefined;
  const { language } = useLocale();
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setIsBusy] = useState(false);
  const send = async (): Promise<void> => {
    setIsBusy(true);
    const answer = await sendChange(path, body);
    setIsBusy(false);
    const isGood = answer.kind === 'done';
    setOutcome({ isGood, text: isGood ? done : describeProblem(answer, texts, language) });
  };
  if (isPast) return null;
  return (
    <div className={buttons.row}>
      <button
        className={isMain ? buttons.main : buttons.button}
        type="button"
        disabled={isBusy}
        onClick={() => void send()}
      >
        {text}
      </button>
      <p className={outcome?.isGood === false ? kit.problem : kit.note} role="status">
        {outcome?.text}
      </p>
    </div>
  );
}

/** Says why the server did not do what it was asked. */
export function describeProblem(
  failure: Failure,
  texts: IncidentViewTexts,
  language: ConsoleLanguage,
): string {
  // Why a channel did not take its test. The server uses the same type.
  const { fault } = (failure.kind === 'refused' ? failure.details : {}) as {
    readonly fault?: IncidentDetail;
  };
  if (fault !== undefined) return texts.testFailed(describeDetail(fault, language));
  return describeRefusal(failure, language, texts.problems);
}
