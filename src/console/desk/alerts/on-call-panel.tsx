import { type ReactNode, useState } from 'react';
import buttons from '../../parts/buttons.module.css';
import { Empty, Panel } from '../../parts/panel.tsx';
import groupStyles from '../fields/field-groups.module.css';
import type { FieldSpec } from '../store/field-specs.ts';
import { PeriodFields } from '../fields/period-fields.tsx';
import { ValueField } from '../fields/value-field.tsx';
import { Foldable, FoldableList } from '../parts/foldable.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { useDesk } from '../store/desk-context.ts';
import { placeBelow } from '../store/draft-files.ts';
import own from './alerts.module.css';
import { appendTo, placeOf, readChannels, readList } from './read-alerts.ts';
import { Receivers } from './receivers.tsx';
import { useAlertTexts } from './texts.ts';

const NAME: FieldSpec = { kind: 'text' };

/** Who is on call when. */
export function OnCallPanel(): ReactNode {
  const texts = useAlertTexts();
  const { store, snapshot, findLock } = useDesk();
  const [added, setAdded] = useState(-1);
  const shifts = readList(snapshot.json, 'onCall');
  const [channel] = readChannels(snapshot.json);
  const isLocked = findLock(placeOf('onCall').path) !== undefined;
  return (
    <Panel title={texts.onCallTitle} note={texts.onCallNote} id="desk-on-call">
      {shifts.length === 0 && <Empty>{texts.noOnCall}</Empty>}
      <FoldableList>
        {shifts.map((shift, index) => (
          // A shift has no other name that is sure to be its own.
          // oxlint-disable-next-line react/no-array-index-key
          <Shift key={index} shift={shift} index={index} isOpen={index === added} />
        ))}
      </FoldableList>
      {!isLocked && channel !== undefined && (
        <p>
          <button
            className={buttons.button}
            type="button"
            onClick={() => {
              const shift = { name: texts.newShift(shifts.length + 1), to: [channel.name] };
              void store.save('new shift', [appendTo(shift, 'onCall')]);
              setAdded(shifts.length);
            }}
          >
            {texts.addShift}
          </button>
        </p>
      )}
    </Panel>
  );
}

type ShiftProps = { readonly shift: unknown; readonly index: number; readonly isOpen: boolean };

function Shift({ shift, index, isOpen }: ShiftProps): ReactNode {
  const texts = useAlertTexts();
  const { findLock } = useDesk();
  const { name } = Object(shift) as { readonly name?: unknown };
  const shown = texts.shift(typeof name === 'string' ? name : '');
  const place = placeOf('onCall', index);
  return (
    <Foldable summary={shown} isOpen={isOpen}>
      <div className={own.short}>
        <ValueField place={placeBelow(place, 'name')} spec={NAME} label={texts.shiftName} />
      </div>
      <Receivers place={placeBelow(place, 'to')} label={texts.shiftTo} mayBeOnCall={false} />
      <div className={groupStyles.fields}>
        <PeriodFields place={place} />
      </div>
      {findLock(placeBelow(place, 'name').path) === undefined && (
        <RemoveButton place={place} label={texts.removeShift} name={texts.removeShiftOf(shown)} />
      )}
    </Foldable>
  );
}
