import { type ReactNode, useState } from 'react';
import { UTM_KINDS } from '../../../contract/visitors.ts';
import buttons from '../../parts/buttons.module.css';
import { LabelledInput } from '../../parts/labelled-input.tsx';
import kit from '../../parts/view.module.css';
import groupStyles from '../fields/field-groups.module.css';
import type { FieldSpec } from '../store/field-specs.ts';
import { ValueField } from '../fields/value-field.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import groups from '../parts/groups.module.css';
import { useDesk } from '../store/desk-context.ts';
import { changeValue } from '../store/changes.ts';
import { nameOf } from '../store/draft-files.ts';
import own from './campaigns.module.css';
import { listOtherKeys, listUsed, placeOf, readCampaigns } from './read-campaigns.ts';
import { useCampaignFormTexts } from './texts.ts';

const TEXT: FieldSpec = { kind: 'text', fallback: '' };

/** What the line gets as a query: the usual parameters of campaigns, and any others. */
export function CampaignQuery({ code }: { readonly code: string }): ReactNode {
  const texts = useCampaignFormTexts();
  const { snapshot, isViewer } = useDesk();
  const campaigns = readCampaigns(snapshot.json);
  const others = listOtherKeys(campaigns[code] ?? {});
  const specOf = (key: string): FieldSpec => ({ ...TEXT, suggestions: listUsed(campaigns, code, key) });
  return (
    <fieldset className={groups.group}>
      <legend className={groups.legend}>{texts.utm}</legend>
      <div className={groupStyles.fields}>
        {UTM_KINDS.map((key) => (
          <ValueField key={key} place={placeOf(code, 'query', key)} spec={specOf(key)} label={key} />
        ))}
      </div>
      {others.map((key) => (
        <div key={key} className={own.parameter}>
          <ValueField place={placeOf(code, 'query', key)} spec={specOf(key)} label={key} />
          {!isViewer && (
            <RemoveButton
              place={placeOf(code, 'query', key)}
              label={texts.removeParameter}
              name={texts.removeParameterOf(key)}
            />
          )}
        </div>
      ))}
      {!isViewer && <NewParameter code={code} taken={[...UTM_KINDS, ...others]} />}
    </fieldset>
  );
}

/** A parameter has a value from its beginning: an empty one would be none. */
function NewParameter({
  code,
  taken,
}: {
  readonly code: string;
  readonly taken: readonly string[];
}): ReactNode {
  const texts = useCampaignFormTexts();
  const { store } = useDesk();
  const [typed, setTyped] = useState({ key: '', value: '' });
  const key = typed.key.trim();
  const isTaken = taken.includes(key);
  const add = async (): Promise<void> => {
    const place = placeOf(code, 'query', key);
    const isSaved = await store.save(`parameter ${nameOf(place)}`, [changeValue(place, typed.value)]);
    // What was typed meanwhile stays.
    if (isSaved) setTyped((now) => (now === typed ? { key: '', value: '' } : now));
  };
  return (
    <div className={own.parameter}>
      <LabelledInput
        label={texts.parameterName}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={typed.key}
        onChange={({ currentTarget }) => setTyped({ ...typed, key: currentTarget.value })}
      />
      <LabelledInput
        label={texts.parameterValue}
        autoComplete="off"
        value={typed.value}
        onChange={({ currentTarget }) => setTyped({ ...typed, value: currentTarget.value })}
      />
      <button
        className={buttons.button}
        type="button"
        disabled={key === '' || typed.value === '' || isTaken}
        onClick={() => void add()}
      >
        {texts.addParameter}
      </button>
      <p className={kit.note} role="status">
        {isTaken && texts.parameterTaken}
      </p>
    </div>
  );
}
