import type { ReactNode } from 'react';
import buttons from '../../parts/buttons.module.css';
import fieldStyles from '../../parts/field.module.css';
import groups from './groups.module.css';

type AddFormProps = {
  readonly title: string;
  /** The id of the element that says what is wrong. */
  readonly problemId: string;
  readonly problem: string | undefined;
  /** The text of its button. */
  readonly action: string;
  readonly isBlocked: boolean;
  readonly onAdd: () => void;
  readonly children: ReactNode;
};

/** A form that adds something to the draft: its fields, what is wrong with them, and its button. */
export function AddForm({
  title,
  problemId,
  problem,
  action,
  isBlocked,
  onAdd,
  children,
}: AddFormProps): ReactNode {
  return (
    <form
      className={groups.group}
      onSubmit={(event) => {
        event.preventDefault();
        onAdd();
      }}
    >
      <h3 className={groups.legend}>{title}</h3>
      {children}
      <p className={fieldStyles.fault} id={problemId} role="alert">
        {problem}
      </p>
      <p>
        <button className={buttons.main} disabled={isBlocked} aria-describedby={problemId}>
          {action}
        </button>
      </p>
    </form>
  );
}
