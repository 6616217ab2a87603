import type { ReactNode } from 'react';
import buttons from '../../parts/buttons.module.css';
import { Empty } from '../../parts/panel.tsx';
import { useDeskTexts } from '../locale/use-desk-texts.ts';

/** Says why something is not there, with a way to try again. */
export function Failed({
  text,
  onRetry,
}: {
  readonly text: string;
  readonly onRetry: () => void;
}): ReactNode {
  const texts = useDeskTexts();
  return (
    <Empty>
      {text}{' '}
      <button className={buttons.button} type="button" onClick={onRetry}>
        {texts.tryAgain}
      </button>
    </Empty>
  );
}
