import type { ReactNode } from 'react';
import buttons from '../parts/buttons.module.css';
import { type Place, editsFor, nameOf } from '../store/draft-files.ts';
import { useDesk } from '../store/desk-context.ts';

/** Removes everything at a place of the draft. */
export function RemoveButton({ place, label }: { readonly place: Place; readonly label: string }): ReactNode {
  const { store } = useDesk();
  return (
    <p>
      <button
        className={buttons.button}
        type="button"
        onClick={() =>
          void store.save(`remove ${nameOf(place)}`, [
            { kind: 'edit', file: place.file, makeEdits: (json) => editsFor(json, place, undefined) },
          ])
        }
      >
        {label}
      </button>
    </p>
  );
}
