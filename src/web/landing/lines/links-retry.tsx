import { type ReactNode, startTransition, useState } from 'react';
import { Icon } from '../../kit/page/icon.tsx';
import { usePage } from '../../kit/page/page-context.ts';

type LinksRetryProps = {
  readonly className: string | undefined;
  readonly onReload: () => Promise<void>;
};

/** Loads the links config again. */
export function LinksRetry({ className, onReload }: LinksRetryProps): ReactNode {
  const { texts } = usePage();
  const [isTrying, setTrying] = useState(false);
  const tryAgain = async (): Promise<void> => {
    setTrying(true);
    await onReload();
    // In the same transition as the outcome, so that the button is not enabled before that is shown.
    startTransition(() => setTrying(false));
  };
  return (
    <button
      className={className}
      type="button"
      data-silent="links-retry"
      disabled={isTrying}
      onClick={() => void tryAgain()}
    >
      <Icon name="retest" />
      {texts.tryAgain}
    </button>
  );
}
