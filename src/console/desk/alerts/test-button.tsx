import { type ReactNode, useState } from 'react';
import { describeDetail } from '../../../contract/describe-detail.ts';
import type { ToldFault } from '../../../contract/faults/site-fault.ts';
import type { ChannelAnswer, IncidentDetail } from '../../../contract/incidents.ts';
import { describeRefusal } from '../../live/describe-refusal.ts';
import { useLocale } from '../../locale/locale.ts';
import buttons from '../../parts/buttons.module.css';
import kit from '../../parts/view.module.css';
import { useDesk } from '../store/desk-context.ts';
import { useAlertTexts } from './texts.ts';

type Result = {
  readonly isGood: boolean;
  readonly what: string;
  readonly answer?: ChannelAnswer | undefined;
  readonly faults?: readonly ToldFault[];
};

/** Sends a test by a channel of the draft, and shows what the other side answered. */
export function TestButton({ channel }: { readonly channel: string }): ReactNode {
  const texts = useAlertTexts();
  const { language } = useLocale();
  const { api, store } = useDesk();
  const [result, setResult] = useState<Result | 'running'>();
  const send = async (): Promise<void> => {
    setResult('running');
    // A field that was just left is still being saved.
    await store.settle();
    const sent = await api.testChannel({ channel });
    if (sent.kind === 'done')
      return setResult({ isGood: true, what: texts.testTaken, answer: sent.data.answer });
    if (sent.kind === 'lost') return setResult({ isGood: false, what: texts.testLost });
    // What is in the details depends on the code, see `src/server/operator/desk/test-draft-channel.ts`.
    const { fault, answer, faults } = (sent.kind === 'refused' ? sent.details : {}) as {
      readonly fault?: IncidentDetail;
      readonly answer?: ChannelAnswer;
      readonly faults?: readonly ToldFault[];
    };
    const what =
      fault === undefined
        ? describeRefusal(sent, language, texts.testProblems)
        : texts.testFailed(describeDetail(fault, language));
    setResult({
      isGood: false,
      what: faults === undefined ? what : texts.testFaults,
      answer,
      faults: faults ?? [],
    });
  };
  return (
    <div className={kit.stack}>
      <p>
        <button
          className={buttons.main}
          type="button"
          aria-label={texts.testOf(channel)}
          disabled={result === 'running'}
          onClick={() => void send()}
        >
          {texts.test}
        </button>
      </p>
      <div role="status">
        {result === 'running' && <p className={kit.note}>{texts.testing}</p>}
        {result !== undefined && result !== 'running' && <ShownResult {...result} />}
      </div>
    </div>
  );
}

function ShownResult({ isGood, what, answer, faults = [] }: Result): ReactNode {
  const texts = useAlertTexts();
  const { language } = useLocale();
  return (
    <div className={isGood ? kit.good : kit.problem}>
      <p>{what}</p>
      {faults.map(({ sentences }) => (
        <p key={sentences.en}>{sentences[language]}</p>
      ))}
      {answer !== undefined && <p>{texts.testAnswer(answer.status, answer.words)}</p>}
    </div>
  );
}
