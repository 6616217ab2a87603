import type { ReactNode } from 'react';
import buttons from '../../parts/buttons.module.css';
import { type Place, changeValue, nameOf } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';

type RemoveButtonProps = {
  readonly place: Place;
  readonly label: string;
  /** What it removes, where the label does not say it. */
  readonly name?: string;
};

/** Removes everything at a place of the draft. */
export function RemoveButton({ place, label, name }: RemoveButtonProps): ReactNode {
  const { store } = useDesk();
  return (
    <p>
      <button
        className={buttons.button}
        type="button"
        aria-label={name}
        onClick={() => void store.save(`remove ${nameOf(place)}`, [changeValue(place, undefined)])}
      >
        {label}
      </button>
    </p>
  );
}
