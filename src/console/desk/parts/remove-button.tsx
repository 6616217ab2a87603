import type { ReactNode } from 'react';
import buttons from '../../parts/buttons.module.css';
import { focusOn } from '../../parts/find-neighbour.ts';
import type { Place } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';

type RemoveButtonProps = {
  readonly place: Place;
  readonly label: string;
  /** What it removes, where the label does not say it. */
  readonly name?: string;
  /** Nothing is missing afterwards: a default takes its place. */
  readonly isHarmless?: boolean;
};

/** Removes everything at a place of the draft. */
export function RemoveButton({ place, label, name, isHarmless = false }: RemoveButtonProps): ReactNode {
  const { store } = useDesk();
  const remove = async (button: Element): Promise<void> => {
    // The button goes with what it removes. Its group stays.
    const group = button.parentElement?.parentElement ?? null;
    if (await store.remove(place)) focusOn(group);
  };
  return (
    <p>
      <button
        className={isHarmless ? buttons.button : buttons.danger}
        type="button"
        aria-label={name}
        onClick={({ currentTarget }) => void remove(currentTarget)}
      >
        {label}
      </button>
    </p>
  );
}
