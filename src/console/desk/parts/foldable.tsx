import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './foldable.module.css';

/** A list of things that fold: each shows its summary alone until somebody opens it. */
export function FoldableList({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={styles.list}>{children}</div>;
}

type FoldableProps = {
  readonly summary: ReactNode;
  /** Opens it. Only people close it: what somebody works on must not fold away when its last fault is corrected. */
  readonly isOpen: boolean;
  /** Names the fields in it for screen readers, where their labels alone do not say whose they are. */
  readonly groupName?: string;
  readonly onFocus?: () => void;
  readonly children: ReactNode;
};

export function Foldable({ summary, isOpen, groupName, onFocus, children }: FoldableProps): ReactNode {
  const item = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (isOpen && item.current !== null) item.current.open = true;
  }, [isOpen]);
  return (
    <details className={styles.item} ref={item} onFocus={onFocus}>
      <summary className={styles.summary}>{summary}</summary>
      <div className={styles.body} role={groupName && 'group'} aria-label={groupName}>
        {children}
      </div>
    </details>
  );
}
