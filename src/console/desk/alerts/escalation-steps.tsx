import type { ReactNode } from 'react';
import buttons from '../../parts/buttons.module.css';
import fieldStyles from '../../parts/field.module.css';
import type { FieldSpec } from '../store/field-specs.ts';
import { ValueField } from '../fields/value-field.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { useDesk } from '../store/desk-context.ts';
import { updateValue } from '../store/changes.ts';
import { nameOf, placeBelow, readNames } from '../store/draft-files.ts';
import own from './alerts.module.css';
import { type DraftRule, placeOf, readChannels, readSteps } from './read-alerts.ts';
import { Receivers } from './receivers.tsx';
import { useAlertTexts } from './texts.ts';

const MINUTES: FieldSpec = { kind: 'number' };
const STEP_MINUTES = 10;

type EscalationStepsProps = { readonly rule: DraftRule; readonly index: number };

/** Who is told next if nobody takes an incident. */
export function EscalationSteps({ rule, index }: EscalationStepsProps): ReactNode {
  const texts = useAlertTexts();
  const { store, snapshot, findLock } = useDesk();
  const place = placeOf('rules', index, 'escalate');
  const steps = readSteps(rule);
  const isLocked = findLock(place.path) !== undefined;
  return (
    <fieldset className={own.steps}>
      <legend className={fieldStyles.label}>{texts.escalate}</legend>
      {steps.map((_step, number) => {
        const step = placeBelow(place, number);
        return (
          // A step has no other name than its number.
          // oxlint-disable-next-line react/no-array-index-key
          <div className={own.step} key={number}>
            <ValueField place={placeBelow(step, 'afterMinutes')} spec={MINUTES} label={texts.afterMinutes} />
            <Receivers place={placeBelow(step, 'to')} label={texts.stepTo} />
            {!isLocked && (
              <RemoveButton place={step} label={texts.removeStep} name={texts.removeStepOf(number + 1)} />
            )}
          </div>
        );
      })}
      {!isLocked && (
        <p>
          <button
            className={buttons.button}
            type="button"
            onClick={() => void store.save(nameOf(place), [updateValue(place, addStep)])}
          >
            {texts.addStep}
          </button>
        </p>
      )}
    </fieldset>
  );

  /** Adds a step that is later than the one before, and by a channel that nobody was told by yet, if there is one. */
  function addStep(escalate: unknown): readonly object[] {
    const before = readSteps({ escalate });
    const told = new Set([rule, ...before].flatMap(({ to }) => readNames(to)));
    const channels = readChannels(snapshot.json).map(({ name }) => name);
    const next = channels.find((name) => !told.has(name)) ?? channels[0];
    const last = Number(before.at(-1)?.afterMinutes) || 0;
    return [...before, { afterMinutes: last + STEP_MINUTES, to: next === undefined ? [] : [next] }];
  }
}
