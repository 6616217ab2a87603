import { type ReactNode, startTransition, useState } from 'react';
import { usePage } from '../../kit/page/page-context.ts';
import styles from './links-failure.module.css';

type LinksFailureProps = {
  readonly text: string;
  readonly onReload: () => Promise<void>;
  /** Covers the rows, which have nothing to show. */
  readonly isCovering?: boolean;
};

/** Says that the links config did not load, and offers to try again. */
export function LinksFailure({ text, onReload, isCovering = false }: LinksFailureProps): ReactNode {
  const { texts } = usePage();
  const [isTrying, setTrying] = useState(false);
  const tryAgain = async (): Promise<void> => {
    setTrying(true);
    await onReload();
    // In the same transition as the outcome, so that the button is not enabled before that is shown.
    startTransition(() => setTrying(false));
  };
  return (
    <div className={styles.failure} role="alert" data-covering={isCovering || undefined}>
      <p>{text}</p>
      <button type="button" data-silent="links-retry" disabled={isTrying} onClick={() => void tryAgain()}>
        {texts.tryAgain}
      </button>
    </div>
  );
}
