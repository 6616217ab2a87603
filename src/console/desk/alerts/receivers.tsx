import type { ReactNode } from 'react';
import { ON_CALL } from '../../../contract/incidents.ts';
import fieldStyles from '../../parts/field.module.css';
import { Check } from '../../parts/labelled-input.tsx';
import { ProblemList } from '../fields/problem-list.tsx';
import { useProblems } from '../fields/use-problems.ts';
import { useDesk } from '../store/desk-context.ts';
import { updateValue } from '../store/changes.ts';
import { type Place, chooseName, nameOf, readNames, readValue } from '../store/draft-files.ts';
import own from './alerts.module.css';
import { readChannels, readList } from './read-alerts.ts';
import { useAlertTexts } from './texts.ts';

type ReceiversProps = {
  /** The list of names. */
  readonly place: Place;
  readonly label: string;
  /** Whether those who are on call may be chosen. */
  readonly mayBeOnCall?: boolean;
};

/** Chooses who is told. */
export function Receivers({ place, label, mayBeOnCall = true }: ReceiversProps): ReactNode {
  const texts = useAlertTexts();
  const { store, snapshot, findLock } = useDesk();
  const { json } = snapshot;
  const chosen = readNames(readValue(json, place));
  const problems = useProblems(nameOf(place), place);
  const channels = readChannels(json).map(({ name }) => name);
  const hasShifts = mayBeOnCall && readList(json, 'onCall').length > 0;
  // A name that is not known any more can still be taken out.
  const offered = [...new Set([...(hasShifts ? [ON_CALL] : []), ...channels, ...chosen])];
  return (
    <fieldset className={own.choices}>
      <legend className={fieldStyles.label}>{label}</legend>
      {offered.map((name) => (
        <Check
          key={name}
          label={name === ON_CALL ? texts.onCall : name}
          isChecked={chosen.includes(name)}
          isDisabled={findLock(place.path) !== undefined}
          onChange={(isChosen) => {
            const choose = (present: unknown): readonly string[] =>
              chooseName(present, {
                name,
                isChosen,
                offered: [...new Set([...offered, ...readNames(present)])],
              });
            void store.save(nameOf(place), [updateValue(place, choose)]);
          }}
        />
      ))}
      <ProblemList problems={problems.length === 0 && chosen.length === 0 ? [texts.noReceiver] : problems} />
    </fieldset>
  );
}
